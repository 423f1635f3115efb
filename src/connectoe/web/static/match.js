// The match page: live updates over a WebSocket, moves and everything else by POST. The server has the last word: a
// move is sent with the number of moves it follows, so that sending it twice plays it once.

import { playWhereThePressBegan, previewMoves, replaceBoard, walkWithArrows } from "./board.js";

const root = document.getElementById("match");
const address = `/matches/${root.dataset.id}`;
const api = `/api/v1${address}`;
const connection = document.getElementById("connection");
const problem = document.getElementById("problem");

const pause = (time) => new Promise((wake) => setTimeout(wake, time));

function say(element, words) {
  if (element.textContent !== words) element.textContent = words; // what is said again is read out again
  element.hidden = !words;
}

// What could not be done is said until a move is made after it.

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

// The page asks for a fresh picture of the match, one request at a time, until it shows the newest version.

let newest = Number(root.dataset.version);
let news = {};
let isRefreshing = false;
let isStale = false;

const isBehind = () => Number(root.dataset.version) < newest;

function heardOf(version) {
  // A picture that is on its way may be the newest; if it is not, another follows it.
  newest = Math.max(newest, version);
  if (!isRefreshing && isBehind()) refresh();
}

async function refresh(query = "") {
  isStale = true;
  if (isRefreshing) return;
  isRefreshing = true;
  try {
    while (isStale) {
      isStale = false;
      const { page, status } = await pageNow(query);
      const fresh = page?.getElementById("match");
      if (!fresh) {
        if (page && (query || status < 500)) complain(page.querySelector("main .lead")?.textContent || `refused (${status})`);
        if (status === 404) return; // the match is gone
        lookForHint("");
        isStale ||= !query || isBehind();
        query = "";
        if (isStale) await pause(1500);
        continue;
      }
      query = "";
      await replaceBoard(root, fresh);
      forgetComplaint();
      document.title = root.dataset.title;
      prepare();
      showPresence(); // which may have changed while the picture was on its way
      isStale ||= isBehind();
    }
  } finally {
    isRefreshing = false;
  }
}

async function pageNow(query) {
  try {
    const letters = root.querySelector("#as-text")?.open ? "&letters=1" : "";
    const answer = await fetch(`${address}/board?from=${root.dataset.ply}${letters}${query}`, { cache: "no-store" });
    return { page: new DOMParser().parseFromString(await answer.text(), "text/html"), status: answer.status };
  } catch {
    return {};
  }
}

// Requests that change something. While the network is away they are tried again; the answer decides.

let isSending = false;

async function send(path, body) {
  if (isSending) return;
  isSending = true;
  root.classList.add("sending");
  complain("");
  let isSentAgain = false;
  for (let wait = 400; ; wait = Math.min(2 * wait, 5000)) {
    try {
      const answer = await fetch(api + path, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
      if (answer.status >= 502) throw new Error("the server is not there");
      // Too late for what was sent before means that it was done then, and only the answer got lost.
      const isDone = isSentAgain && answer.status === 409 && path !== "/moves";
      if (answer.ok) heardOf((await answer.json()).version);
      else if (!isDone) complain(await reasonOf(answer));
      if (!answer.ok) refresh();
      break;
    } catch {
      isSentAgain = true;
      say(connection, "reconnecting… your move is kept and sent as soon as the server answers");
      await pause(wait);
    }
  }
  say(connection, "");
  isSending = false;
  root.classList.remove("sending");
}

async function reasonOf(answer) {
  try {
    const { error, message, detail } = await answer.json();
    const words = message || error || detail;
    return typeof words === "string" ? words : `refused (${answer.status})`;
  } catch {
    return `refused (${answer.status})`;
  }
}

root.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.matches(".plays")) {
    event.preventDefault();
    const move = event.submitter?.value;
    if (move) send("/moves", { move, ply: Number(root.dataset.ply) });
  } else if (form.dataset.api !== undefined) {
    event.preventDefault();
    send(form.dataset.api, JSON.parse(form.dataset.body || "{}"));
  } else if (form.matches(".hint-form")) {
    event.preventDefault();
    lookForHint(form.dataset.note);
    refresh("&hint=1");
  }
});

function lookForHint(words) {
  for (const button of root.querySelectorAll(".hint-form button")) button.disabled = Boolean(words);
  const note = root.querySelector("#note"); // there is none where two people play each other
  if (note) say(note, words);
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
  const mine = new WebSocket(`${scheme}//${location.host}${api}/live`);
  socket = mine;
  mine.addEventListener("open", () => {
    if (!isSending) say(connection, "");
  });
  mine.addEventListener("message", (event) => {
    if (mine !== socket) return;
    heardAt = Date.now();
    if (!isSending) say(connection, "");
    const told = JSON.parse(event.data);
    if (told.error) complain(told.error);
    if (told.version === undefined) return;
    wait = 500;
    news = told;
    showPresence();
    heardOf(told.version);
  });
  mine.addEventListener("close", ({ code }) => {
    if (mine !== socket || code === 4404) return; // there is a newer connection, or the match is gone
    if (!isSending) say(connection, "reconnecting…");
    timer = setTimeout(connect, wait * (0.75 + Math.random() / 2));
    wait = Math.min(2 * wait, 8000);
  });
}

// A connection can be dead without anybody being told; then not even the server's signs of life come.

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
  if (news.version !== Number(root.dataset.version)) return;
  news.seats?.forEach((seat, number) => {
    const dot = root.querySelector(`#seat-${number} .presence`);
    if (!dot || seat.kind !== "person") return;
    dot.classList.toggle("here", seat.present);
    dot.textContent = seat.present ? "here" : "away";
  });
  const note = root.querySelector("#note");
  if (note && news.note !== undefined) say(note, news.note === "thinking" ? "" : news.note); // the status says that
}

// After sleep or another network, a connection can look open and be dead.

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

// The board in letters is only asked for by those who have opened it.

root.addEventListener("toggle", ({ target }) => {
  if (target.id === "as-text" && target.open && !target.querySelector("pre")) refresh();
}, true);

// What needs a script: copying, looking from the other side, and what is said of holding a place and of arrow keys.

const FLIPPED = "connectoe flipped";

function prepare() {
  for (const hidden of root.querySelectorAll("[data-copy], [data-flip], .touch, .by-keys")) hidden.hidden = false;
  root.classList.toggle("sending", isSending); // a fresh picture knows nothing of it
  root.classList.toggle("flipped", sessionStorage.getItem(FLIPPED + root.dataset.id) === "yes");
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
walkWithArrows(root);
previewMoves(root, `${address}/preview`);
prepare();
connect();
