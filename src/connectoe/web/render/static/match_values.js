// The value bar of a practice match, which can be switched on; the browser remembers that it is.

import { showWorth } from "./value_bar.js";

const SHOWN = "connectoe value bar";
const root = document.getElementById("match");
const known = new Map();
const isOn = () => localStorage.getItem(SHOWN) === "yes";
let asking = null;

async function show() {
  const switched = root.querySelector("#value-switch");
  const bar = root.querySelector("#value-bar");
  if (!switched || !bar) return; // two people play each other, or the match is over
  switched.hidden = false;
  switched.querySelector("input").checked = isOn();
  bar.hidden = !isOn();
  const key = `${root.dataset.version} ${root.dataset.ply}`;
  if (bar.hidden || asking === key) return;
  showWorth(bar, known.get(key));
  if (known.has(key)) return;
  asking = key;
  const answer = await fetch(`/matches/${root.dataset.id}/values/${root.dataset.ply}`).catch(() => null);
  const worth = answer?.ok ? (await answer.json()).worth : null;
  asking = null;
  if (worth) known.set(key, worth);
  if (`${root.dataset.version} ${root.dataset.ply}` !== key) show();
  else if (worth) showWorth(root.querySelector("#value-bar"), worth);
  else if (answer?.status === 429 || !answer) setTimeout(show, 4000);
}

root.addEventListener("change", ({ target }) => {
  if (!target.closest("#value-switch")) return;
  localStorage.setItem(SHOWN, target.checked ? "yes" : "no");
  show();
});

new MutationObserver(show).observe(root, { attributes: true, attributeFilter: ["data-ply", "data-version"] });
show();
