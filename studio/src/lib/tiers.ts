// Places of variables by tier, so that the picture shows what may point where and fills the room that it has.
import type { Positions } from "../api/types";

type Size = readonly [number, number];

interface Placed {
  positions: Positions;
  width: number;
  height: number;
}

const STAGGER = 24;
const BETWEEN_COLUMNS = 64;
const BETWEEN_BANDS = 44;
const LINE = 62;
const BETWEEN_NODES = 30;
const BETWEEN_TIERS = 18;
/** Smaller than this, names are hard to read. */
export const READABLE = 0.75;

function chunks(all: readonly string[], size: number): string[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));
}

/** Each tier is a column, so many of them beside each other; the last group, of variables in no tier, fills as many as it needs. */
function inColumns(tiers: readonly string[][], rest: readonly string[], beside: number, wide: (name: string) => number): Placed {
  const all = tiers.flat().length + rest.length;
  const high = Math.max(5, Math.ceil(Math.sqrt(all * 2.4)), ...tiers.map((tier) => tier.length));
  const columns = [...tiers, ...chunks(rest, high)];
  const placed: [string, [number, number]][] = [];
  let [top, widest] = [0, 0];
  for (let first = 0; first < columns.length; first += beside) {
    let [left, longest] = [0, 0];
    for (const column of columns.slice(first, first + beside)) {
      const width = Math.max(...column.map(wide)) + STAGGER;
      column.forEach((name, j) => placed.push([name, [left + width / 2 + (j % 2) * STAGGER, top + j * LINE]]));
      left += width + BETWEEN_COLUMNS;
      longest = Math.max(longest, column.length);
    }
    widest = Math.max(widest, left - BETWEEN_COLUMNS + STAGGER);
    top += longest * LINE + BETWEEN_BANDS;
  }
  return { positions: Object.fromEntries(placed), width: widest, height: top - BETWEEN_BANDS };
}

/** Tiers below each other, each in as many lines of so many variables as it needs. */
function inRows(groups: readonly string[][], most: number, wide: (name: string) => number): Placed {
  const placed: [string, [number, number]][] = [];
  let top = 0;
  let widest = 0;
  for (const group of groups) {
    for (const line of chunks(group, most)) {
      const width = line.reduce((sum, name) => sum + wide(name) + BETWEEN_NODES, -BETWEEN_NODES);
      let left = -width / 2;
      for (const name of line) {
        placed.push([name, [left + wide(name) / 2, top]]);
        left += wide(name) + BETWEEN_NODES;
      }
      widest = Math.max(widest, width);
      top += LINE;
    }
    top += BETWEEN_TIERS;
  }
  return { positions: Object.fromEntries(placed), width: widest, height: top - BETWEEN_TIERS };
}

/** The arrangement that can be drawn largest in a frame of this width and height. */
export function tierPlaces(tiers: readonly string[][], rest: readonly string[], sizeOf: (name: string) => Size, frame: Size): Positions {
  const wide = (name: string): number => sizeOf(name)[0];
  const filled = tiers.filter((tier) => tier.length);
  const groups = rest.length ? [...filled, [...rest]] : filled;
  if (!groups.length) return {};
  const zoom = ({ width, height }: Placed): number => Math.min(1, frame[0] / (1.16 * width), frame[1] / (1.16 * height));
  const longest = Math.max(...groups.map((group) => group.length));
  const all = groups.length + rest.length;
  let best = inColumns(filled, rest, all, wide);
  for (let most = 1; most <= Math.min(longest, 24); most++) {
    const rows = inRows(groups, most, wide);
    if (zoom(rows) > zoom(best) + 0.02) best = rows;
  }
  // Columns below each other are harder to read, so they must be worth it.
  for (let beside = Math.min(all, 12); beside > 0 && zoom(best) < 0.9; beside--) {
    const bands = inColumns(filled, rest, beside, wide);
    if (zoom(bands) > zoom(best) + 0.05) best = bands;
  }
  return best.positions;
}
