// The replay of a match: arrow keys step through it. The value of each position is asked for and drawn in a graph.

import { beginAtTheFloor, replaceBoard } from "./board.js";
import { drawGraph, plyAt } from "./graph.js";
import { makeLooks } from "./looks.js";

const root = document.getElementById("match");
const id = root.dataset.id;
const last = Number(root.dataset.last);
const moves = JSON.parse(root.dataset.moves);
const end = JSON.parse(root.dataset.end); // what the result is worth, if the match is over
const BLUNDER = 0.25;

// Stepping.

const here = () => Number(root.dataset.ply);
let wanted = here();
let isStepping = false;

function goOnFrom(ply) {
  // While pieces are moving, the link means the position they are moving to.
  const link = root.querySelector("#go-on");
  link.href = link.getAttribute("href").replace(/ply=\d+$/, `ply=${ply}`);
}

async function stepTo(ply) {
  wanted = Math.max(0, Math.min(last, ply));
  goOnFrom(wanted);
  if (isStepping) return;
  isStepping = true;
  while (here() !== wanted) {
    const address = `/matches/${id}/analysis?ply=${wanted}`;
    const answer = await fetch(`${address}&from=${root.dataset.ply}`).catch(() => null);
    if (!answer?.ok) {
      wanted = here();
      goOnFrom(wanted);
      break;
    }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("match");
    for (const name of ["graph-place", "verdict"]) {
      fresh.querySelector(`#${name}`).replaceWith(root.querySelector(`#${name}`).cloneNode(true));
    }
    fresh.querySelector("#keys").hidden = false;
    await replaceBoard(root, fresh);
    goOnFrom(wanted);
    history.replaceState(null, "", address);
    showMove();
    showValues();
  }
  isStepping = false;
}

// The list of moves scrolls along by itself; the page stays where it is.

function showMove() {
  const list = root.querySelector("#moves");
  const move = list.querySelector("[aria-current]")?.getBoundingClientRect();
  const frame = list.getBoundingClientRect();
  if (!move) list.scrollTop = 0;
  else if (move.top < frame.top || move.bottom > frame.bottom) {
    list.scrollTop += move.top + move.height / 2 - frame.top - frame.height / 2;
  }
}

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input, textarea, select")) return;
  const ply = { ArrowLeft: wanted - 1, ArrowRight: wanted + 1, Home: 0, End: last }[event.key];
  if (ply === undefined) return;
  event.preventDefault();
  stepTo(ply);
});

root.addEventListener("click", (event) => {
  const step = event.target.closest("[data-step]");
  const spot = event.target.closest(".graph");
  if (step && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    stepTo(Number(step.dataset.step));
  } else if (spot) {
    stepTo(plyAt(spot, event.clientX, last));
  }
});

// Values.

const { known, begin: askForValues } = makeLooks({
  plies: () => [...Array(last + (end ? 0 : 1)).keys()], // after the end there is no move
  here,
  keyOf: (ply) => ply,
  addressOf: (ply, seconds) => `/matches/${id}/values/${ply}?seconds=${seconds}`,
  ask: draw,
  hear: draw,
});

const worthAt = (ply) => (ply === last && end ? end : known.get(ply)?.worth);

// What a move was worth to the player who made it: what was proven before it, else the value of the position it led to,
// which was looked at more closely, else the estimate from before.

function playedAfter(ply) {
  const expected = known.get(ply)?.played;
  return !expected || expected.exact ? expected : known.get(ply + 1)?.led_here ?? expected;
}

const isBlunder = (ply) => {
  const played = playedAfter(ply);
  const best = known.get(ply)?.best;
  return Boolean(played) && best.move !== moves[ply] && best.share - played.share >= BLUNDER;
};

function draw() {
  const place = root.querySelector("#graph-place");
  const plies = [...Array(last + 1).keys()];
  const points = plies.map((ply) => ({ ply, ...worthAt(ply) })).filter(({ share }) => share !== undefined);
  const blunders = points.map(({ ply }) => ply).filter((ply) => isBlunder(ply - 1));
  drawGraph(place, points, { last, here: here(), moves, symbols: root.dataset.symbols.split(" "), blunders });
  for (const link of root.querySelectorAll("#moves a")) {
    link.classList.toggle("blunder", isBlunder(Number(link.dataset.step) - 1));
  }
  tell(here(), last + 1 - points.length);
}

function tell(ply, missing) {
  const verdict = root.querySelector("#verdict");
  const parts = [];
  const before = known.get(ply - 1);
  if (before) {
    const move = moves[ply - 1];
    const played = playedAfter(ply - 1);
    const { best } = before;
    if (played) parts.push(`${ply}. ${move}: ${played.words}${isBlunder(ply - 1) ? ", a blunder" : ""}`);
    if (played && best.move !== move && best.share > played.share) parts.push(`best was ${best.move}: ${best.words}`);
  } else if (known.has(ply)) {
    const { best } = known.get(ply);
    parts.push(`best here is ${best.move}: ${best.words}`);
  }
  const progress = missing ? ` (${missing} positions still to be looked at)` : "";
  const note = known.size ? "Looking…" : verdict.dataset.note;
  const text = (parts.join("; ") || note) + progress;
  if (verdict.textContent !== text) verdict.textContent = text;
}

function showValues() {
  if (!root.dataset.values) return; // two people play each other
  draw();
  askForValues();
}

root.querySelector("#keys").hidden = false;
showMove();
showValues();
beginAtTheFloor(root);
