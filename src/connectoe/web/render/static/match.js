// The match page: live updates over a WebSocket, moves and everything else by POST. The server decides: a move is sent
// with the number of moves it follows, so that sending it twice plays it once.

import { play } from "./sound.js";
import { beginAtTheFloor, comeCloser, playWhereThePressBegan, previewMoves, replaceBoard, sayWhyNot, walkWithArrows } from "./board.js";

const root = document.getElementById("match");
const address = `/matches/${root.dataset.id}`;
const connection = document.getElementById("connection");
const problem = document.getElementById("problem");

const pause = (time) => new Promise((wake) => setTimeout(wake, time));

function say(element, words) {
  if (element.textContent !== words) element.textContent = words; // screen readers read each change aloud
  element.hidden = !words;
}

// A complaint stays until the next move.

let saidAfter = null;

function complain(words) {
  say(problem, words);
  saidAfter = null;
}

function forgetComplaint() {
  const ply = Number(root.dataset.ply);
  saidAfter ??= ply;
  if (saidAfter !== ply) complain("");
}

// The page shows the newest version of the match that it knows of. A change made here is answered with the match after
// it; of other changes the socket sends the version, and the page asks for the match. Fresh ones are shown one at a time.

let newest = Number(root.dataset.version);
let news = {};
let showing = Promise.resolve();

const isBehind = () => Number(root.dataset.version) < newest;
const inLetters = () => (root.querySelector("#as-text")?.open ? "&letters=1" : "");

function show(fresh, from) {
  showing = showing.catch(() => {}).then(() => showNow(fresh, from));
  return showing;
}

async function showNow(fresh, from) {
  const version = Number(fresh.dataset.version);
  newest = Math.max(newest, version);
  if (version < Number(root.dataset.version)) return; // it was overtaken on its way
  if (root.dataset.ply !== from) delete fresh.querySelector("#board").dataset.steps; // they begin elsewhere
  const wasOver = Boolean(root.querySelector("#ended"));
  await replaceBoard(root, fresh);
  const ended = root.querySelector("#ended")?.dataset.result;
  if (ended && !wasOver) play(ended === "over" ? "won" : ended, 400);
  forgetComplaint();
  document.title = root.dataset.title;
  prepare();
  showPresence(); // which may have changed meanwhile
  root.dispatchEvent(new Event("shown"));
}

// Asking for the match: one request at a time, until the page shows the newest version.

const PATIENCE = 3000; // milliseconds for the answer to a change made here, which brings the match
let wanted = null;
let isAsking = false;

function heardOf(version) {
  newest = Math.max(newest, version);
  if (isSending) setTimeout(catchUp, PATIENCE);
  else catchUp();
}

function refresh(query = "") {
  wanted = query || wanted || "";
  catchUp();
}

async function catchUp() {
  if (isAsking) return;
  isAsking = true;
  try {
    for (;;) {
      await showing;
      if (wanted === null && !isBehind()) return;
      const query = wanted || "";
      wanted = null;
      const { status, fresh, problem, from } = await ask(`${address}/board`, query);
      if (fresh) {
        if (query) lookForHint("");
        await show(fresh, from);
        continue;
      }
      if (problem && (query || status < 500)) complain(problem);
      if (status === 404) return; // the match is gone
      lookForHint("");
      if (!query) wanted ??= "";
      if (wanted !== null || isBehind()) await pause(1500);
    }
  } finally {
    isAsking = false;
  }
}

async function ask(path, query = "", request = {}) {
  const from = root.dataset.ply;
  try {
    const answer = await fetch(`${path}?from=${from}${inLetters()}${query}`, { cache: "no-store", ...request });
    const { status } = answer;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("match");
    const problem = fresh ? "" : page.querySelector("main .lead")?.textContent || `refused (${status})`;
    return { status, fresh, problem, from };
  } catch {
    return { status: 0 };
  }
}

// Requests that change something. While the network is away they are sent again until they are answered.

let isSending = false;

async function send(form, submitter) {
  if (isSending) return;
  isSending = true;
  root.classList.add("sending");
  complain("");
  const path = form.getAttribute("action");
  const body = new URLSearchParams(new FormData(form));
  if (submitter?.name) body.append(submitter.name, submitter.value);
  const isMove = form.matches(".plays");
  let isSentAgain = false;
  let answer;
  for (let wait = 400; ; wait = Math.min(2 * wait, 5000)) {
    answer = await ask(path, "", { method: "POST", body });
    if (answer.status && answer.status < 502) break;
    isSentAgain = true;
    say(connection, "reconnecting… your move is kept and sent as soon as the server answers");
    await pause(wait);
  }
  say(connection, "");
  isSending = false;
  root.classList.remove("sending");
  if (answer.fresh) {
    await show(answer.fresh, answer.from);
    catchUp();
  } else {
    // When a repeated request comes too late, the first one was carried out, and only its answer got lost.
    const isDone = isSentAgain && answer.status === 409 && !isMove;
    if (!isDone) complain(answer.problem);
    refresh();
  }
}

root.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.matches(".plays, [data-fragment]")) {
    event.preventDefault();
    if (form.matches("[data-fragment]") || event.submitter?.name) send(form, event.submitter);
  } else if (form.matches(".hint-form")) {
    event.preventDefault();
    lookForHint(form.dataset.note);
    refresh("&hint=1");
  }
});

// While a hint is on its way, the note says so, whatever the socket sends meanwhile; a move ends the wait for it.

let hint = { words: "", ply: "" };

function lookForHint(words) {
  hint = { words, ply: root.dataset.ply };
  showNote();
}

function showNote() {
  const looking = hint.ply === root.dataset.ply ? hint.words : "";
  for (const button of root.querySelectorAll(".hint-form button")) button.disabled = Boolean(looking);
  const note = root.querySelector("#note"); // there is none where two people play each other
  const received = news.note === "thinking" ? "" : news.note; // the status says that
  if (note && looking) say(note, looking);
  else if (note && received !== undefined && news.version === Number(root.dataset.version)) say(note, received);
}

// Live updates.

let socket = null;
let wait = 500;
let timer = 0;
let heardAt = 0;

function connect() {
  clearTimeout(timer);
  heardAt = Date.now();
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const mine = new WebSocket(`${scheme}//${location.host}${address}/live`);
  socket = mine;
  mine.addEventListener("open", () => {
    if (!isSending) say(connection, "");
  });
  mine.addEventListener("message", (event) => {
    if (mine !== socket) return;
    heardAt = Date.now();
    if (!isSending) say(connection, "");
    const received = JSON.parse(event.data);
    if (received.error) complain(received.error);
    if (received.version === undefined) return;
    wait = 500;
    news = received;
    showPresence();
    heardOf(received.version);
  });
  mine.addEventListener("close", ({ code }) => {
    if (mine !== socket || code === 4404) return; // there is a newer connection, or the match is gone
    if (!isSending) say(connection, "reconnecting…");
    timer = setTimeout(connect, wait * (0.75 + Math.random() / 2));
    wait = Math.min(2 * wait, 8000);
  });
}

// A connection can die without an event; then the server's signs of life stop coming.

const SILENCE = 40_000;

setInterval(() => {
  if (!socket || socket.readyState > WebSocket.OPEN || Date.now() - heardAt < SILENCE) return;
  say(connection, "reconnecting…");
  connectAnew();
}, 5000);

addEventListener("offline", () => say(connection, "reconnecting…"));

function connectAnew() {
  const old = socket;
  wait = 500;
  connect();
  old?.close();
}

function showPresence() {
  showNote();
  if (news.version !== Number(root.dataset.version)) return;
  news.seats?.forEach((seat, number) => {
    const dot = root.querySelector(`#seat-${number} .presence`);
    if (!dot || seat.kind !== "person") return;
    dot.classList.toggle("here", seat.present);
    dot.textContent = seat.present ? "here" : "away";
  });
}

// After sleep or a change of network, a connection can look open and be dead.

const ASLEEP = 20_000;
let hiddenAt = 0;

addEventListener("online", connectAnew);
document.addEventListener("visibilitychange", () => {
  if (document.hidden) hiddenAt = Date.now();
  else if (Date.now() - hiddenAt > ASLEEP || socket.readyState > WebSocket.OPEN) connectAnew();
});
addEventListener("pageshow", (event) => {
  if (event.persisted) connectAnew();
});

// The board in letters is asked for only when it is open.

root.addEventListener("toggle", ({ target }) => {
  if (target.id === "as-text" && target.open && !target.querySelector("pre")) refresh();
}, true);

// Parts of the page that need a script: copying, flipping the board, and the hints on holding a place and arrow keys.

const FLIPPED = "connectoe flipped";

function prepare() {
  for (const hidden of root.querySelectorAll("[data-copy], [data-flip], [data-share], .touch, .by-keys")) hidden.hidden = false;
  root.classList.toggle("sending", isSending); // the server does not know of it
  const mayFlip = Boolean(root.querySelector("[data-flip]")); // else the board is never shown from behind
  root.classList.toggle("flipped", mayFlip && sessionStorage.getItem(FLIPPED + root.dataset.id) === "yes");
  const moves = root.querySelector(".moves");
  if (moves) moves.scrollTop = moves.scrollHeight;
}

root.addEventListener("click", async (event) => {
  const copy = event.target.closest("[data-copy]");
  if (copy) {
    const source = copy.dataset.copy;
    const words = source.startsWith("/")
      ? await (await fetch(source)).text()
      : document.getElementById(source).value;
    const before = copy.textContent;
    copy.textContent = (await copied(words)) ? "Copied" : "Not copied";
    await pause(1200);
    copy.textContent = before;
  }
  const share = event.target.closest("[data-share]");
  if (share) {
    const url = share.dataset.share;
    if (navigator.share) await navigator.share({ title: document.title, url }).catch(() => {}); // it may be cancelled
    else {
      share.textContent = (await copied(url)) ? "Link copied" : "Not copied";
      await pause(1500);
      share.textContent = "Share";
    }
  }
  if (event.target.closest("[data-flip]")) {
    const isFlipped = root.classList.toggle("flipped");
    sessionStorage.setItem(FLIPPED + root.dataset.id, isFlipped ? "yes" : "no");
  }
});

async function copied(words) {
  try {
    await navigator.clipboard.writeText(words);
    return true;
  } catch {
    const area = document.createElement("textarea"); // for pages that are not on https, where there is no clipboard
    area.value = words;
    document.body.append(area);
    area.select();
    const isDone = document.execCommand("copy");
    area.remove();
    return isDone;
  }
}

playWhereThePressBegan(root);
comeCloser(root);
sayWhyNot(root, (words) => say(root.querySelector("#refusal"), words));
walkWithArrows(root);
previewMoves(root, `${address}/preview`);
prepare();
beginAtTheFloor(root);
connect();
