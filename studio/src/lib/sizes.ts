// How large a node is drawn. The layout asks for the same sizes, so that nothing overlaps.

export const BAR_ROWS = 6;
const ROW = 17;
const HEAD = 30;

/** Rows that the curve of a number takes: mean and spread, the curve, its axis. */
export const CURVE = 40;

/** Width and height of a node with a curve. */
export const curveSize = (name: string): [number, number] => [nodeSize(name, [""])[0], HEAD + 2 * ROW + CURVE + 6];

const LABEL = 53;

/** The width of the names of states beside their bars: of the longest, within reason. */
export function labelWidth(states: readonly string[]): number {
  const letters = states.reduce((most, state) => Math.max(most, [...state].length), 0);
  return Math.min(Math.max(LABEL, Math.round(letters * 8.2 + 2)), 112);
}

/** Room for a letter of a name. */
export const NAME_LETTER = 8.2;

/** Width and height of a node with bars for these states; no states: the name alone. */
export function nodeSize(name: string, states: readonly string[]): [number, number] {
  const letters = Math.min([...name].length, 26);
  const bars = states.length;
  if (bars === 0) return [Math.max(64, Math.round(letters * NAME_LETTER + 32)), 34];
  const rows = bars > BAR_ROWS ? BAR_ROWS + 1 : bars;
  return [Math.max(164 + labelWidth(states) - LABEL, Math.round(letters * NAME_LETTER + 36)), HEAD + rows * ROW + 8];
}
