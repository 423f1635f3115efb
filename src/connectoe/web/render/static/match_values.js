// The value bar of a practice match, which can be switched on; the browser remembers that it is. An estimate is asked
// for again, since engines know more once they are ready.

import { showWorth } from "./value_bar.js";

const SHOWN = "connectoe value bar";
const MOST_LOOKS = 4;
const AGAIN = 3000; // milliseconds

const root = document.getElementById("match");
const known = new Map();
const looks = new Map();
const isOn = () => localStorage.getItem(SHOWN) === "yes";
const keyNow = () => `${root.dataset.version} ${root.dataset.ply}`;
let asking = null;

async function show() {
  const switched = root.querySelector("#value-switch");
  const bar = root.querySelector("#value-bar");
  if (!switched || !bar) return; // two people play each other
  switched.hidden = false;
  switched.querySelector("input").checked = isOn();
  bar.hidden = !isOn();
  if (bar.hidden || "final" in bar.dataset) return; // at the end, the page says what it was worth
  const key = keyNow();
  showWorth(bar, known.get(key));
  if (asking || known.get(key)?.exact || (looks.get(key) ?? 0) >= MOST_LOOKS) return;
  asking = key;
  looks.set(key, (looks.get(key) ?? 0) + 1);
  const answer = await fetch(`/matches/${root.dataset.id}/values/${root.dataset.ply}`).catch(() => null);
  const worth = answer?.ok ? (await answer.json()).worth : null;
  asking = null;
  if (worth) known.set(key, worth);
  if (keyNow() !== key) {
    show();
  } else {
    if (worth) showWorth(root.querySelector("#value-bar"), worth);
    if (!worth?.exact) setTimeout(show, AGAIN);
  }
}

root.addEventListener("change", ({ target }) => {
  if (!target.closest("#value-switch")) return;
  localStorage.setItem(SHOWN, target.checked ? "yes" : "no");
  show();
});

new MutationObserver(show).observe(root, { attributes: true, attributeFilter: ["data-ply", "data-version"] });
show();
