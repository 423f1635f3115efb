// Asking what positions are worth. Each gets a short look at first, the one that is shown before its neighbours, then
// longer looks while its value is an estimate. What was found is kept for as long as the page is open.

const LOOKS = [0.3, 1.5, 3, 5]; // seconds
const MOST_WAITS = 60; // looks that do not count, because the engine is not ready
const WAIT = 2000; // milliseconds between them
const AWAY = 3000; // and after too many requests, or where no server answers

const pause = (time) => new Promise((wake) => setTimeout(wake, time));

// `plies()` can be asked about, `here()` is shown, `keyOf(ply)` names a position, and `addressOf(ply, seconds)` is where
// its value is asked for. `ask(ply, problem)` hears what is asked next, null if nothing is; `hear(ply)` that it is known.

export function makeLooks({ plies, here, keyOf, addressOf, ask, hear }) {
  const known = new Map();
  let asking = null;
  let waits = 0;

  const foundAt = (ply) => known.get(keyOf(ply));
  const looksAt = (ply) => (foundAt(ply)?.is_final ? LOOKS.length : foundAt(ply)?.looks ?? 0);

  // The position shown comes first, then the others, which the graph needs; then all of them again.
  function next() {
    const nearest = [...plies()].sort((one, other) => Math.abs(one - here()) - Math.abs(other - here()));
    const isHere = nearest[0] === here();
    if (isHere && looksAt(here()) < 2 && !foundAt(here())?.isEarly) return here();
    const first = nearest.find((ply) => looksAt(ply) === 0);
    if (first !== undefined) return first;
    return isHere && looksAt(here()) < LOOKS.length ? here() : nearest.find((ply) => looksAt(ply) === 1) ?? null;
  }

  function stop() {
    asking?.abort();
    asking = null;
  }

  async function begin() {
    stop();
    const mine = new AbortController();
    asking = mine;
    await pause(100); // for those who step quickly
    while (mine === asking) {
      const ply = next();
      ask(ply);
      if (ply === null) return;
      const key = keyOf(ply);
      const looks = looksAt(ply);
      const answer = await fetch(addressOf(ply, LOOKS[looks]), { signal: mine.signal }).catch(() => null);
      const found = answer?.ok ? await answer.json().catch(() => null) : null;
      if (mine !== asking) return;
      if (found) {
        const isEarly = !found.is_final && !found.is_by_engine && looks === 1 && waits++ < MOST_WAITS;
        known.set(key, { ...found, isEarly, looks: isEarly ? 1 : looks + 1 });
        if (keyOf(ply) === key) hear(ply);
        if (isEarly && next() === ply) await pause(WAIT);
      } else if (answer && answer.status !== 429 && answer.status < 502) {
        ask(null, "There are no values here.");
        return;
      } else {
        await pause(AWAY);
      }
    }
  }

  return { known, begin, stop };
}
