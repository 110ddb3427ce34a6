// The page of full games (game_tab.py): a map whose cells are pressed, and the turn that is typed.
//
// What is pressed or typed is on the map at once, with the color and the level that are shown. The server plays turns,
// draws the board in 3D, and says what cannot be carried out. It is asked one thing at a time, in the order in which the
// buttons were pressed. A request is JSON in the hidden box `request`:
//
//   number                     of the request, from 1
//   simulator, seed, answers   the game: `answers` are the texts of the turns up to now; the seed is a text, as it can
//                              have more digits than a number here
//   turn                       a turn to play, unless it cannot be carried out; else null
//   builder                    a Builder that plays the turn instead; else null
//   typed                      what is typed and not played: the 3D board shows what it would do
//
// and so is the answer in the hidden box `answer`:
//
//   number, simulator, seed, answers, typed
//   refused                    whether the turn was not played; it then is a part of `typed`
//   over                       whether the game is
//   board, after               blocks such as "red 0 1 0": as they stand, and after what is typed
//   pose                       of the Builder: x, y, z, yaw
window.bapPlay = (() => {
  const HALF = 5, HIGHEST = 9;  // x and z are from -HALF to HALF, y is from 1 to HIGHEST
  // What a Builder with yaw 0, 90, 180 and 270 has one cell to its left and one cell away: [x, z].
  const SIDES = [
    { left: [1, 0], away: [0, 1] },
    { left: [0, 1], away: [-1, 0] },
    { left: [-1, 0], away: [0, -1] },
    { left: [0, -1], away: [1, 0] },
  ];
  const WAYS = ["behind (away)", "right", "in front (near)", "left"];  // clockwise from where the Builder looks
  const ACTION = /^\s*(?:place\s+([a-z]+)|pick)\s+(-?\d+)\s+(-?\d+)\s+(-?\d+)\s*$/i;
  const STEPS = { ArrowUp: [1, 0], ArrowDown: [-1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };  // [away, right]
  const PATIENCE = 60_000;  // milliseconds until a request counts as lost

  let game = null;  // the last answer
  let up = 0;  // the side that the map is drawn from: the Builder's at the start of the game
  let sent = null;  // the request that is on its way
  let waiting = [];  // moves that are asked for after it
  let number = 0;  // of the last request
  let drawn = "";  // what was typed when the 3D board was asked for last

  const find = (selector) => document.querySelector(selector);
  const field = (id) => find(`#${id} textarea, #${id} input`);
  const typed = () => field("turn")?.value ?? "";
  const color = () => find("#color input:checked").value;
  const level = () => Number(find("#level input[type=range]").value);
  const modulo4 = (n) => ((n % 4) + 4) % 4;
  const sideOf = (yaw) => modulo4(Math.round(yaw / 90));
  const written = (id, text) => {
    const box = field(id);
    box.value = text;
    box.dispatchEvent(new Event("input", { bubbles: true }));
  };

  // ---- Boards: maps from "x y z" to colors.
  const blocksOf = (lines) => new Map(lines.map((line) => [line.slice(line.indexOf(" ") + 1), line.split(" ")[0]]));

  const isSupported = (blocks, [x, y, z]) =>
    y === 1 || [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]].some(
      ([dx, dy, dz]) => blocks.has(`${x + dx} ${y + dy} ${z + dz}`));

  // Returns the blocks after actions that are written as the map writes them, and the cells of those that are impossible.
  const carriedOut = (board, text) => {
    const blocks = new Map(board), impossible = new Set();
    for (const line of text.split("\n")) {
      const [whole, placed, ...numbers] = ACTION.exec(line) ?? [];
      if (whole === undefined) continue;
      const [x, y, z] = numbers.map(Number), cell = `${x} ${y} ${z}`;
      const inside = Math.abs(x) <= HALF && Math.abs(z) <= HALF && y >= 1 && y <= HIGHEST;
      if (!placed) blocks.delete(cell);
      else if (inside && !blocks.has(cell) && isSupported(blocks, [x, y, z])) blocks.set(cell, placed.toLowerCase());
      else impossible.add(cell);
    }
    return { blocks, impossible };
  };

  // Returns what stands, and what will stand after all that is typed, also if the server did not play it yet.
  const boards = () => {
    const built = blocksOf(game.board);
    const text = [...[sent, ...waiting].map((move) => move?.turn).filter(Boolean), typed()].join("\n");
    const isRead = game.typed && (text === game.typed || text.startsWith(game.typed + "\n"));  // by the server: in any form
    return { built, ...(isRead ? carriedOut(blocksOf(game.after), text.slice(game.typed.length)) : carriedOut(built, text)) };
  };

  // ---- The map. It is drawn once; then its buttons change, so that the focus stays where it is.
  const range = [...Array(2 * HALF + 1).keys()].map((place) => place - HALF);
  const mapHtml = () => {
    const cell = (away, right) =>
      `<td><button tabindex="${away || right ? -1 : 0}" data-away="${away}" data-right="${right}"></button></td>`;
    const rows = range.toReversed().map((away) =>
      `<tr><th scope="row" data-away="${away}"></th>${range.map((right) => cell(away, right)).join("")}</tr>`);
    const numbers = range.map((right) => `<th scope="col" data-right="${right}"></th>`).join("");
    return `<div class="around">${WAYS.map((_, edge) => `<span class="way" data-edge="${edge}"></span>`).join("")}
      <div class="cells"><table role="grid">${rows.join("")}<tr><th class="corner"></th>${numbers}</tr></table>
      <span class="builder" aria-hidden="true">▲</span></div></div>`;
  };

  const cellAt = (away, right) => {
    const side = SIDES[up];
    const [x, z] = [0, 1].map((axis) => away * side.away[axis] - right * side.left[axis]);
    return { x, z };
  };

  // Returns where the Builder stands on the map: cells to the right of the center of the board, and away.
  const placeOf = ({ x, z }) => {
    const side = SIDES[up], from = [x - 0.5, z - 0.5];
    const along = (way) => from[0] * way[0] + from[1] * way[1];
    return { right: -along(side.left), away: along(side.away) };
  };

  const draw = () => {
    const map = find("#map .map");
    if (!game || !map || !find("#color input:checked")) return;
    if (!map.querySelector("table")) map.innerHTML = mapHtml();
    drawCells(map);
    drawEdges(map);
    // Buttons that would do nothing cannot be pressed.
    const moves = [sent, ...waiting].filter((move) => move?.isMove);
    const off = { build: game.over || !typed().trim(), undo: !typed().trim(), ask: game.over, let: game.over,
      back: !game.answers.length && !moves.length };
    for (const [id, isOff] of Object.entries(off)) if (find(`#${id}`)) find(`#${id}`).disabled = isOff;
    find("#game").classList.toggle("waiting", moves.length > 0);
    find("#game").classList.add("ready");
  };

  const drawCells = (map) => {
    const { built, blocks, impossible } = boards(), y = level();
    for (const button of map.querySelectorAll("button")) {
      const { x, z } = cellAt(+button.dataset.away, +button.dataset.right), cell = `${x} ${y} ${z}`;
      const there = blocks.get(cell), action = there ? `pick ${cell}` : `place ${color()} ${cell}`;
      const kinds = [there ?? "empty"];
      if (!there && blocks.has(`${x} ${y - 1} ${z}`)) kinds.push("below");
      if (there !== built.get(cell)) kinds.push("typed");
      button.className = kinds.join(" ");
      button.textContent = there ? there[0].toUpperCase() : impossible.has(cell) ? "✗" : "·";
      button.dataset.action = button.title = action;
      button.ariaLabel = impossible.has(cell) && !there ? `${action}, impossible` : action;
      button.disabled = game.over;
    }
  };

  const drawEdges = (map) => {
    // The coordinates at the left and below.
    const alongZ = SIDES[up].away[1] !== 0;  // whether the rows differ in z
    map.querySelectorAll("th").forEach((label) => {
      const { away, right } = label.dataset;
      const { x, z } = cellAt(+(away ?? 0), +(right ?? 0));
      label.textContent = label.matches(".corner") ? (alongZ ? "z\\x" : "x\\z") : (away !== undefined) === alongZ ? z : x;
    });
    // What the Builder calls left, right, behind and in front.
    const turned = sideOf(game.pose.yaw) - up;
    map.querySelectorAll(".way").forEach((label) => {
      label.textContent = WAYS[modulo4(label.dataset.edge - turned)];
    });
    // The Builder, at the edge if it stands further away.
    const { right, away } = placeOf(game.pose), edge = HALF + 0.75;
    const onto = (place) => Math.min(Math.max(place, -edge), edge);
    const builder = map.querySelector(".builder");
    builder.style.setProperty("--right", onto(right) + HALF + 0.5);
    builder.style.setProperty("--down", HALF + 0.5 - onto(away));
    builder.style.setProperty("--turned", `${game.pose.yaw - 90 * up}deg`);
    const looks = ["up", "right", "down", "left"][modulo4(turned)];
    const { x, z } = game.pose;
    map.querySelector("table").ariaLabel =
      `Level ${level()} from above. You stand at x ${Math.floor(x)}, z ${Math.floor(z)} and look ${looks} the map`;
  };

  // ---- Requests.
  const next = () => {
    if (!game || (sent && Date.now() - sent.time < PATIENCE)) return;
    if (sent) givenBack(sent);
    const move = waiting.shift() ?? (typed() === drawn ? null : {});
    if (move) {
      const { simulator, seed, answers } = move.from?.(game) ?? game;
      drawn = typed();
      sent = { turn: null, builder: null, ...move, simulator, seed, answers, typed: drawn, number: ++number, time: Date.now() };
      written("request", JSON.stringify(sent));
    }
    draw();
  };

  // What was not played is typed again, in front of what is typed by now.
  const givenBack = (request) => {
    const turns = [request, ...waiting].filter((move) => move.isTyped).map((move) => move.turn.replace(/\n+$/, ""));
    sent = null;
    waiting = [];
    if (turns.length) written("turn", [...turns, typed()].filter(Boolean).join("\n"));
  };

  // Is called after each request, with the last answer: another one, if the server failed.
  const answered = (text) => {
    const answer = JSON.parse(text);
    if (!sent || answer.number > sent.number) return;
    const isAnswer = answer.number === sent.number;
    if (isAnswer) {
      game = answer;
      if (!game.answers.length) up = sideOf(game.pose.yaw);
      drawn = game.typed;
    }
    if (!isAnswer || game.refused) givenBack(sent);
    else sent = null;
    next();
    draw();
  };

  // ---- What is pressed and typed.
  const emptied = (move) => {
    waiting.push({ isMove: true, ...move });
    written("turn", "");  // which sends it
  };
  const PRESSED = {
    build: () => emptied({ turn: typed(), isTyped: true }),
    undo: () => written("turn", typed().trimEnd().split("\n").slice(0, -1).join("\n")),
    ask: () => {
      waiting.push({ isMove: true, turn: "<Builder> can you say that again?" });
      next();
    },
    let: () => emptied({ builder: field("builder").value }),
    back: () => emptied({ from: (now) => ({ ...now, answers: now.answers.slice(0, -1) }) }),
    new: () => {
      const simulator = field("simulator").value, number = field("seed").value;
      const seed = /^-?\d+$/.test(number) ? number : String(Math.round(Number(number)));
      emptied({ from: () => ({ simulator, seed, answers: [] }) });
    },
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button || !find("#game")?.contains(button)) return;
    if (button.closest("#map")) {
      written("turn", (typed() ? typed().replace(/\n*$/, "\n") : "") + button.dataset.action);
    } else PRESSED[button.id]?.();
  });
  for (const kind of ["input", "change"]) {
    document.addEventListener(kind, (event) => {
      if (event.target.closest("#color, #level")) draw();
      else if (event.target.closest("#turn")) (draw(), next());
    });
  }
  document.addEventListener("keydown", (event) => {
    const button = event.target.closest("#map button"), step = STEPS[event.key];
    if (!button || !step) return;
    event.preventDefault();
    const [away, right] = [+button.dataset.away + step[0], +button.dataset.right + step[1]];
    find(`#map button[data-away="${away}"][data-right="${right}"]`)?.focus();
  });
  document.addEventListener("focusin", (event) => {  // Tab leads to the map once: to the cell that was left last
    if (!event.target.closest("#map button")) return;
    find("#map button[tabindex='0']").tabIndex = -1;
    event.target.tabIndex = 0;
  });

  // Is called when the page has changed: the map may be new.
  const look = () => {
    if (!game && field("answer")?.value) {
      game = JSON.parse(field("answer").value);
      up = sideOf(game.pose.yaw);
    }
    if (game && find("#map") && !find("#map table")) draw();
  };
  return { look, answered };
})();
