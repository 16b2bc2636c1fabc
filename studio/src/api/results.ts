// Results as the server writes them: learned graphs, networks, confidence, rivals, files.
import type { Cells } from "./types";

export interface ResultFile {
  name: string;
  bytes: number;
  type: string;
}

export interface ResultEntry {
  id: string;
  kind: "learned" | "network" | "confidence" | "rivals" | "report" | "prediction";
  name: string;
  created: string;
  job: string | null;
  score: number | null;
  nodes: number | null;
  edges: number | null;
  file: ResultFile | null;
}

export type Mark = "none" | "arrow" | "circle";

export interface GraphEdge {
  from: string;
  to: string;
  from_mark: Mark;
  to_mark: Mark;
  undecided?: boolean;
  hidden?: boolean;
  given?: boolean;
  strength?: number | null;
  direction?: number | null;
  bits?: number | null;
  gain?: number | null;
  p_value?: number | null;
  decided_by?: string | null;
}

export interface Graph {
  kind: string;
  nodes: string[];
  edges: GraphEdge[];
}

export interface StateNode {
  name: string;
  kind: "states";
  states: string[];
  parents: string[];
  parent_states: string[][];
  table: number[][] | null;
  counts: number[][] | null;
  intervals: { low: number[][]; high: number[][] } | null;
  cells: number;
}

/** A number: one equation for each configuration of its discrete parents. */
export interface NumberNode {
  name: string;
  kind: "number";
  states: string[];
  parents: string[];
  given: string[];
  given_states: string[][];
  coefficients: string[];
  equations: { intercept: number; coefficients: number[]; sd: number; rows: number | null; errors: (number | null)[]; text: string }[];
  cells: number;
}

export type NodeTable = StateNode | NumberNode;

interface ResultBase {
  id: string;
  name: string;
  created: string;
  graph: Graph;
}

export interface LearnedResult extends ResultBase {
  kind: "learned";
  job: string | null;
  request: Record<string, unknown>;
  dag: Graph | null;
  method: string;
  score: number | null;
  score_name: string | null;
  score_definition: string | null;
  optimal: boolean;
  gap: number | null;
  stopped: string | null;
  evaluations: number | null;
  seconds: number | null;
  assumptions: string[];
  warnings: string[];
  text: string;
  fitted: boolean;
  why_not_fitted: string | null;
}

export interface NetworkResult extends ResultBase {
  kind: "network";
  nodes: NodeTable[];
  dimension: number;
  based_on?: string | null;
  warnings?: string[];
}

export interface ConfidenceResult extends ResultBase {
  kind: "confidence";
  source: string;
  nodes: string[];
  links: {
    start: string;
    end: string;
    strength: number;
    direction: number | null;
    low: number | null;
    high: number | null;
    direction_low: number | null;
    direction_high: number | null;
  }[];
  diagnostics: Record<string, unknown> | null;
  warnings: string[];
}

export interface RivalsResult {
  id: string;
  kind: "rivals";
  name: string;
  created: string;
  best: number;
  within: number | null;
  stopped: string | null;
  count: number;
  networks: {
    score: number;
    probability: number | null;
    graph: Graph;
    class: number | null;
    missing: [string, string][];
    extra: [string, string][];
    reversed: [string, string][];
  }[];
}

export interface PredictionResult {
  id: string;
  kind: "prediction";
  name: string;
  created: string;
  target: string;
  rows: number;
  preview: { columns: string[]; cells: Cells };
  file: ResultFile;
}

export interface ReportResult {
  id: string;
  kind: "report";
  name: string;
  created: string;
  file: ResultFile;
}

export type Result = LearnedResult | NetworkResult | ConfidenceResult | RivalsResult | PredictionResult | ReportResult;

export interface EdgeCard {
  start: string;
  end: string;
  present: boolean;
  facts: [string, string][];
  text: string;
  rival: { loss: number; instead: [string, string][] } | null;
}

export interface Comparison {
  text: string;
  shd: number | null;
  equivalent: boolean | null;
  missing: [string, string][];
  extra: [string, string][];
  score_gain: number | null;
  same_data: boolean | null;
  first: Graph;
  second: Graph;
  edges: { from: string; to: string; in: "both" | "first" | "second" | "changed"; from_mark: Mark; to_mark: Mark }[];
}
