// While a match is being reviewed, shows the progress, and at the end what was found.

const EVERY = 1000;
const review = document.getElementById("review");

async function look() {
  try {
    const answer = await fetch(location.href, { cache: "no-store" });
    const page = answer.ok && new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page && page.getElementById("review");
    if (fresh) show(fresh);
  } catch {
    // The server cannot be reached: it is asked again.
  }
  if ("awaited" in review.dataset) setTimeout(look, EVERY);
}

// What has not changed stays as it is, so that it is not read aloud again; a link keeps the focus.

function show(fresh) {
  review.toggleAttribute("data-awaited", "awaited" in fresh.dataset);
  if (review.innerHTML === fresh.innerHTML) return;
  const focused = review.contains(document.activeElement) && document.activeElement.getAttribute("href");
  review.replaceChildren(...fresh.childNodes);
  if (focused) [...review.querySelectorAll("a")].find((link) => link.getAttribute("href") === focused)?.focus();
}

setTimeout(look, EVERY);
