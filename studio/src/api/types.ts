// The documents of the API, as the server writes them. Those of results stand in results.ts.
import type { Graph, Result, ResultEntry } from "./results";

export type * from "./results";

export type Cells = (string | null)[][];

export interface ApiProblem {
  code: string;
  message: string;
  subject?: string | null;
  options?: string[];
  evidence?: Record<string, string>;
  conflicts?: Conflict[];
}

export interface Conflict {
  summary: string;
  statements: string[];
}

export type ColumnKind = "category" | "number" | "ordered";

export interface ColumnEdit {
  rename?: string;
  exclude?: boolean;
  kind?: ColumnKind | null;
  cut_points?: number[];
  rule?: string;
  states?: string[];
  rare?: number;
}

export type EdgeStatement = string | [string, string];
export type Tier = string[] | { nodes: string[]; inner?: boolean };

export interface Knowledge {
  dagwright_knowledge?: number;
  required?: EdgeStatement[];
  forbidden?: EdgeStatement[];
  tiers?: Tier[];
  max_parents?: Record<string, number>;
  [other: string]: unknown;
}

export interface LearnSettings {
  search?: string | null;
  score?: string | null;
  structure_prior?: string | null;
  time_limit?: number | null;
  seed?: number | null;
  threads?: number | null;
}

export type Evidence = Record<string, string | number | Record<string, number>>;
export type Positions = Record<string, [number, number]>;

export interface View {
  step?: StepName;
  laid?: string[];
  bare?: boolean;
  moved?: boolean;
  bars?: boolean;
  strength?: number;
  [other: string]: unknown;
}

export type StepName = "data" | "knowledge" | "learn" | "look" | "ask" | "doubt" | "edit" | "take";

export interface State {
  data: { id: string; name: string; bytes: number; origin: string } | null;
  reading: Record<string, unknown>;
  columns: Record<string, ColumnEdit>;
  weights: string | null;
  missing: string | null;
  knowledge: Knowledge;
  learn: LearnSettings;
  shown: string | null;
  compared: string | null;
  positions: Positions;
  evidence: Evidence;
  interventions: Record<string, string | number>;
  groups: Record<string, string[]>;
  view: View;
}

export interface Project {
  id: string;
  name: string;
  revision: number;
  saved: string;
  state: State;
}

/** A project with the list of its results and the one shown. */
export interface Opened {
  project: Project;
  results: ResultEntry[];
  shown: Result | null;
}

export interface ProjectEntry {
  id: string;
  name: string;
  saved: string;
  bytes: number;
  revision: number;
}

export interface Samples {
  samples: { name: string; about: string; bytes: number }[];
  networks: { name: string; nodes: number; arcs: number }[];
}

export interface Histogram {
  edges: number[];
  counts: number[];
  cut_points: number[];
  min: number;
  max: number;
  scale: "number" | "date" | "datetime";
}

export interface Column {
  name: string;
  shown: string;
  kind: string;
  why: string;
  ordered: boolean;
  distinct: number;
  states: string[];
  missing: number;
  flags: string[];
  action: string;
  usable: boolean;
  excluded: boolean;
  left_out: string | null;
  kept_numbers: boolean;
  bars: { state: string; rows: number }[];
  other_rows?: number;
  histogram: Histogram | null;
}

export interface Missingness {
  n_rows: number;
  complete_rows: number;
  columns: Record<string, number>;
  patterns: { columns: string[]; rows: number }[];
  dependences: { column: string; known: string; statistic: number; df: number; p_value: number }[];
  alpha: number;
}

export interface DataReport {
  summary: string;
  n_rows: number;
  N: number;
  distinct_rows: number;
  notes: string[];
  columns: Column[];
  missingness: Missingness | null;
  policies: { name: string | null; label: string }[];
  rows: { columns: string[]; cells: Cells };
}

export interface MethodOption {
  name: string;
  type: "integer" | "number" | "text" | "flag" | "choice" | "names" | "method" | "other";
  optional: boolean;
  default: unknown;
  required: boolean;
  choices?: string[];
  kinds?: string[];
  help?: string;
}

export interface Method {
  kind: string;
  name: string;
  summary: string;
  citation: string | null;
  exact: boolean | null;
  gives: string | null;
  text: string;
  options: MethodOption[];
}

export interface Forecast {
  search: string;
  evaluations: number | null;
  memory: number | null;
  seconds: number | null;
  text: string;
}

export interface KnowledgeCheck {
  ok: boolean;
  conflicts: Conflict[];
  text: string;
  implied: { required: [string, string][]; forbidden: [string, string][] } | null;
}

export type JobKind = "learn" | "bootstrap" | "posterior" | "rivals" | "report" | "predict";

export interface Job {
  id: string;
  project: string;
  kind: JobKind;
  state: "queued" | "running" | "stopping" | "done" | "failed" | "cancelled" | "interrupted";
  place: number | null;
  created: string;
  started: string | null;
  ended: string | null;
  label: string;
  options: Record<string, unknown>;
  progress: {
    phase: string;
    done: number | null;
    total: number | null;
    unit: string;
    best: number | null;
    error: number | null;
    seconds: number;
  } | null;
  series: [number, number | null][];
  result: string | null;
  error: ApiProblem | null;
}

export interface Route {
  from: string;
  to: string;
  points: [number, number][];
}

export interface Layout {
  positions: Positions;
  routes: Route[];
  width: number;
  height: number;
}

export interface StateMarginal {
  node: string;
  kind: "states";
  states: string[];
  probabilities: number[];
  before: number[];
}

export type Curve = [number, number][];

export interface NumberMarginal {
  node: string;
  kind: "number";
  mean: number;
  sd: number;
  interval: [number, number];
  axis: [number, number];
  curve: Curve;
  before: { mean: number; sd: number; interval: [number, number]; curve: Curve };
}

export type Marginal = StateMarginal | NumberMarginal;

export interface Answer {
  marginals: Marginal[];
  log_probability: number | null;
  probability: number | null;
  density: boolean;
  method: string;
  unsupported: string[];
}

export interface WhatIf {
  score: number;
  before: number;
  difference: number;
  bayes_factor_log10: number | null;
  equivalent: boolean;
  knowledge: string[];
  graph: Graph;
  by_node: Record<string, number>;
}

export type Edit =
  | { do: "add_node"; node: string; states: string[] }
  | { do: "add_number"; node: string }
  | { do: "set_equation"; node: string; intercept: number[]; coefficients: Record<string, number[]>; sd: number[] }
  | { do: "remove_node"; node: string }
  | { do: "rename_node"; node: string; name: string }
  | { do: "set_states"; node: string; states: string[] }
  | { do: "add_state" | "remove_state"; node: string; state: string }
  | { do: "add_edge" | "remove_edge" | "turn_edge"; from: string; to: string }
  | { do: "set_table"; node: string; table: number[][]; normalize: boolean };

export interface EditForecast {
  nodes: { node: string; cells: number; before: number }[];
  warnings: string[];
  inference: { width: number; bytes: number } | null;
}

export interface Formats {
  networks: { name: string; suffix: string; summary: string; loses: string | string[] | null; holds: string }[];
  pictures: string[];
  reports: string[];
}

export interface Code {
  python: string;
  command: string;
}

export interface About {
  version: string;
  threads: number;
  limits: { upload_bytes: number; waiting_jobs: number };
  formats: string[];
  started_with: string | null;
}
