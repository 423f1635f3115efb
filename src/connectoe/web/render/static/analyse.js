// The analysis board: moves are played and stepped through in place, and each change of the line becomes the page's
// address. Values are asked for again with more time while they are estimates, and kept for as long as the page is open.

import { ask, complain, sayRefusal } from "./asking.js";
import { beginAtTheFloor, patch, playWhereThePressBegan, previewMoves, replaceBoard, sayWhyNot, walkWithArrows } from "./board.js";
import { drawGraph, plyAt } from "./graph.js";
import { makeLooks } from "./looks.js";
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
  if (graph) stepTo(plyAt(graph, event.clientX, moves.length));
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

const { known, begin: askForValues, stop: stopAsking } = makeLooks({
  plies: () => [...Array(moves.length + 1).keys()],
  here,
  keyOf,
  addressOf(ply, seconds) {
    const fields = fieldsOf(root.dataset.link);
    for (const name of ["also", "ply"]) fields.delete(name);
    fields.set("moves", keyOf(ply));
    fields.set("seconds", seconds);
    return `/analyse/${game}/values?${fields}`;
  },
  ask(ply, problem) {
    draw();
    tell(ply, problem);
  },
  hear(ply) {
    if (ply === here()) paint(root);
  },
});

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

function draw() {
  const place = root.querySelector("#graph-place");
  if (!moves.length) return place.replaceChildren();
  const points = [...Array(moves.length + 1).keys()]
    .map((ply) => ({ ply, ...known.get(keyOf(ply))?.worth }))
    .filter((point) => point.share !== undefined);
  drawGraph(place, points, { last: moves.length, here: here(), moves, symbols: root.dataset.symbols.split(" ") });
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
beginAtTheFloor(root);
history.replaceState(null, "", root.dataset.link + location.hash);
askForValues();
