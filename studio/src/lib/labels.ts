// Where along its edge a label stands, so that it covers no node and no other label.
// An optional label also covers no line of the edges that are not optional.
import type { Box, Drawn, Point } from "./paths";

export interface Labelled {
  text: string;
  drawn: Drawn;
  /** A label that is left out where it would cover something; a table has it too. */
  optional?: boolean;
  /** With a mark in its middle, which its label does not cover. */
  marked?: boolean;
}

const LETTER = 6.6;
const HEIGHT = 15;
const SHARES = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82];

export const labelBox = (text: string, at: Point): Box => ({ x: at.x, y: at.y, width: LETTER * [...text].length + 4, height: HEIGHT });

function shared(a: Box, b: Box): number {
  const wide = (a.width + b.width) / 2 - Math.abs(a.x - b.x);
  const high = (a.height + b.height) / 2 - Math.abs(a.y - b.y);
  return wide > 0 && high > 0 ? wide * high : 0;
}

/** Points close enough together that a line through a label has one of them in it. */
const pointsOf = (drawn: Drawn): Point[] => Array.from({ length: 49 }, (_, i) => drawn.along(i / 48));
const holds = (box: Box, at: Point): boolean => Math.abs(at.x - box.x) < box.width / 2 && Math.abs(at.y - box.y) < box.height / 2;

/** For each edge the share of its way at which its label stands, null for none; the first ones choose first. */
export function labelShares(edges: readonly Labelled[], nodes: readonly Box[]): (number | null)[] {
  const taken = [...nodes];
  const lines = edges.some((edge) => edge.optional && edge.text) ? edges.filter((edge) => !edge.optional).flatMap((edge) => pointsOf(edge.drawn)) : [];
  return edges.map(({ text, drawn, optional, marked }) => {
    if (!text) return 0.5;
    let best = { share: 0.5, covers: Infinity };
    for (const share of marked ? SHARES.filter((one) => Math.abs(one - 0.5) > 0.2) : SHARES) {
      const box = labelBox(text, drawn.along(share));
      const crossed = optional ? lines.filter((at) => holds(box, at)).length : 0;
      const covers = crossed + taken.reduce((sum, other) => sum + shared(box, other), 0);
      if (covers < best.covers) best = { share, covers };
      if (covers === 0) break;
    }
    if (optional && best.covers > 0) return null;
    taken.push(labelBox(text, drawn.along(best.share)));
    return best.share;
  });
}
