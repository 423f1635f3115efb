// The boards of the gallery play by themselves, one move now and then, while they are on the screen.

import { showSteps } from "./motion.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const PAUSE = 1500;
const pause = (time) => new Promise((wake) => setTimeout(wake, time));

function unmark(svg) {
  for (const mark of svg.querySelectorAll(".over .s-corner, .ground .f-last, .ground .s-forced")) mark.remove();
}

async function live(box, isSeen) {
  const start = box.innerHTML;
  const answer = await fetch(box.dataset.demo);
  if (!answer.ok) return;
  const moves = await answer.json();
  for (;;) {
    for (const { steps, ground } of moves) {
      await pause(PAUSE * (0.7 + 0.6 * Math.random()));
      while (!isSeen(box) || document.hidden) await pause(PAUSE);
      if (calm.matches) return;
      const svg = box.querySelector("svg");
      unmark(svg);
      await showSteps(svg, steps);
      if (ground) {
        svg.querySelector(".ground").innerHTML = ground;
        unmark(svg);
      }
    }
    await pause(3 * PAUSE);
    box.innerHTML = start;
  }
}

const seen = new Set();
const begun = new Set();
const watcher = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) {
      seen.delete(target);
      continue;
    }
    seen.add(target);
    if (calm.matches || begun.has(target)) continue;
    begun.add(target);
    live(target, (box) => seen.has(box)).catch(() => {});
  }
});
for (const box of document.querySelectorAll("[data-demo]")) watcher.observe(box);
