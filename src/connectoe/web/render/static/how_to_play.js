// During a match, the key ? opens and closes the short rules; the button does so without any script.

const rules = document.getElementById("how-to-play");

document.addEventListener("keydown", (event) => {
  if (event.key !== "?" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches("input:not([type=radio], [type=checkbox]), textarea, select")) return;
  event.preventDefault();
  rules.togglePopover?.();
});
