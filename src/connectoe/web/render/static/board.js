// A board on a page: it is patched when the match goes on, its pieces are animated, arrow keys move between its buttons,
// and a preview shows what a move would do. It knows no rule of any game.

import { asAttribute, findPiece, pieceFrom, showSteps, stopMoving } from "./motion.js";

// Patching: makes one element like another, keeping elements with the same id (or piece), and so the focus.

const keyOf = (node) => node.nodeType === 1 && (node.id || node.dataset?.piece) || null;

const isAlike = (one, other) => one.nodeName === other.nodeName && keyOf(one) === keyOf(other);

export function patch(old, fresh) {
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  const keyed = new Map([...old.childNodes].filter(keyOf).map((child) => [keyOf(child), child]));
  let next = old.firstChild;
  for (const child of [...fresh.childNodes]) {
    const key = keyOf(child);
    let match = key ? keyed.get(key) : next;
    if (!key) {
      while (match && keyOf(match)) match = match.nextSibling;
    }
    if (match && isAlike(match, child)) {
      if (match === next) next = next.nextSibling;
      else old.insertBefore(match, next);
      if (match.nodeType === 1) patch(match, child);
      else if (match.data !== child.data) match.data = child.data;
    } else {
      old.insertBefore(child, next);
    }
  }
  while (next) {
    const gone = next;
    next = next.nextSibling;
    gone.remove();
  }
}

// A fresh match replaces the one on the page, after the steps between them have been animated.

export async function replaceBoard(root, fresh) {
  const svg = root.querySelector("#board .stage > svg");
  const steps = JSON.parse(fresh.querySelector("#board")?.dataset.steps || "[]");
  const held = document.activeElement?.closest?.("#board .stage button");
  const spot = held ? middleOf(held) : root.contains(document.activeElement) ? null : root.lastSpot;
  const wasInBoard = Boolean(held) || document.activeElement?.matches?.("#board .window");
  const isSameTurn = root.dataset.ply === fresh.dataset.ply;
  clearPreview(root);
  if (svg && steps.length) {
    root.querySelector("#board").classList.add("waiting");
    await showSteps(svg, steps, true);
    stopMoving(svg);
  }
  patch(root, fresh);
  if (root.querySelector("#board.forced")) root.querySelector("#board .window").scrollTo(0, 0); // the style sheet zooms it instead
  chooseTool(root, isSameTurn);
  stopOnceWithTab(root);
  if (held) root.lastSpot = spot;
  if (wasInBoard) focusNear(root, spot || root.lastSpot);
}

// A tool stays in hand during a turn. The next turn begins with the usual one: a bomb left in hand would be wasted, and
// a player who waits holds nothing.

function chooseTool(root, isSameTurn) {
  if (!isSameTurn) for (const first of root.querySelectorAll("#board .first")) first.checked = false;
  const chosen = root.querySelector(".tools input:checked");
  if (isSameTurn && chosen && !chosen.disabled) return;
  for (const tool of root.querySelectorAll(".tools input")) tool.checked = tool.defaultChecked;
}

// Arrow keys move to the nearest button in their direction.

const middleOf = (element) => {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
};

const shownButtons = (root, places = ".targets") =>
  [...root.querySelectorAll(`#board ${places} button`)].filter((button) => button.offsetParent !== null);

function focusNear(root, spot) {
  const buttons = shownButtons(root);
  const distance = (button) => {
    const at = middleOf(button);
    return spot ? Math.hypot(at.x - spot.x, at.y - spot.y) : 0;
  };
  buttons.sort((one, other) => distance(one) - distance(other));
  (buttons[0] || root.querySelector("#board .window"))?.focus({ preventScroll: true });
}

// Tab stops once at the board, at the button used last; arrow keys move on from there. Without scripts it stops at each.

function stopOnceWithTab(root, wanted = null) {
  if (wanted) root.lastStop = wanted.value;
  const buttons = wanted ? [] : shownButtons(root);
  const stop = wanted || buttons.find((button) => button.value === root.lastStop) || buttons[0];
  for (const button of root.querySelectorAll("#board .targets button")) button.tabIndex = button === stop ? 0 : -1;
}

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function walkWithArrows(root) {
  stopOnceWithTab(root);
  root.addEventListener("focusin", ({ target }) => {
    if (target.matches("#board .targets button")) stopOnceWithTab(root, target);
  });
  root.addEventListener("change", ({ target }) => {
    if (target.matches(".tools input, .first")) stopOnceWithTab(root); // another tool or piece has other places
  });
  root.addEventListener("keydown", (event) => {
    const way = WAYS[event.key];
    const here = event.target.closest?.("#board .stage button");
    if (!way || !here || event.altKey || event.ctrlKey || event.metaKey) return;
    const from = middleOf(here);
    let best = null;
    let least = Infinity;
    for (const button of shownButtons(root, ".stage")) {
      const at = middleOf(button);
      const ahead = (at.x - from.x) * way[0] + (at.y - from.y) * way[1];
      const aside = Math.abs((at.x - from.x) * way[1] + (at.y - from.y) * way[0]);
      if (ahead > 2 && ahead + 2 * aside < least) {
        least = ahead + 2 * aside;
        best = button;
      }
    }
    if (best) best.focus();
    event.preventDefault();
  });
}

// A press plays only if it ends on the board that it began on: a tap that skips an animation would end on a button of
// the next board, and must play nothing.

export function playWhereThePressBegan(root) {
  let began = null;
  root.addEventListener("pointerdown", () => {
    began = { ply: root.querySelector("#board.waiting") ? "still moving" : root.dataset.ply };
  }, true);
  root.addEventListener("pointercancel", () => {
    began = null;
  });
  root.addEventListener("click", (event) => {
    const isByPointer = event.detail > 0; // a key or an assistive tool sends no pointerdown
    const isLate = isByPointer && began && began.ply !== root.dataset.ply;
    if (isLate && event.target.closest?.("#board .stage")) event.preventDefault();
    began = null;
  }, true);
}

// On a phone, the places of a whole wide board are too small to be played on: a tap comes closer, to where it was.

export function comeCloser(root) {
  root.addEventListener("click", (event) => {
    const view = event.target.closest?.("#board .closer") && root.querySelector("#board .window");
    if (!view) return;
    const whole = view.getBoundingClientRect();
    const [across, down] = [(event.clientX - whole.left) / whole.width, (event.clientY - whole.top) / whole.height];
    requestAnimationFrame(() => {
      if (root.querySelector("#board.forced")) return; // the style sheet shows where one must play
      view.scrollTo(across * view.scrollWidth - view.clientWidth / 2, down * view.scrollHeight - view.clientHeight / 2);
    });
  });
}

// A wide upright board is seen in part on a phone: at first the middle of its floor, where pieces come to rest.

export function beginAtTheFloor(root) {
  const view = root.querySelector("#board.wide:not(.flat, .forced) .window");
  view?.scrollTo((view.scrollWidth - view.clientWidth) / 2, view.scrollHeight);
}

// A press where no move can be made says why, in the words of the rules; so does a tool that cannot be used now.

export function sayWhyNot(root, say) {
  root.addEventListener("click", (event) => {
    if (event.defaultPrevented || root.classList.contains("sending")) return;
    const refused = event.target.closest?.("#board .refusals button, #board .tool .refused");
    const isBeside = event.target.closest?.("#board .stage") && !event.target.closest("button, .closer, .first");
    if (refused) event.preventDefault(); // the server would say the same
    if (refused) say(refused.dataset.why || refused.getAttribute("aria-label"));
    else if (isBeside) say(root.querySelector("#board").dataset.otherwise || "");
  });
  root.addEventListener("focusin", ({ target }) => {
    if (target.matches("#board .tool .refused:focus-visible")) say(target.dataset.why);
  });
}

// Previews: pieces that would come or go are shown as ghosts while a button is under the mouse, focused, or held with a
// finger. Holding only looks; a tap plays.

const HOLD = 350;

export function previewMoves(root, address) {
  const addressOf = typeof address === "function" ? address : (move) => `${address}?move=${encodeURIComponent(move)}`;
  const known = new Map();
  let wanted = null;
  let seenAt = {};

  const show = async (button) => {
    const key = `${root.dataset.version} ${button.value}`;
    wanted = key;
    if (!known.has(key)) {
      await new Promise((wake) => setTimeout(wake, 70));
      if (wanted !== key) return;
      known.set(
        key,
        fetch(addressOf(button.value))
          .then((answer) => (answer.ok ? answer.json() : null))
          .catch(() => null),
      );
    }
    const change = await known.get(key);
    if (!change || wanted !== key || !key.startsWith(`${root.dataset.version} `)) return;
    drawPreview(root, change);
  };
  const hide = () => {
    wanted = null;
    clearPreview(root);
  };
  const buttonOf = (event) => event.target.closest?.("#board .targets button");
  root.addEventListener("focusin", (event) => {
    if (buttonOf(event)?.matches(":focus-visible")) show(buttonOf(event));
  });
  root.addEventListener("pointermove", (event) => {
    // A board that changes under a resting mouse gives no preview.
    const button = buttonOf(event);
    const isMoving = event.pointerType !== "touch" && (event.clientX !== seenAt.x || event.clientY !== seenAt.y);
    seenAt = { x: event.clientX, y: event.clientY };
    if (button && isMoving && wanted !== `${root.dataset.version} ${button.value}`) show(button);
  });
  for (const kind of ["pointerout", "focusout"]) {
    root.addEventListener(kind, (event) => {
      if (buttonOf(event)) hide();
    });
  }
  let touchedAt = 0;
  let wasHeld = false;
  root.addEventListener("pointerdown", (event) => {
    const button = buttonOf(event);
    wasHeld = false;
    touchedAt = button && event.pointerType === "touch" ? event.timeStamp : 0;
    if (touchedAt) show(button);
  });
  root.addEventListener("pointerup", (event) => {
    wasHeld = touchedAt > 0 && event.timeStamp - touchedAt > HOLD;
  });
  root.addEventListener("contextmenu", (event) => {
    if (touchedAt && buttonOf(event)) event.preventDefault();
  });
  root.addEventListener("click", (event) => {
    if (wasHeld && buttonOf(event)) event.preventDefault();
    wasHeld = false;
  });
}

function drawPreview(root, change) {
  clearPreview(root);
  const svg = root.querySelector("#board .stage > svg");
  if (!svg || svg.classList.contains("moving")) return;
  const ghosts = document.createElementNS("http://www.w3.org/2000/svg", "g");
  ghosts.setAttribute("class", "ghosts");
  for (const [id, markup] of Object.entries(change.put)) {
    ghosts.append(pieceFrom(markup));
    findPiece(svg, id)?.classList.add("goes");
  }
  for (const [id, [x, y, size]] of Object.entries(change.go)) {
    const piece = findPiece(svg, id);
    if (!piece) continue;
    if (id in change.put) continue;
    const ghost = piece.cloneNode(true);
    piece.classList.add("goes");
    ghost.setAttribute("transform", asAttribute({ x, y, size }));
    ghosts.append(ghost);
  }
  for (const id of change.gone) findPiece(svg, id)?.classList.add("leaves");
  for (const ghost of ghosts.children) ghost.removeAttribute("data-piece");
  svg.append(ghosts);
}

function clearPreview(root) {
  root.querySelector("#board .ghosts")?.remove();
  for (const piece of root.querySelectorAll("#board .pieces > *")) piece.classList.remove("goes", "leaves");
}
