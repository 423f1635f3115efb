// The gallery follows the files of the games that are being written: it is loaded again when one of them changes.

const shown = document.querySelector(".own-games").dataset.version;

async function look() {
  if (!document.hidden) {
    try {
      const answer = await fetch("/own-games/version");
      if (answer.ok && (await answer.json()).version !== shown) {
        location.reload();
        return;
      }
    } catch {
      // The server is being restarted.
    }
  }
  setTimeout(look, 1500);
}

setTimeout(look, 1500);
