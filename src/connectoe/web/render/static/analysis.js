// The analysis page: arrow keys step through the match. The value of each position is requested, one after the other,
// and drawn as a graph: above the middle the first player is better, below it the second.

import { replaceBoard } from "./board.js";

const root = document.getElementById("match");
const id = root.dataset.id;
const last = Number(root.dataset.last);
const moves = JSON.parse(root.dataset.moves);
const BLUNDER = 0.25;

// Stepping.

let wanted = Number(root.dataset.ply);
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
  while (Number(root.dataset.ply) !== wanted) {
    const address = `/matches/${id}/analysis?ply=${wanted}`;
    const answer = await fetch(`${address}&from=${root.dataset.ply}`).catch(() => null);
    if (!answer?.ok) {
      wanted = Number(root.dataset.ply);
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
    draw();
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
    const box = spot.getBoundingClientRect();
    stepTo(Math.round(((event.clientX - box.left) / box.width) * last));
  }
});

// Values: for the first player, 1 is a win, 0 a loss.

const found = new Array(last);
const values = new Array(last + 1);
if (root.dataset.end !== "") values[last] = Number(root.dataset.end);

// What a move was worth to the player who made it: what was proven before it, else the value of the position it led to,
// which was looked at more closely, else the estimate from before.

function playedAfter(ply) {
  const expected = found[ply]?.played;
  return !expected || expected.exact ? expected : found[ply + 1]?.led_here ?? expected;
}

const isBlunder = (ply) => {
  const played = playedAfter(ply);
  const best = found[ply]?.best;
  return Boolean(played) && best.move !== moves[ply] && best.share - played.share >= BLUNDER;
};

async function ask() {
  // The position shown and the one before it come first, then the others in order; when the match is over, there is no
  // move in the last position.
  const plies = [...Array(last + (values[last] === undefined ? 1 : 0)).keys()];
  for (;;) {
    const here = Number(root.dataset.ply);
    const ply = [here, here - 1, ...plies].find((one) => plies.includes(one) && !found[one]);
    if (ply === undefined) return;
    const answer = await fetch(`/matches/${id}/values/${ply}`).catch(() => null);
    if (answer?.ok) {
      found[ply] = await answer.json();
      values[ply] = found[ply].share;
      draw();
    } else if (answer && answer.status !== 429 && answer.status < 502) {
      return;
    } else {
      await new Promise((wake) => setTimeout(wake, 4000)); // too many requests, or no server
    }
  }
}

function draw() {
  const place = root.querySelector("#graph-place");
  if (!root.dataset.values || !place) return;
  const here = Number(root.dataset.ply);
  const width = Math.max(1, last);
  const at = (ply) => `${((100 * ply) / width).toFixed(2)} ${(4 + 92 * (1 - values[ply])).toFixed(2)}`;
  const known = [...values.keys()].filter((ply) => values[ply] !== undefined);
  const line = known.map((ply, number) => `${number ? "L" : "M"}${at(ply)}`).join("");
  const blunders = known.filter((ply) => isBlunder(ply));
  const area = known.length > 1
    ? `<path class="area" d="${line}L${(100 * known.at(-1)) / width} 50L${(100 * known[0]) / width} 50Z"/>`
    : "";
  const marks = blunders
    .map((ply) => `<ellipse class="blunder-mark" cx="${(100 * (ply + 1)) / width}" cy="${values[ply + 1] === undefined ? 50 : 4 + 92 * (1 - values[ply + 1])}" rx="1.2" ry="2.6"/>`)
    .join("");
  place.innerHTML =
    `<svg class="graph" viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label="What each position was worth">` +
    `<line class="middle" x1="0" x2="100" y1="50" y2="50" vector-effect="non-scaling-stroke"/>${area}<path class="value" d="${line}"/>${marks}` +
    `<line class="here" x1="${(100 * here) / width}" x2="${(100 * here) / width}" y1="0" y2="100"/></svg>`;
  for (const link of root.querySelectorAll("#moves a")) {
    link.classList.toggle("blunder", isBlunder(Number(link.dataset.step) - 1));
  }
  tell(here);
}

function tell(ply) {
  const verdict = root.querySelector("#verdict");
  const parts = [];
  const before = found[ply - 1];
  if (before) {
    const move = moves[ply - 1];
    const played = playedAfter(ply - 1);
    const { best } = before;
    if (played) parts.push(`${ply}. ${move}: ${played.words}${isBlunder(ply - 1) ? ", a blunder" : ""}`);
    if (played && best.move !== move && best.share > played.share) parts.push(`best was ${best.move}: ${best.words}`);
  } else if (found[ply]) {
    const { best } = found[ply];
    parts.push(`best here is ${best.move}: ${best.words}`);
  }
  const missing = values.length - [...values.keys()].filter((index) => values[index] !== undefined).length;
  const progress = missing ? ` (${missing} positions still to be looked at)` : "";
  const note = found.some(Boolean) ? "Looking…" : verdict.dataset.note;
  const text = (parts.join("; ") || note) + progress;
  if (verdict.textContent !== text) verdict.textContent = text;
}

root.querySelector("#keys").hidden = false;
showMove();
if (root.dataset.values) {
  draw();
  ask();
}
