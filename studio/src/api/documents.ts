// The documents of the API, made by tools/page_types.py from the schemas of the server. Do not edit.
/* eslint max-lines: off */

export interface About {
  version: string;
  threads: number;
  limits: Limits;
  formats: string[];
  network_formats: string[];
  started_with: string | null;
}

export interface Answer {
  marginals: (StateMarginal | NumberMarginal)[];
  log_probability: number | null;
  probability: number | null;
  density: boolean;
  method: string;
  unsupported: string[];
}

export interface ArcChange {
  do: "add" | "remove" | "turn";
  from: string;
  to: string;
}

export interface Asked {
  model: string;
  evidence?: Record<string, string | number | boolean | Record<string, number>>;
  interventions?: Record<string, string | number | boolean | Record<string, number>>;
}

export interface Bar {
  state: string;
  rows: number;
}

export interface BuiltinNetwork {
  name: string;
  nodes: number;
  arcs: number;
}

export interface Cells {
  columns: string[];
  cells: (string | null)[][];
}

export interface Change {
  revision: number;
  change?: PartialState;
  label?: string;
  name?: string;
}

export interface Checked {
  knowledge?: Record<string, unknown>;
  names?: string[] | null;
}

export interface Code {
  python: string;
  command: string;
}

export interface Column {
  name: string;
  shown: string;
  kind: string;
  why: string;
  ordered: boolean;
  numeric: boolean;
  distinct: number;
  states: string[];
  missing: number;
  flags: string[];
  action: string;
  usable: boolean;
  excluded: boolean;
  left_out: string | null;
  kept_numbers: boolean;
  bars: Bar[];
  other_rows: number;
  histogram: Histogram | null;
  numbers: Record<string, unknown> | null;
}

export interface ColumnEdit {
  rename?: string | null;
  exclude?: boolean;
  kind?: "category" | "number" | "ordered" | null;
  cut_points?: number[] | null;
  rule?: string | null;
  states?: (string | number | boolean)[] | null;
  rare?: number | null;
  part?: "year" | "quarter" | "month" | "weekday" | "day" | "hour" | null;
}

export interface Compared {
  first: string;
  second: string;
}

export interface ComparedEdge {
  from: string;
  to: string;
  from_mark: "none" | "arrow" | "circle";
  to_mark: "none" | "arrow" | "circle";
  in: "both" | "first" | "second" | "changed";
}

export interface Comparison {
  text: string;
  shd: number | null;
  equivalent: boolean;
  missing: string[][];
  extra: string[][];
  reversed: string[][];
  score_gain: number | null;
  same_data: boolean | null;
  first: Graph;
  second: Graph;
  edges: ComparedEdge[];
}

export interface ConfidenceResult {
  id: string;
  name: string;
  created: string;
  job: string;
  of: string | null;
  request: Request;
  options?: JobOptions;
  kind: "confidence";
  graph: Graph;
  source: string;
  nodes: string[];
  edges: EdgeConfidence[];
  diagnostics: Record<string, unknown>;
  warnings: string[];
  stopped?: string | null;
  log_evidence?: number | null;
  evidence_name?: string;
  basis?: string | null;
}

export interface Conflict {
  summary: string;
  statements: string[];
}

export interface DataFile {
  id: string;
  name: string;
  bytes: number;
  origin: string;
}

export interface DataReport {
  summary: string;
  n_rows: number;
  N: number;
  distinct_rows: number;
  merged_rows: number;
  notes: string[];
  columns: Column[];
  missingness: Missingness | null;
  policies: Policy[];
  rows: Cells;
}

export interface DataTaken {
  project: Project;
  report: DataReport;
}

export interface EdgeAsked {
  result: string;
  from: string;
  to: string;
  rival?: boolean;
}

export interface EdgeCard {
  start: string;
  end: string;
  present: boolean;
  given: string[];
  gains: Record<string, number | null>;
  g2: number;
  df: number;
  p_value: number;
  log_p: number | null;
  test: string;
  bits: number;
  bic_level: number | null;
  strength: number | null;
  direction: number | null;
  interval: [number, number] | null;
  knowledge: string;
  decided_by: string;
  rival: RivalNote | null;
  fourfold: Record<string, unknown> | null;
  effect: Record<string, unknown> | null;
  start_states: string[];
  end_states: string[];
  rows: number;
  rows_in_all: number;
  rows_in_words: string;
  facts: [string, string][];
  text: string;
}

export interface EdgeConfidence {
  start: string;
  end: string;
  strength: number;
  direction: number | null;
  low: number | null;
  high: number | null;
  direction_low: number | null;
  direction_high: number | null;
}

export interface Edit {
  do: "add_node" | "add_number" | "remove_node" | "rename_node" | "set_states" | "add_state" | "remove_state" | "add_edge" | "remove_edge" | "turn_edge" | "set_table" | "set_equation";
  node?: string;
  name?: string;
  states?: string[];
  state?: string;
  from?: string;
  to?: string;
  table?: number[][];
  normalize?: boolean;
  intercept?: number[];
  coefficients?: Record<string, number[]>;
  sd?: number[];
}

export interface EditForecast {
  nodes: TableSize[];
  warnings: string[];
  inference: InferenceCost;
}

export interface Edits {
  edits: Edit[];
  name?: string;
}

export interface Effect {
  cause: string;
  effect: string;
  states: string[];
  rows: EffectRow[];
  adjustment_sets: string[][];
}

export interface EffectAsked {
  model: string;
  cause: string;
  effect: string;
}

export interface EffectRow {
  probabilities?: number[];
  mean?: number;
  sd?: number;
  do: string;
  seen: Outcome | null;
}

export interface Equation {
  intercept: number | null;
  coefficients: (number | null)[];
  sd: number | null;
  rows: number | null;
  errors: (number | null)[];
  text: string;
}

export interface Explanation {
  states: Record<string, string>;
  probability: number;
  density: boolean;
}

export interface ExplanationAsked {
  model: string;
  evidence?: Record<string, string | number | boolean | Record<string, number>>;
  interventions?: Record<string, string | number | boolean | Record<string, number>>;
  targets?: string[] | null;
}

export interface Forecast {
  search: string;
  evaluations: number | null;
  memory: number | null;
  seconds: number | null;
  upper: boolean;
  basis: string;
  text: string;
}

export interface ForecastOptions {
  search?: string | null;
  score?: string | null;
  structure_prior?: string | null;
  threads?: number | null;
}

export interface Formats {
  networks: NetworkFormat[];
  pictures: ("svg" | "png" | "pdf")[];
  reports: ("html" | "md" | "json")[];
}

export interface GapDependence {
  column: string;
  known: string;
  statistic: number;
  df: number;
  p_value: number;
}

export interface GapPattern {
  columns: string[];
  rows: number;
}

export interface Graph {
  kind: "dag" | "cpdag" | "pag" | "mag" | "undirected";
  nodes: string[];
  edges: GraphEdge[];
}

export interface GraphEdge {
  from: string;
  to: string;
  from_mark: "none" | "arrow" | "circle";
  to_mark: "none" | "arrow" | "circle";
  undecided: boolean;
  hidden: boolean;
  given: boolean;
  strength: number | null;
  direction: number | null;
  bits: number | null;
  gain: number | null;
  p_value: number | null;
  decided_by: string | null;
}

export interface Histogram {
  edges: number[];
  counts: number[];
  cut_points: number[];
  min: number;
  max: number;
  scale: "number" | "date" | "datetime";
}

export interface History {
  history: HistoryEntry[];
}

export interface HistoryEntry {
  revision: number;
  saved: string;
  label: string;
}

export interface Implied {
  required: [string, string][];
  forbidden: [string, string][];
}

export interface InferenceCost {
  width: number;
  bytes: number;
}

export interface InformationAsked {
  model: string;
  evidence?: Record<string, string | number | boolean | Record<string, number>>;
  interventions?: Record<string, string | number | boolean | Record<string, number>>;
  target: string;
  among?: string[] | null;
}

export interface Informative {
  target: string;
  items: InformativeNode[];
}

export interface InformativeNode {
  node: string;
  nats: number;
  bits: number;
}

export interface Intervals {
  low: number[][];
  high: number[][];
}

export interface Job {
  id: string;
  project: string;
  kind: "learn" | "bootstrap" | "posterior" | "rivals" | "report" | "predict";
  state: "queued" | "running" | "stopping" | "done" | "failed" | "cancelled" | "interrupted";
  place: number | null;
  created: string;
  started: string | null;
  ended: string | null;
  label: string;
  options: JobOptions;
  progress: Progress | null;
  series: [number, number][];
  measure?: "best" | "error" | "log_score" | null;
  result: string | null;
  error: Problem | null;
}

export interface JobList {
  jobs: Job[];
}

export interface JobOptions {
  search?: string | null;
  score?: string | null;
  structure_prior?: string | null;
  time_limit?: number | null;
  seed?: number;
  threads?: number | null;
  start?: string | null;
  result?: string | null;
  replicates?: number | null;
  draw?: string | null;
  method?: string | null;
  bayes_factor?: number | null;
  max_parents?: number | null;
  most?: number | null;
  target?: string | null;
  title?: string | null;
  format?: "html" | "md" | "json";
  model?: string;
  file?: string | null;
  probabilities?: boolean;
}

export interface KeptFile {
  file: string;
  name: string;
  bytes: number;
}

export interface KnowledgeCheck {
  ok: boolean;
  conflicts: Conflict[];
  text: string;
  implied: Implied | null;
}

export interface Layout {
  positions: Record<string, [number, number]>;
  routes: Route[];
  width: number;
  height: number;
}

export interface LayoutAsked {
  graph: string;
  sizes?: Record<string, [number, number]>;
  keep?: boolean;
  direction?: "down" | "right";
  also?: [string, string][];
}

export interface LearnSettings {
  search?: string | null;
  score?: string | null;
  structure_prior?: string | null;
  time_limit?: number | null;
  seed?: number;
  threads?: number | null;
}

export interface LearnedResult {
  id: string;
  name: string;
  created: string;
  job: string;
  of: string | null;
  request: Request;
  options?: JobOptions;
  kind: "learned";
  graph: Graph;
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
  notes: Record<string, unknown>;
  trace: unknown[];
  warnings: string[];
  text: string;
  fitted: boolean;
  why_not_fitted: string | null;
  confidence: string | null;
}

export interface Limits {
  upload_bytes: number;
  waiting_jobs: number;
}

export interface LiveNetwork {
  job: string;
  score: number;
  seconds: number;
  graph: Graph;
  positions: Record<string, [number, number]>;
}

export interface Made {
  how: "builtin" | "file" | "empty" | "copy" | "edit" | "fit";
  name?: string;
  edits?: Record<string, unknown>[];
  request?: Request;
  discretized?: boolean;
  missing?: string | null;
}

export interface Method {
  kind: string;
  name: string;
  summary: string;
  citation: string | null;
  exact: boolean | null;
  equivalent: boolean | null;
  gives: string | null;
  text: string;
  options: MethodOption[];
}

export interface MethodList {
  methods: Method[];
}

export interface MethodOption {
  name: string;
  type: "integer" | "number" | "text" | "flag" | "choice" | "names" | "method" | "other";
  optional: boolean;
  default: unknown;
  required: boolean;
  choices: string[];
  kinds: string[];
  help: string;
}

export interface MethodText {
  text: string;
  kinds: ("score" | "test" | "correction" | "prior" | "search" | "posterior" | "inference" | "estimation" | "resampling")[];
}

export interface MethodWritten {
  text: string;
}

export interface Missingness {
  n_rows: number;
  complete_rows: number;
  columns: Record<string, number>;
  patterns: GapPattern[];
  dependences: GapDependence[];
  alpha: number;
}

export interface Name {
  name: string;
}

export interface NetworkFormat {
  name: string;
  suffix: string;
  summary: string;
  loses: string | string[] | null;
  holds: string;
}

export interface NetworkResult {
  id: string;
  kind: "network";
  name: string;
  created: string;
  job: null;
  graph: Graph;
  nodes: (StateNode | NumberNode)[];
  dimension: number;
  session?: string | null;
  based_on?: string | null;
  made?: Made;
  warnings: string[];
}

export interface NewJob {
  kind: "learn" | "bootstrap" | "posterior" | "rivals" | "report" | "predict";
  options?: JobOptions;
}

export interface NewNetwork {
  name?: string;
  from?: string | null;
  builtin?: string | null;
}

export interface NewProject {
  name?: string;
  sample?: string | null;
  network?: string | null;
}

export interface NodeAsked {
  model: string;
  node: string;
}

export interface Nothing {
  name?: string;
}

export interface NumberFigures {
  mean: number;
  sd: number;
  interval: [number, number];
  curve: [number, number][];
}

export interface NumberMarginal {
  mean: number;
  sd: number;
  interval: [number, number];
  curve: [number, number][];
  node: string;
  kind: "number";
  axis: [number, number];
  before: NumberFigures;
}

export interface NumberNode {
  name: string;
  kind: "number";
  states: string[];
  parents: string[];
  given: string[];
  given_states: string[][];
  coefficients: string[];
  equations: Equation[];
  cells: number;
}

export interface Opened {
  project: Project;
  results: ResultEntry[];
  shown: LearnedResult | NetworkResult | ConfidenceResult | RivalsResult | PredictionResult | ReportResult | null;
}

export interface Outcome {
  probabilities?: number[];
  mean?: number;
  sd?: number;
}

export interface PartialState {
  data?: DataFile | null;
  reading?: Reading;
  columns?: Record<string, ColumnEdit>;
  weights?: string | null;
  missing?: "drop" | "state" | "em" | "available" | null;
  knowledge?: Record<string, unknown>;
  learn?: LearnSettings;
  shown?: string | null;
  compared?: string | null;
  positions?: Record<string, [number, number]>;
  evidence?: Record<string, string | number | boolean | Record<string, number>>;
  interventions?: Record<string, string | number | boolean | Record<string, number>>;
  groups?: Record<string, string[]>;
  view?: Record<string, unknown>;
}

export interface Policy {
  name: "drop" | "state" | "em" | "available" | null;
  label: string;
}

export interface PredictionResult {
  id: string;
  name: string;
  created: string;
  job: string;
  of: string | null;
  request: Request;
  options?: JobOptions;
  kind: "prediction";
  target: string;
  rows: number;
  preview: Cells;
  file: ResultFile;
}

export interface Problem {
  code: string;
  message: string;
  subject: string | null;
  options: string[];
  evidence?: Record<string, string>;
  conflicts?: Conflict[];
  policies?: ("drop" | "state" | "em" | "available")[];
}

export interface Progress {
  phase: string;
  done: number;
  total: number | null;
  unit: string;
  best: number | null;
  error: number | null;
  log_score?: number | null;
  seconds: number;
}

export interface Project {
  id: string;
  name: string;
  revision: number;
  saved: string;
  state: State;
}

export interface ProjectEntry {
  id: string;
  name: string;
  saved: string;
  bytes: number;
  revision: number;
}

export interface ProjectList {
  projects: ProjectEntry[];
}

export interface Reading {
  separator?: string;
  decimal?: "." | ",";
  quote?: string | null;
  encoding?: string;
  header?: boolean;
  sheet?: string | number;
  missing_values?: string[];
}

export interface Refused {
  error: Problem;
  project?: Project;
}

export interface ReportResult {
  id: string;
  name: string;
  created: string;
  job: string;
  of: string | null;
  request: Request;
  options?: JobOptions;
  kind: "report";
  title: string;
  file: ResultFile;
}

export interface Request {
  data: DataFile | null;
  reading: Record<string, unknown>;
  columns: Record<string, unknown>;
  weights: string | null;
  missing: string | null;
  knowledge: Record<string, unknown>;
  learn: Record<string, unknown>;
}

export interface ResultEntry {
  id: string;
  kind: "learned" | "network" | "confidence" | "rivals" | "report" | "prediction";
  name: string;
  created: string;
  job: string | null;
  of: string | null;
  score: number | null;
  nodes: number | null;
  edges: number | null;
  file: ResultFile | null;
  session: string | null;
}

export interface ResultFile {
  name: string;
  bytes: number;
  type: string;
}

export interface ResultList {
  results: ResultEntry[];
}

export interface Revision {
  revision: number;
  saved: string;
  label: string;
  state: State;
}

export interface RivalNetwork {
  score: number;
  probability: number | null;
  graph: Graph;
  class: number;
  missing: [string, string][];
  extra: [string, string][];
  reversed: [string, string][];
}

export interface RivalNote {
  loss: number;
  instead: [string, string][];
}

export interface RivalsResult {
  id: string;
  name: string;
  created: string;
  job: string;
  of: string | null;
  request: Request;
  options?: JobOptions;
  kind: "rivals";
  best: number | null;
  within: number | null;
  stopped: string | null;
  count: number;
  networks: RivalNetwork[];
}

export interface Route {
  from: string;
  to: string;
  points: [number, number][];
}

export interface Sample {
  name: string;
  about: string;
  bytes: number;
  weights: string | null;
}

export interface SampleAsked {
  sample: string;
  revision?: number;
}

export interface Samples {
  samples: Sample[];
  networks: BuiltinNetwork[];
}

export interface SensitiveEntry {
  node: string;
  state: string;
  configuration: Record<string, string>;
  entry: number;
  derivative: number;
  low: number | null;
  high: number | null;
}

export interface Sensitivity {
  value: number;
  items: SensitiveEntry[];
  complete: boolean;
}

export interface SensitivityAsked {
  model: string;
  evidence?: Record<string, string | number | boolean | Record<string, number>>;
  interventions?: Record<string, string | number | boolean | Record<string, number>>;
  target: string;
  state: string;
}

export interface State {
  data: DataFile | null;
  reading: Reading;
  columns: Record<string, ColumnEdit>;
  weights: string | null;
  missing: "drop" | "state" | "em" | "available" | null;
  knowledge: Record<string, unknown>;
  learn: LearnSettings;
  shown: string | null;
  compared: string | null;
  positions: Record<string, [number, number]>;
  evidence: Record<string, string | number | boolean | Record<string, number>>;
  interventions: Record<string, string | number | boolean | Record<string, number>>;
  groups: Record<string, string[]>;
  view: Record<string, unknown>;
}

export interface StateMarginal {
  node: string;
  kind: "states";
  states: string[];
  probabilities: number[];
  before: number[];
}

export interface StateNode {
  name: string;
  kind: "states";
  states: string[];
  parents: string[];
  parent_states: string[][];
  table: number[][] | null;
  counts: number[][] | null;
  intervals: Intervals | null;
  cells: number;
}

export interface TableSize {
  node: string;
  cells: number;
  before: number | null;
}

export interface WhatIf {
  score: number | null;
  before: number | null;
  difference: number | null;
  bayes_factor_log10: number | null;
  equivalent: boolean;
  knowledge: string[];
  graph: Graph;
  by_node: Record<string, number | null>;
  definition: string;
}

export interface WhatIfAsked {
  result: string;
  changes: ArcChange[];
}
