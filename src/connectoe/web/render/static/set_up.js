// Setting up a position: each press is answered by the server with the draft after it, which is shown in place.

import { patch, walkWithArrows } from "./board.js";

const root = document.getElementById("match");
const problem = document.getElementById("problem");
let waiting = Promise.resolve(); // presses are sent one after the other, each with the draft after the one before

async function send(form, submitter) {
  const body = new URLSearchParams(new FormData(form));
  if (submitter?.name) body.append(submitter.name, submitter.value);
  const answer = await fetch(form.getAttribute("action"), { method: "POST", body }).catch(() => null);
  const page = answer && new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = answer?.ok && page.getElementById("match");
  problem.textContent = fresh ? "" : page?.querySelector("main .lead")?.textContent || "The server does not answer.";
  problem.hidden = Boolean(fresh);
  if (!fresh) return;
  patch(root, fresh);
  for (const select of root.querySelectorAll("select")) select.value = select.querySelector("[selected]").value;
  history.replaceState(null, "", answer.url);
}

root.addEventListener("submit", (event) => {
  event.preventDefault();
  waiting = waiting.then(() => send(event.target, event.submitter));
});

root.addEventListener("change", ({ target }) => {
  if (target.matches("select")) target.form.requestSubmit();
});

walkWithArrows(root);
