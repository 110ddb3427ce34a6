// Plays a game: a frame is the ground and the pieces (cubes, the Builder) that it lists, merged into few traces.
const { base, layout, labels, pieces, frames, target } = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);
const board = at("board"), slider = at("frame"), play = at("play");
const entries = [...at("events").querySelectorAll("button")];
const LISTS = ["x", "y", "z", "i", "j", "k", "facecolor", "hovertext", "text"];
const options = { displaylogo: false, responsive: true, displayModeBar: "hover" };
let now = -1, timer = null, edges = labels;  // edges: the coordinates for the side from which the board is seen

function merged(numbers) {
  const groups = new Map();
  for (const trace of numbers.flatMap((number) => pieces[number])) {
    const key = JSON.stringify([trace.type, trace.mode, trace.line, trace.color, trace.marker, trace.opacity]);
    if (!groups.has(key)) {
      groups.set(key, { ...trace, ...Object.fromEntries(LISTS.filter((name) => trace[name]).map((name) => [name, []])) });
    }
    const group = groups.get(key), first = group.x.length;
    for (const name of LISTS.filter((other) => trace[other])) {
      for (const value of trace[name]) group[name].push("ijk".includes(name) ? value + first : value);
    }
  }
  return [...groups.values()];
}

// The eye of the target's camera, as far from its middle as it was, in the direction of another camera.
function directed(view, own) {
  const steps = ["x", "y", "z"].map((axis) => [axis, view.eye[axis] - view.center[axis]]);
  const length = (values) => Math.hypot(...values);
  const far = length(["x", "y", "z"].map((axis) => own.eye[axis] - own.center[axis])) / length(steps.map(([, step]) => step));
  return Object.fromEntries(steps.map(([axis, step]) => [axis, own.center[axis] + far * step]));
}

function show(requested) {
  const number = Math.min(Math.max(requested, 0), frames.length - 1);
  if (number === now) return;
  const { pieces: numbers, camera, words } = frames[number], follow = at("follow").checked;
  const view = follow ? camera : now >= 0 ? board.layout.scene.camera : layout.scene.camera;
  if (follow) edges = frames[number].labels;
  now = number;
  const shown = [...base, ...pieces[edges], ...merged(numbers)];
  const meta = follow ? { ...layout.meta } : layout.meta;  // a new object is fitted again
  Plotly.react(board, shown, { ...layout, meta, scene: { ...layout.scene, camera: view } }, options);
  if (target && follow) Plotly.relayout("target", { "scene.camera.eye": directed(view, target.layout.scene.camera) });
  slider.value = now;
  at("count").textContent = `${now} of ${frames.length - 1}`;
  slider.setAttribute("aria-valuetext", `${now} of ${frames.length - 1}: ${entries[now].textContent}`);
  board.setAttribute("aria-label", `The board: ${words}`);
  entries.forEach((entry, place) => {
    entry.classList.toggle("later", place > now);
    if (place === now) entry.setAttribute("aria-current", "step");
    else entry.removeAttribute("aria-current");
  });
  const list = at("events"), entry = entries[now];
  const below = entry.offsetTop + entry.offsetHeight - list.offsetTop - list.clientHeight;
  if (below > list.scrollTop || entry.offsetTop - list.offsetTop < list.scrollTop) list.scrollTop = below + 40;
}

function stop() {
  clearTimeout(timer);
  timer = null;
  play.textContent = "▶ play";
  play.setAttribute("aria-label", "Play");
}

function step() {
  if (now >= frames.length - 1) return stop();
  show(now + 1);
  timer = setTimeout(step, frames[now].milliseconds / Number(at("speed").value));
}

function toggle() {
  if (timer !== null) return stop();
  if (now >= frames.length - 1) show(0);
  play.textContent = "❚❚ pause";
  play.setAttribute("aria-label", "Pause");
  timer = setTimeout(step, 0);
}

play.addEventListener("click", toggle);
at("previous").addEventListener("click", () => { stop(); show(now - 1); });
at("next").addEventListener("click", () => { stop(); show(now + 1); });
slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
entries.forEach((entry, place) => entry.addEventListener("click", () => { stop(); show(place); }));
document.addEventListener("keydown", (event) => {
  const own = event.target.closest("button, select, input");  // they have their own keys
  const moves = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: frames.length - 1 };
  if (event.key === " " && !own) toggle();
  else if (event.key in moves && !(own && own.matches("select, input[type=range]"))) { stop(); show(moves[event.key]); }
  else return;
  event.preventDefault();
});
show(frames.length - 1);
if (target) Plotly.newPlot("target", target.data, target.layout, { ...options, displayModeBar: false });
document.body.dataset.ready = "true";
