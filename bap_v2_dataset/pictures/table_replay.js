// Plays an episode: each frame is a picture of the table, with the turn that led to it.
const { episodes, pictures } = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);
const table = at("table"), slider = at("frame"), play = at("play"), list = at("events"), system = at("system");
let episode = null, entries = [], now = -1, timer = null;

function entry(frame, number) {
  const item = document.createElement("li"), button = document.createElement("button");
  button.textContent = number ? `${number}. ${frame.turn}` : frame.words;
  if (number && frame.words) {
    const words = document.createElement("small");
    words.textContent = frame.words;
    button.append(document.createElement("br"), words);
  }
  button.addEventListener("click", () => { stop(); show(number); });
  item.append(button);
  return item;
}

function choose(number) {
  stop();
  episode = episodes[number];
  list.replaceChildren(...episode.frames.map(entry));
  entries = [...list.querySelectorAll("button")];
  slider.max = episode.frames.length - 1;
  now = -1;
  show(episode.frames.length - 1);
}

function show(requested) {
  const last = episode.frames.length - 1, number = Math.min(Math.max(requested, 0), last);
  if (number === now) return;
  now = number;
  const frame = episode.frames[now];
  table.src = pictures[frame.picture];
  table.alt = `The crafting table: ${frame.slots}`;
  slider.value = now;
  at("count").textContent = `${now} of ${last}`;
  slider.setAttribute("aria-valuetext", `${now} of ${last}: ${frame.turn}`);
  at("verdict").textContent = now === last ? episode.verdict : "";
  entries.forEach((button, place) => {
    button.classList.toggle("later", place > now);
    if (place === now) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  });
  const button = entries[now];
  const below = button.offsetTop + button.offsetHeight - list.offsetTop - list.clientHeight;
  if (below > list.scrollTop || button.offsetTop - list.offsetTop < list.scrollTop) list.scrollTop = below + 40;
}

function stop() {
  clearTimeout(timer);
  timer = null;
  play.textContent = "▶ play";
  play.setAttribute("aria-label", "Play");
}

function step() {
  if (now >= episode.frames.length - 1) return stop();
  show(now + 1);
  timer = setTimeout(step, episode.frames[now].milliseconds);
}

function toggle() {
  if (timer !== null) return stop();
  if (now >= episode.frames.length - 1) show(0);
  play.textContent = "❚❚ pause";
  play.setAttribute("aria-label", "Pause");
  timer = setTimeout(step, episode.frames[now].milliseconds);
}

play.addEventListener("click", toggle);
at("previous").addEventListener("click", () => { stop(); show(now - 1); });
at("next").addEventListener("click", () => { stop(); show(now + 1); });
slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
system.addEventListener("change", () => choose(Number(system.value)));
document.addEventListener("keydown", (event) => {
  const own = event.target.closest("button, select, input");  // they have their own keys
  const moves = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: episode.frames.length - 1 };
  if (event.key === " " && !own) toggle();
  else if (event.key in moves && !(own && own.matches("select, input[type=range]"))) { stop(); show(moves[event.key]); }
  else return;
  event.preventDefault();
});
choose(0);
document.body.dataset.ready = "true";
