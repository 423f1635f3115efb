// A value bar: it is filled with the first player's share of the points, and says in words what the position is worth.

export function showWorth(bar, worth) {
  if (!bar) return;
  const words = worth?.words ?? "…";
  bar.style.setProperty("--share", `${(100 * (worth?.share ?? 0.5)).toFixed(1)}%`);
  bar.setAttribute("aria-label", worth?.words ?? "not known yet");
  bar.querySelector(".track").classList.toggle("unknown", !worth);
  const said = bar.querySelector(".words");
  said.classList.toggle("exact", Boolean(worth?.exact));
  if (said.textContent !== words) said.textContent = words;
}
