// The graph of values: above the middle the first player is better, below it the second. Filled squares are exact, and
// say who wins and in how many moves; open circles are estimates.

const HIGH = 132;
const MARGIN = { side: 32, top: 20, bottom: 20 };

const stepOf = (width, last) => (width - 2 * MARGIN.side) / Math.max(1, last);

export const plyAt = (graph, x, last) =>
  Math.round((x - graph.getBoundingClientRect().left - MARGIN.side) / stepOf(graph.clientWidth, last));

// `points` are `{ ply, share, exact, words, label }`, as far as they are known, and `blunders` plies that are marked.

export function drawGraph(place, points, { last, here, moves, symbols, blunders = [] }) {
  const width = Math.max(160, place.clientWidth);
  const step = stepOf(width, last);
  const size = Math.min(3, Math.max(0.5, step / 2));
  const xOf = (ply) => MARGIN.side + step * ply;
  const yOf = (share) => MARGIN.top + (HIGH - MARGIN.top - MARGIN.bottom) * (1 - share);
  let free = -Infinity; // where the next label may begin
  const marks = points.map((point) => {
    const [x, y] = [xOf(point.ply), yOf(point.share)];
    const ring = blunders.includes(point.ply) ? `<circle class="blunder-mark" cx="${x}" cy="${y}" r="6"/>` : "";
    if (!point.exact) return `${ring}<circle class="estimate" cx="${x}" cy="${y}" r="${size}"/>`;
    const reach = 3.8 * point.label.length + 2;
    const hasLabel = x - reach >= free || point.ply === here;
    if (hasLabel) free = x + reach;
    const label = hasLabel ? `<text x="${x}" y="${point.share < 0.25 ? y + 15 : y - 8}">${point.label}</text>` : "";
    return `${ring}<rect class="exact" x="${x - size}" y="${y - size}" width="${2 * size}" height="${2 * size}"/>${label}`;
  });
  const line = points.map(({ ply, share }, number) => `${number ? "L" : "M"}${xOf(ply).toFixed(1)} ${yOf(share).toFixed(1)}`);
  const said = points.map(({ ply, words }) => `${ply ? `${ply}. ${moves[ply - 1]}` : "start"} ${words}`).join("; ");
  place.innerHTML =
    `<svg class="graph" viewBox="0 0 ${width} ${HIGH}" height="${HIGH}" role="img">` +
    `<text class="side-name" x="5" y="13">${symbols[0]}</text><text class="side-name" x="5" y="${HIGH - 6}">${symbols[1]}</text>` +
    `<line class="middle" x1="0" x2="${width}" y1="${yOf(0.5)}" y2="${yOf(0.5)}"/>` +
    `<line class="here" x1="${xOf(here)}" x2="${xOf(here)}" y1="0" y2="${HIGH}"/>` +
    `<path class="value" d="${line.join("")}"/>${marks.join("")}</svg>`;
  place.firstElementChild.setAttribute("aria-label", `What each position is worth: ${said || "not known yet"}`);
}
