// How edges look, as in the pictures of dagwright.show.
import type { GraphEdge } from "../api/types";
import type { CanvasEdge, EdgeTone } from "../canvas/types";
import { edgeText } from "./graph";

/** The part of a tone that the legend names. */
export const SIGNS: readonly [EdgeTone | "circle" | "given", string][] = [
  ["undecided", "direction undecided"],
  ["circle", "arrowhead or none"],
  ["hidden", "hidden common cause"],
  ["intervened", "oriented by intervention"],
  ["given", "required by knowledge"],
  ["faint", "not in this network"],
  ["first", "missing here"],
  ["second", "only here"],
  ["changed", "other direction"],
];

export const THINNEST = 0.7;
const THICKEST = 4.2;
const USUAL = 1.6;

/** The width of a line for a strength from 0 to 1. */
export const widthOf = (strength: number): number => THINNEST + (THICKEST - THINNEST) * Math.min(Math.max(strength, 0), 1);

function toneOf(edge: GraphEdge): EdgeTone {
  if (edge.undecided) return "undecided";
  if (edge.hidden) return "hidden";
  return edge.decided_by === "intervention" ? "intervened" : "plain";
}

/** An edge of a result: what it is tells its color, how strong it is its width. */
export function lookOf(edge: GraphEdge): CanvasEdge {
  const width = edge.strength ?? null;
  return {
    from: edge.from, to: edge.to, from_mark: edge.from_mark, to_mark: edge.to_mark,
    tone: toneOf(edge),
    given: edge.given,
    width: width !== null ? widthOf(width) : edge.bits === null ? USUAL : 1 + Math.min(3, 6 * edge.bits),
    dim: false,
    label: "",
    words: `${edgeText(edge)}${edge.undecided ? ", direction undecided" : ""}${edge.given ? ", required by knowledge" : ""}`,
  };
}
