// While a match is being looked through, shows how far that has come, and in the end what was found.

const EVERY = 1000;

async function look() {
  try {
    const answer = await fetch(location.href);
    if (answer.ok) {
      const shown = new DOMParser().parseFromString(await answer.text(), "text/html");
      document.querySelector("main").replaceWith(shown.querySelector("main"));
    }
  } catch {
    // The server cannot be reached: it is asked again.
  }
  if (document.querySelector("main progress")) setTimeout(look, EVERY);
}

if (document.querySelector("main progress")) setTimeout(look, EVERY);
