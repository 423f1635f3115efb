// How pieces move on a board, with sounds. A step says which pieces are put on the board, go elsewhere or are
// gone, and which sliders slide.

import { play } from "./sound.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");

const FALL = "cubic-bezier(.5, 0, .9, .5)";
const SLIDE = "cubic-bezier(.4, 0, .2, 1)";
const STAGE = 560;

export const findPiece = (svg, id) => svg.querySelector(`.pieces > [data-piece="${CSS.escape(id)}"]`);

function placeOf(piece) {
  const numbers = (piece.getAttribute("transform").match(/-?[\d.]+/g) || []).map(Number);
  return { x: numbers[0] || 0, y: numbers[1] || 0, size: numbers[2] ?? 1 };
}

const asStyle = ({ x, y, size }) => `translate(${x}px, ${y}px) scale(${size})`;
export const asAttribute = ({ x, y, size }) => `translate(${x} ${y})` + (size === 1 ? "" : ` scale(${size})`);

export function pieceFrom(markup) {
  const holder = document.createElementNS("http://www.w3.org/2000/svg", "g");
  holder.innerHTML = markup;
  return holder.firstElementChild;
}

function fallTime(distance) {
  return Math.min(STAGE, 140 + 170 * Math.sqrt(Math.abs(distance)));
}

function goTo(piece, to) {
  const from = placeOf(piece);
  piece.setAttribute("transform", asAttribute(to));
  if (to.y > from.y && Math.abs(to.x - from.x) < 0.01) return fall(piece, from, to);
  return piece.animate([{ transform: asStyle(from) }, { transform: asStyle(to) }], {
    duration: Math.min(STAGE, 200 + 60 * Math.hypot(to.x - from.x, to.y - from.y)),
    easing: SLIDE,
  });
}

const LANDING = 0.68; // the share of a fall after which a piece bounces

function fall(piece, from, to) {
  const distance = to.y - from.y;
  const bounce = { ...to, y: to.y - Math.min(0.28, 0.06 * distance) };
  const frames = [
    { transform: asStyle(from), easing: FALL },
    { transform: asStyle(to), offset: LANDING, easing: "ease-out" },
    { transform: asStyle(bounce), offset: (1 + LANDING) / 2, easing: "ease-in" },
    { transform: asStyle(to) },
  ];
  return piece.animate(frames, { duration: fallTime(distance) / LANDING });
}

// A disc falls behind the board: it is seen only through its holes, and above it.

let grilles = 0;

function fallBehind(svg, piece, from, to) {
  const holes = [...svg.querySelectorAll(".ground circle.f-hole")];
  const falling = fall(piece, from, to);
  if (!holes.length) return falling;
  const box = svg.viewBox.baseVal;
  const top = Math.min(...holes.map((hole) => hole.cy.baseVal.value)) - 0.5;
  const holder = document.createElementNS("http://www.w3.org/2000/svg", "g");
  const name = `grille-${grilles++}`;
  holder.innerHTML = `<clipPath id="${name}"><rect x="${box.x}" y="${box.y - 1}" width="${box.width}" height="${top - box.y + 1}"/></clipPath><g clip-path="url(#${name})"></g>`;
  holder.firstElementChild.append(...holes.map((hole) => hole.cloneNode()));
  piece.replaceWith(holder);
  holder.lastElementChild.append(piece);
  const freed = () => holder.isConnected && holder.replaceWith(piece);
  falling.finished.then(freed, freed);
  return falling;
}

// A bomb: sparks fly from the places that it clears.

const SPARKS = 9;

function burst(svg, { x, y }) {
  const sparks = document.createElementNS("http://www.w3.org/2000/svg", "g");
  sparks.innerHTML = '<circle class="f-gold" r="0.5"/>' + '<circle class="f-red" r="0.09"/>'.repeat(SPARKS);
  svg.append(sparks);
  const flights = [...sparks.children].map((spark, number) => {
    const turn = (2 * Math.PI * number) / SPARKS + Math.random();
    const away = number ? 0.9 + 0.7 * Math.random() : 0;
    const end = { x: x + away * Math.cos(turn), y: y + away * Math.sin(turn), size: number ? 0.3 : 1.5 };
    return spark.animate(
      [{ transform: asStyle({ x, y, size: number ? 1.4 : 0.3 }), opacity: 1 }, { transform: asStyle(end), opacity: 0 }],
      { duration: 420 + 160 * Math.random(), easing: "cubic-bezier(.1, .7, .3, 1)", fill: "forwards" },
    );
  });
  const done = Promise.allSettled(flights.map((flight) => flight.finished));
  done.then(() => sparks.remove());
  return flights;
}

function shake(svg) {
  const there = (x, y) => ({ transform: `translate(${x}px, ${y}px)` });
  return svg.animate([there(0, 0), there(-5, 3), there(5, -3), there(-3, -2), there(2, 1), there(0, 0)], { duration: 380 });
}

// The sounds of a step; only on the board that is played on.

function hear(svg, step, delay = 0) {
  if (!svg.closest("#board")) return;
  const put = Object.values(step.put);
  const isFalling = put.some((markup) => markup.includes('data-kind="disc"'));
  if (step.gone.some((id) => findPiece(svg, id)?.dataset.kind === "bomb")) play("blast", delay);
  else if (Object.keys(step.slide || {}).length) play("slide", delay);
  else if (isFalling) play("drop", delay + (calm.matches ? 0 : 330));
  else if (put.length || Object.keys(step.go).length) play("put", delay);
}

function enter(svg, piece) {
  const to = placeOf(piece);
  svg.querySelector(".pieces").append(piece);
  if (piece.dataset.kind === "disc" && to.size === 1) {
    return fallBehind(svg, piece, { ...to, y: svg.viewBox.baseVal.y - 0.3 }, to);
  }
  return piece.animate(
    [
      { transform: asStyle({ ...to, size: to.size * 0.4 }), opacity: 0 },
      { transform: asStyle({ ...to, size: to.size * 1.08 }), opacity: 1, offset: 0.7 },
      { transform: asStyle(to) },
    ],
    { duration: 240, easing: "ease-out" },
  );
}

function cellsOn(panel) {
  const { x, y, width, height } = panel.getBBox();
  return [...panel.parentNode.querySelectorAll("rect.s-line")].filter((cell) => {
    const at = cell.getBBox();
    const [middle, level] = [at.x + at.width / 2, at.y + at.height / 2];
    return middle > x && middle < x + width && level > y && level < y + height;
  });
}

function takeStep(svg, step) {
  const running = [];
  const isBlast = step.gone.some((id) => findPiece(svg, id)?.dataset.kind === "bomb");
  hear(svg, step);
  if (isBlast) running.push(shake(svg));
  for (const [id, markup] of Object.entries(step.put)) {
    const fresh = pieceFrom(markup);
    const old = findPiece(svg, id);
    if (!old) {
      running.push(enter(svg, fresh));
      continue;
    }
    old.replaceChildren(...fresh.childNodes);
    old.dataset.kind = fresh.dataset.kind;
    if (!(id in step.go)) running.push(old.animate([{ opacity: 0.2 }, { opacity: 1 }], { duration: 260 }));
  }
  for (const [id, [x, y, size]] of Object.entries(step.go)) {
    const piece = findPiece(svg, id);
    if (!piece) continue;
    piece.parentNode.append(piece); // moving pieces are drawn above the others
    running.push(goTo(piece, { x, y, size }));
  }
  for (const id of step.gone) {
    const piece = findPiece(svg, id);
    if (!piece) continue;
    const at = placeOf(piece);
    const away = piece.animate(
      [{ opacity: 1, transform: asStyle(at) }, { opacity: 0, transform: asStyle({ ...at, size: at.size * 1.35 }) }],
      { duration: 320, easing: "ease-in", fill: "forwards" },
    );
    running.push(away, ...(isBlast ? burst(svg, at) : []));
    away.finished.then(() => piece.remove(), () => piece.remove());
  }
  for (const [number, dx] of Object.entries(step.slide || {})) {
    const panel = svg.querySelector(`[data-panel="${number}"]`);
    if (!panel) continue;
    for (const part of [panel, ...cellsOn(panel)]) {
      running.push(
        part.animate([{ transform: "none" }, { transform: `translate(${dx}px, 0)` }], {
          duration: 260,
          easing: SLIDE,
          fill: "forwards",
        }),
      );
    }
  }
  return Promise.all(running.map((animation) => animation.finished.catch(() => {})));
}

export async function showSteps(svg, steps, canBeSkipped = false) {
  if (calm.matches) steps.forEach((step, number) => hear(svg, step, 150 * number));
  if (calm.matches || document.hidden || !steps.length) return;
  let isSkipped = false;
  const skip = () => {
    isSkipped = true;
    stopMoving(svg);
  };
  svg.classList.add("moving");
  if (canBeSkipped) svg.parentNode.addEventListener("pointerdown", skip); // a press on the board skips the rest
  for (const step of steps) {
    await takeStep(svg, step);
    if (isSkipped) break;
  }
  svg.parentNode.removeEventListener("pointerdown", skip);
  svg.classList.remove("moving");
}

export function stopMoving(svg) {
  for (const animation of svg.getAnimations({ subtree: true })) animation.cancel();
}

