// Asking the server for a page whose board replaces the one that is shown, and saying what went wrong.

export async function ask(address, request = {}) {
  const answer = await fetch(address, { cache: "no-store", ...request }).catch(() => null);
  if (!answer) return { words: "The server does not answer. Try again in a moment." };
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = answer.ok && page.getElementById("match");
  return fresh ? { fresh } : { words: page.querySelector("main .lead")?.textContent || `refused (${answer.status})` };
}

export function complain(words) {
  const problem = document.getElementById("problem");
  problem.textContent = words;
  problem.hidden = !words;
}

export function sayRefusal(words) {
  const refusal = document.getElementById("refusal");
  if (refusal.textContent !== words) refusal.textContent = words;
  refusal.hidden = !words;
}
