// Whoever presses twice wants one match, or one seat: what has just been sent is not sent again.

const SOON = 3000;
const sentAt = new WeakMap();

document.addEventListener("submit", (event) => {
  if (event.timeStamp - (sentAt.get(event.target) ?? -Infinity) < SOON) event.preventDefault();
  else sentAt.set(event.target, event.timeStamp);
});
