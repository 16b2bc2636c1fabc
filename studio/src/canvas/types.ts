import type { Curve, Mark } from "../api/types";

/** Pixels of the dot at a node from which edges are drawn. */
export const GRIP = 14;

/** One bar of a node: a state, its probability now and before. */
export interface BarRow {
  state: string;
  now: number;
  before: number | null;
  chosen: boolean;
}

/** The distribution of a number in its node: curves on one axis, mean and spread in words. */
export interface DensityLook {
  words: string;
  ends: [string, string];
  now: Curve;
  before: Curve | null;
  chosen: boolean;
}

export interface CanvasNode {
  name: string;
  size: [number, number];
  bars: BarRow[];
  density: DensityLook | null;
  tone: "plain" | "evidence" | "do" | "new";
  dim: boolean;
  note: string;
}

/** What an edge means: color and dashes follow the pictures (dagwright.show), see EdgeLine. */
export type EdgeTone = "plain" | "undecided" | "hidden" | "intervened" | "forbidden" | "first" | "second" | "changed" | "faint";

export interface CanvasEdge {
  from: string;
  to: string;
  from_mark: Mark;
  to_mark: Mark;
  tone: EdgeTone;
  /** Required by knowledge: a diamond. */
  given: boolean;
  width: number;
  dim: boolean;
  label: string;
  words: string;
}

export interface NodeData extends Record<string, unknown> {
  node: CanvasNode;
  asks: boolean;
  connects: boolean;
  onstate: (node: string, state: string) => void;
}

export interface EdgeData extends Record<string, unknown> {
  edge: CanvasEdge;
  from: [number, number];
  to: [number, number];
  route: [number, number][] | null;
  /** At which share of the way the label stands; null where it has no room. */
  share: number | null;
}

export interface CanvasCommands {
  fit: (names?: string[]) => void;
  zoomIn: () => void;
  zoomOut: () => void;
}
