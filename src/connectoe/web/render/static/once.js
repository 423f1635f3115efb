// A double press sends a form once: only one match or seat is wanted.

const SOON = 3000;
const sentAt = new WeakMap();

document.addEventListener("submit", (event) => {
  if (event.timeStamp - (sentAt.get(event.target) ?? -Infinity) < SOON) event.preventDefault();
  else sentAt.set(event.target, event.timeStamp);
});
