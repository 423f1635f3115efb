// An exercise: a press is answered in place, right moves are animated, and the address of the page follows.

import { ask, complain, sayRefusal } from "./asking.js";
import { comeCloser, playWhereThePressBegan, previewMoves, replaceBoard, sayWhyNot, walkWithArrows } from "./board.js";

const root = document.getElementById("match");

let isBusy = false;

async function show(asking, isNew) {
  if (isBusy) return;
  isBusy = true;
  root.classList.add("sending");
  const { fresh, words } = await asking();
  complain(words || "");
  if (fresh) {
    sayRefusal("");
    await replaceBoard(root, fresh);
    document.title = root.dataset.title;
    if (isNew && location.pathname + location.search !== root.dataset.link) history.pushState(null, "", root.dataset.link);
  }
  root.classList.remove("sending");
  isBusy = false;
  if (!fresh) return;
  takeToolOfHint();
  root.querySelector("#status").scrollIntoView({ block: "nearest" }); // on a phone, the words may be above the screen
}

root.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches(".plays, .swap")) return;
  event.preventDefault();
  if (!event.submitter?.name) return;
  const body = new URLSearchParams(new FormData(form));
  body.append(event.submitter.name, event.submitter.value);
  body.append("from", root.dataset.ply);
  const wasInBoard = Boolean(document.activeElement?.closest?.("#board"));
  await show(() => ask(form.getAttribute("action"), { method: "POST", body }), true);
  if (wasInBoard && "solved" in root.dataset) root.querySelector("#next")?.focus({ preventScroll: true });
});

root.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-go]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const isByKey = event.detail === 0;
  await show(() => ask(link.getAttribute("href")), true);
  if (isByKey) root.querySelector("#board .targets button[tabindex='0']")?.focus({ preventScroll: true });
  else if (link.id === "next") root.querySelector("h1").scrollIntoView({ block: "nearest" });
});

addEventListener("popstate", () => show(() => ask(location.pathname + location.search), false));

// The board keeps the tool in hand during a turn; a hint that shows a move takes the one that it needs.

function takeToolOfHint() {
  if (!root.querySelector("#board .targets .hint")) return;
  for (const tool of root.querySelectorAll(".tools input")) tool.checked = tool.defaultChecked;
}

function previewOf(move) {
  const fields = new URLSearchParams({ played: root.dataset.played, move });
  return `${root.dataset.address}/preview?${fields}`;
}

playWhereThePressBegan(root);
comeCloser(root);
sayWhyNot(root, sayRefusal);
walkWithArrows(root);
previewMoves(root, previewOf);
