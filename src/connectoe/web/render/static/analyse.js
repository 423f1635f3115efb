// The analysis board: moves are played and stepped through in place, and each change of the line becomes the page's
// address. Values are asked for again with more time while they are estimates, and kept for as long as the page is open.

import { ask, complain, sayRefusal } from "./asking.js";
import { patch, playWhereThePressBegan, previewMoves, replaceBoard, sayWhyNot, walkWithArrows } from "./board.js";
import { showWorth } from "./value_bar.js";

const root = document.getElementById("match");
const game = root.dataset.game;
const pause = (time) => new Promise((wake) => setTimeout(wake, time));

let moves = JSON.parse(root.dataset.moves);
const here = () => Number(root.dataset.ply);
const keyOf = (ply) => moves.slice(0, ply).join(" ");
const fieldsOf = (link) => new URL(link, location.origin).searchParams;

// The line on the page is replaced by another one.

async function show({ fresh, words }, isNew) {
  complain(words || "");
  if (!fresh) return false;
  stopAsking();
  root.querySelector("#marks")?.replaceChildren(); // before pieces move
  fresh.querySelector("#graph-place").replaceChildren(...root.querySelector("#graph-place").cloneNode(true).childNodes);
  paint(fresh);
  await replaceBoard(root, fresh);
  moves = JSON.parse(root.dataset.moves);
  if (isNew) history.pushState(null, "", root.dataset.link);
  else history.replaceState(null, "", root.dataset.link);
  prepare();
  askForValues();
  return true;
}

let isBusy = false;
let afterwards = null; // the last link that was pressed while the board was busy

async function once(work) {
  if (isBusy) return;
  isBusy = true;
  root.classList.add("sending");
  await work();
  root.classList.remove("sending");
  isBusy = false;
  const next = afterwards;
  afterwards = null;
  await next?.();
}

function play(form, submitter) {
  const body = new URLSearchParams(new FormData(form));
  body.append(submitter.name, submitter.value);
  body.append("from", root.dataset.ply);
  return once(async () => show(await ask(form.getAttribute("action"), { method: "POST", body }), true));
}

function open(link, isNew) {
  if (isBusy) {
    afterwards = () => open(link, isNew);
    return null;
  }
  const from = `${link.includes("?") ? "&" : "?"}from=${root.dataset.ply}`;
  return once(async () => show(await ask(link + from), isNew));
}

root.addEventListener("submit", (event) => {
  if (!event.target.matches(".plays, #explorer form") || !event.submitter?.name) return;
  event.preventDefault();
  play(event.target, event.submitter);
});

// Stepping. Keys pressed while pieces move count: the page goes to the last place that was asked for.

let wanted = here();

async function stepTo(ply) {
  wanted = Math.max(0, Math.min(moves.length, ply));
  while (!isBusy && wanted !== here()) {
    const fields = fieldsOf(root.dataset.link);
    if (wanted === moves.length) fields.delete("ply");
    else fields.set("ply", wanted);
    const before = here();
    await open(`/analyse/${game}?${fields}`, false);
    if (here() === before) break; // no answer
  }
  wanted = isBusy ? wanted : here();
}

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target.matches("input, textarea, select")) return;
  const from = isBusy ? wanted : here();
  const ply = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: moves.length }[event.key];
  if (ply === undefined) return;
  event.preventDefault();
  stepTo(ply);
});

root.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  const step = event.target.closest("[data-step]");
  const line = event.target.closest("[data-line]");
  const graph = event.target.closest(".graph");
  const copy = event.target.closest("[data-copy]");
  if (step || line) event.preventDefault();
  if (step) stepTo(Number(step.dataset.step));
  if (line) open(line.getAttribute("href"), true);
  if (graph) stepTo(plyAt(graph, event.clientX));
  if (copy) copyFrom(copy);
});

addEventListener("popstate", () => {
  if (location.pathname === `/analyse/${game}`) open(location.pathname + location.search, false);
});

async function copyFrom(button) {
  const field = document.getElementById(button.dataset.copy);
  field.select();
  const isDone = await navigator.clipboard?.writeText(field.value).then(() => true, () => false);
  button.textContent = isDone || document.execCommand("copy") ? "Copied" : "Not copied";
  await pause(1200);
  button.textContent = "Copy";
}

// Values, by the moves that lead to a position.

const LOOKS = [0.3, 1.5, 3, 5]; // seconds
const MOST_WAITS = 60; // looks that do not count, because the engine is not ready
const WAIT = 2000; // milliseconds between them
const known = new Map();
let asking = null;
let waits = 0;

const looksAt = (ply) => (known.get(keyOf(ply))?.is_final ? LOOKS.length : known.get(keyOf(ply))?.looks ?? 0);

// The position on the board comes first, then the others of the line, which the graph needs; then all of them again.

function nextWanted() {
  if (looksAt(here()) < 2 && !known.get(keyOf(here()))?.isEarly) return here();
  const nearest = [...Array(moves.length + 1).keys()];
  nearest.sort((one, other) => Math.abs(one - here()) - Math.abs(other - here()));
  const first = nearest.find((ply) => looksAt(ply) === 0);
  return first ?? (looksAt(here()) < LOOKS.length ? here() : nearest.find((ply) => looksAt(ply) === 1) ?? null);
}

function stopAsking() {
  asking?.abort();
  asking = null;
}

async function askForValues() {
  stopAsking();
  const mine = new AbortController();
  asking = mine;
  await pause(100); // for those who step quickly
  while (mine === asking) {
    const ply = nextWanted();
    draw();
    tell(ply);
    if (ply === null) return;
    const key = keyOf(ply);
    const looks = looksAt(ply);
    const fields = fieldsOf(root.dataset.link);
    for (const name of ["also", "ply"]) fields.delete(name);
    fields.set("moves", key);
    fields.set("seconds", LOOKS[looks]);
    const answer = await fetch(`/analyse/${game}/values?${fields}`, { signal: mine.signal }).catch(() => null);
    const found = answer?.ok ? await answer.json().catch(() => null) : null;
    if (mine !== asking) return;
    if (found) {
      const isEarly = !found.is_final && !found.is_by_engine && ply === here() && looks === 1 && waits++ < MOST_WAITS;
      known.set(key, { ...found, isEarly, looks: isEarly ? 1 : looks + 1 });
      if (ply === here()) paint(root);
      if (isEarly && nextWanted() === ply) await pause(WAIT);
    } else if (answer && answer.status !== 429 && answer.status < 502) {
      tell(null, "There are no values here.");
      return;
    } else {
      await pause(3000); // too many requests, or no server
    }
  }
}

function tell(asked, words) {
  const verdict = root.querySelector("#verdict");
  const found = known.get(root.dataset.version);
  const isLooking = asked === here();
  const isWaiting = !found || found.isEarly; // for the engine
  const said = words ?? (isWaiting ? verdict.dataset.note : found.is_final ? "" : isLooking ? "Looking deeper…" : "");
  if (verdict.textContent !== said) verdict.textContent = said;
}

// Painting what is known about the position on the page, or on the page that is about to be shown.

function paint(page) {
  const found = known.get(page.dataset.version);
  if (!found) return;
  const holder = document.createElement("div");
  holder.innerHTML = found.marks;
  page.querySelector("#marks").replaceWith(holder.firstElementChild);
  const place = page.querySelector("#explorer-place");
  const fresh = place.cloneNode(false);
  fresh.innerHTML = found.explorer;
  const line = fresh.querySelector("[name=line]");
  if (line) line.setAttribute("value", fieldsOf(page.dataset.link).toString());
  patch(place, fresh);
  showWorth(page.querySelector("#value-bar"), found.worth);
  for (const button of page.querySelectorAll("#board .targets button")) {
    if (found.words[button.value]) button.setAttribute("aria-description", found.words[button.value]);
  }
  for (const tool of page.querySelectorAll(".tool")) {
    tool.classList.toggle("best", tool.querySelector("input")?.value === found.best_tool);
  }
}

// The graph: above the middle the first player is better, below it the second. Filled squares are exact, and say who
// wins and in how many moves; open circles are estimates.

const HIGH = 132;
const MARGIN = { side: 32, top: 20, bottom: 20 };

function scaleOf(width) {
  const step = (width - 2 * MARGIN.side) / Math.max(1, moves.length);
  return {
    x: (ply) => MARGIN.side + step * ply,
    y: (share) => MARGIN.top + (HIGH - MARGIN.top - MARGIN.bottom) * (1 - share),
    ply: (x) => Math.round((x - MARGIN.side) / step),
  };
}

const plyAt = (graph, x) => scaleOf(graph.clientWidth).ply(x - graph.getBoundingClientRect().left);

function draw() {
  const place = root.querySelector("#graph-place");
  if (!moves.length) return place.replaceChildren();
  const width = Math.max(160, place.clientWidth);
  const scale = scaleOf(width);
  const points = [...Array(moves.length + 1).keys()]
    .map((ply) => ({ ply, ...known.get(keyOf(ply))?.worth }))
    .filter((point) => point.share !== undefined);
  const at = ({ ply, share }) => `${scale.x(ply).toFixed(1)} ${scale.y(share).toFixed(1)}`;
  let free = -Infinity; // where the next label may begin
  const marks = points.map((point) => {
    const [x, y] = [scale.x(point.ply), scale.y(point.share)];
    if (!point.exact) return `<circle class="estimate" cx="${x}" cy="${y}" r="3"/>`;
    const reach = 3.8 * point.label.length + 2;
    const hasLabel = x - reach >= free || point.ply === here();
    if (hasLabel) free = x + reach;
    const label = hasLabel ? `<text x="${x}" y="${point.share < 0.25 ? y + 15 : y - 8}">${point.label}</text>` : "";
    return `<rect class="exact" x="${x - 3}" y="${y - 3}" width="6" height="6"/>${label}`;
  });
  const [first, second] = root.dataset.symbols.split(" ");
  const said = points.map(({ ply, words }) => `${ply ? `${ply}. ${moves[ply - 1]}` : "start"} ${words}`).join("; ");
  const middle = scale.y(0.5);
  place.innerHTML =
    `<svg class="graph history" viewBox="0 0 ${width} ${HIGH}" height="${HIGH}" role="img">` +
    `<text class="side-name" x="5" y="13">${first}</text><text class="side-name" x="5" y="${HIGH - 6}">${second}</text>` +
    `<line class="middle" x1="0" x2="${width}" y1="${middle}" y2="${middle}"/>` +
    `<line class="here" x1="${scale.x(here())}" x2="${scale.x(here())}" y1="0" y2="${HIGH}"/>` +
    `<path class="value" d="${points.map((point, number) => `${number ? "L" : "M"}${at(point)}`).join("")}"/>${marks.join("")}</svg>`;
  place.firstElementChild.setAttribute("aria-label", `What each position is worth: ${said || "not known yet"}`);
}

addEventListener("resize", draw);

// While a position or moves are typed, the page says what they would be.

let typed = 0;

root.addEventListener("input", async ({ target }) => {
  if (target.id !== "text") return;
  const mine = ++typed;
  await pause(250);
  if (mine !== typed) return;
  const body = new URLSearchParams(new FormData(target.form));
  const answer = await fetch(`/analyse/${game}/look`, { method: "POST", body }).catch(() => null);
  if (mine === typed && answer?.ok) root.querySelector("#recognised").innerHTML = await answer.text();
});

function prepare() {
  for (const hidden of root.querySelectorAll("[data-copy], .keys")) hidden.hidden = false;
  const set = root.querySelector("#text");
  if (!root.querySelector("#set-up").open) set.value = set.defaultValue;
  root.classList.toggle("sending", isBusy);
  const current = root.querySelector("#moves [aria-current]");
  if (current) current.parentNode.parentNode.scrollTop = current.offsetTop - 60;
}

function previewOf(move) {
  const fields = fieldsOf(root.dataset.link);
  fields.set("move", move);
  return `/analyse/${game}/preview?${fields}`;
}

playWhereThePressBegan(root);
sayWhyNot(root, sayRefusal);
walkWithArrows(root);
previewMoves(root, previewOf);
prepare();
history.replaceState(null, "", root.dataset.link + location.hash);
askForValues();
