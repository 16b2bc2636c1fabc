// Rows of a probability table.

/** The parents' states of a row; the last parent runs fastest. */
export function tableRowStates(parentStates: string[][], row: number): string[] {
  const found: string[] = [];
  let rest = row;
  for (const states of [...parentStates].reverse()) {
    found.unshift(states[rest % states.length] ?? "");
    rest = Math.floor(rest / states.length);
  }
  return found;
}
