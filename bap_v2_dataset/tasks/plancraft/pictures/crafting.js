// Plays episodes: draws the table with what is in its slots after each turn. With several tasks, a list of them.
const data = JSON.parse(document.getElementById("data").textContent);
const { tasks, systems, slots, places, iconSize } = data;
const at = (id) => document.getElementById(id);
const table = at("table"), slider = at("frame"), play = at("play"), list = at("events"), system = at("system");
const listed = at("tasks"), MARKS = ["#e8710a", "#1a73e8"];
let task = null, states = [], entries = [], now = -1, timer = null, found = [];

const pictures = {};
function loaded(name, address) {
  return new Promise((resolve) => {
    const image = new Image();
    image.onload = () => { pictures[name] = image; resolve(); };
    image.src = address;
  });
}

function draw(state, marked) {
  const pen = table.getContext("2d");
  pen.drawImage(pictures[""], 0, 0);
  for (const [slot, [item, quantity]] of Object.entries(state)) {
    const [x, y] = places[slot];
    pen.drawImage(pictures[item], x, y, iconSize, iconSize);
    if (quantity > 1) {
      pen.font = `bold ${iconSize * 0.5}px ui-monospace, "DejaVu Sans Mono", monospace`;
      pen.textAlign = "right";
      pen.textBaseline = "bottom";
      pen.lineWidth = 6;
      pen.strokeStyle = "#2b2b2b";
      pen.strokeText(quantity, x + iconSize, y + iconSize + 4);
      pen.fillStyle = "#fff";
      pen.fillText(quantity, x + iconSize, y + iconSize + 4);
    }
  }
  marked.forEach((slot, number) => {
    pen.lineWidth = 5;
    pen.strokeStyle = MARKS[number];
    pen.strokeRect(places[slot][0] - 3, places[slot][1] - 3, iconSize + 6, iconSize + 6);
  });
  const words = Object.entries(state).map(([slot, [item, quantity]]) => `${slots[slot]} ${quantity > 1 ? `${quantity} ` : ""}${item}`);
  table.setAttribute("aria-label", `The crafting table: ${words.join(", ") || "nothing"}`);
}

function entry(turn, number) {
  const item = document.createElement("li"), button = document.createElement("button");
  button.textContent = number ? `${number}. ${turn.turn}` : `craft ${task.target}`;
  if (number && turn.words) {
    const words = document.createElement("small");
    words.textContent = turn.words;
    button.append(document.createElement("br"), words);
  }
  button.addEventListener("click", () => { stop(); show(number); });
  item.append(button);
  return item;
}

function choose() {
  stop();
  const episode = task.episodes[system.selectedIndex];
  states = [task.start];
  for (const { changes } of episode.turns) {
    const state = { ...states[states.length - 1], ...changes };
    states.push(Object.fromEntries(Object.entries(state).filter(([, held]) => held)));
  }
  list.replaceChildren(...[{}, ...episode.turns].map(entry));
  entries = [...list.querySelectorAll("button")];
  slider.max = episode.turns.length;
  now = -1;
  show(episode.turns.length);
}

function show(requested) {
  const { turns, verdict } = task.episodes[system.selectedIndex];
  const number = Math.min(Math.max(requested, 0), turns.length);
  if (number === now) return;
  now = number;
  draw(states[now], now ? turns[now - 1].marked : []);
  slider.value = now;
  at("count").textContent = `${now} of ${turns.length}`;
  slider.setAttribute("aria-valuetext", `${now} of ${turns.length}: ${now ? turns[now - 1].turn : "at the beginning"}`);
  at("verdict").textContent = now === turns.length ? verdict : "";
  entries.forEach((button, place) => {
    button.classList.toggle("later", place > now);
    if (place === now) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  });
  seen(list, entries[now]);
}

function seen(inside, button) {
  const below = button.offsetTop + button.offsetHeight - inside.offsetTop - inside.clientHeight;
  if (below > inside.scrollTop || button.offsetTop - inside.offsetTop < inside.scrollTop) inside.scrollTop = below + 40;
}

function stop() {
  clearTimeout(timer);
  timer = null;
  play.textContent = "▶ play";
  play.setAttribute("aria-label", "Play");
}

const wait = () => { timer = setTimeout(step, now ? task.episodes[system.selectedIndex].turns[now - 1].milliseconds : 1200); };

function step() {
  if (now >= states.length - 1) return stop();
  show(now + 1);
  wait();
}

function toggle() {
  if (timer !== null) return stop();
  if (now >= states.length - 1) show(0);
  play.textContent = "❚❚ pause";
  play.setAttribute("aria-label", "Pause");
  wait();
}

function open(number) {
  task = tasks[number];
  at("where").textContent = `${listed ? `${task.id} · ` : ""}${task.title} · ${data.where}`;
  if (listed) {
    listed.querySelectorAll("button").forEach((button) => {
      if (Number(button.dataset.number) === number) { button.setAttribute("aria-current", "true"); seen(listed, button); }
      else button.removeAttribute("aria-current");
    });
    history.replaceState(null, "", `#${task.id}`);
  }
  choose();
}

function line(number) {
  const item = document.createElement("li"), button = document.createElement("button");
  button.dataset.number = number;
  const marks = tasks[number].episodes.map((episode) => (episode.success ? "✓" : "✗")).join("");
  button.textContent = `${marks} ${tasks[number].id} ${tasks[number].target}`;
  button.addEventListener("click", () => open(number));
  item.append(button);
  return item;
}

function filter() {
  const wanted = at("search").value.trim().toLowerCase(), difficulty = at("difficulty").value, outcome = at("outcome").value;
  found = tasks.map((_, number) => number).filter((number) => {
    const { id, target, difficulty: own, episodes } = tasks[number];
    const success = episodes[system.selectedIndex].success;
    if (wanted && !`${id} ${target}`.toLowerCase().includes(wanted)) return false;
    if (difficulty && own !== difficulty) return false;
    if (outcome === "differ") return new Set(episodes.map((episode) => episode.success)).size > 1;
    return !outcome || success === (outcome === "right");
  });
  listed.replaceChildren(...found.map(line));
  const counts = systems.map((name, place) => `${name} ${found.filter((number) => tasks[number].episodes[place].success).length}`);
  at("found").textContent = `${found.length} of ${tasks.length} tasks; success: ${counts.join(", ")}`;
  if (found.length && !found.includes(tasks.indexOf(task))) open(found[0]);
  else if (task) open(tasks.indexOf(task));
}

play.addEventListener("click", toggle);
at("previous").addEventListener("click", () => { stop(); show(now - 1); });
at("next").addEventListener("click", () => { stop(); show(now + 1); });
slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
system.append(...systems.map((name) => new Option(name)));
system.addEventListener("change", () => (listed ? filter() : choose()));
document.addEventListener("keydown", (event) => {
  const own = event.target.closest("button, select, input");  // they have their own keys
  const moves = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: states.length - 1 };
  const other = found[found.indexOf(tasks.indexOf(task)) + { ArrowUp: -1, ArrowDown: 1 }[event.key]];
  if (event.key === " " && !own) toggle();
  else if (event.key in moves && !(own && own.matches("select, input"))) { stop(); show(moves[event.key]); }
  else if (other !== undefined && !(own && own.matches("select, input"))) open(other);
  else return;
  event.preventDefault();
});

Promise.all([loaded("", data.table), ...Object.entries(data.icons).map(([name, address]) => loaded(name, address))]).then(() => {
  table.width = pictures[""].width;
  table.height = pictures[""].height;
  if (listed) {
    for (const name of ["search", "difficulty", "outcome"]) at(name).addEventListener("input", filter);
    const asked = tasks.findIndex(({ id }) => id === location.hash.slice(1));
    task = tasks[Math.max(asked, 0)];
    filter();
  } else open(0);
  document.body.dataset.ready = "true";
});
