// The value bar of a practice match, which can be switched on; the browser remembers that it is.

import { makeLooks } from "./looks.js";
import { showWorth } from "./value_bar.js";

const SHOWN = "connectoe value bar";

const root = document.getElementById("match");
const here = () => Number(root.dataset.ply);
const keyNow = () => `${root.dataset.version} ${root.dataset.ply}`;
const isOn = () => localStorage.getItem(SHOWN) === "yes";
let askedAbout = null;

const { known, begin, stop } = makeLooks({
  plies: () => [here()],
  here,
  keyOf: keyNow,
  addressOf: (ply, seconds) => `/matches/${root.dataset.id}/values/${ply}?seconds=${seconds}`,
  ask: paint,
  hear: paint,
});

function paint() {
  showWorth(root.querySelector("#value-bar"), known.get(keyNow())?.worth);
}

function show() {
  const switched = root.querySelector("#value-switch");
  const bar = root.querySelector("#value-bar");
  if (!switched || !bar) return; // two people play each other
  switched.hidden = false;
  switched.querySelector("input").checked = isOn();
  bar.hidden = !isOn();
  const isWanted = !bar.hidden && !("final" in bar.dataset); // at the end, the page says what it was worth
  if (isWanted) paint();
  if (isWanted && askedAbout !== keyNow()) begin();
  if (!isWanted) stop();
  askedAbout = isWanted ? keyNow() : null;
}

root.addEventListener("change", ({ target }) => {
  if (!target.closest("#value-switch")) return;
  localStorage.setItem(SHOWN, target.checked ? "yes" : "no");
  show();
});

root.addEventListener("shown", show); // a fresh page of the match has neither bar nor switch
show();
