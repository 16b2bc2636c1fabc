// The documents of the API by the names that the page uses. The server declares them (documents.ts); what it takes as any
// object, but the page itself writes, is told more exactly here.
import type * as api from "./documents";

export type {
  About, Answer, Bar, Cells, Code, Column, ColumnEdit, Comparison, Conflict, ConfidenceResult, DataReport, DataTaken, EdgeCard, EditForecast,
  Effect, Explanation, Forecast, Formats, Graph, GraphEdge, Histogram, Informative, Job, JobOptions, KnowledgeCheck, Layout, LearnedResult,
  LearnSettings, LiveNetwork, Method, MethodOption, Missingness, NetworkResult, NumberMarginal, NumberNode, Outcome, PredictionResult,
  ProjectEntry, Reading, ReportResult, ResultEntry, ResultFile, RivalsResult, Route, Samples, Sensitivity, StateMarginal, StateNode, WhatIf,
} from "./documents";

export type Result = api.LearnedResult | api.NetworkResult | api.ConfidenceResult | api.RivalsResult | api.PredictionResult | api.ReportResult;
export type NodeTable = api.StateNode | api.NumberNode;
export type Marginal = api.StateMarginal | api.NumberMarginal;
export type Mark = api.GraphEdge["from_mark"];
export type Curve = api.NumberFigures["curve"];
export type ColumnKind = NonNullable<api.ColumnEdit["kind"]>;
export type JobKind = api.Job["kind"];
export type Positions = api.Layout["positions"];
export type Evidence = Record<string, string | number | Record<string, number>>;
export type Interventions = Record<string, string | number>;

/** A problem as the page knows it: one of its own making has no more than a code and words. */
export type ApiProblem = Pick<api.Problem, "code" | "message"> & Partial<api.Problem>;

/** "a -> b", ["a", "b"] or ["a", "->", "b"]; other texts, such as chains, stay as they are. */
export type EdgeStatement = string | string[];
export type Tier = string[] | { nodes: string[]; inner?: boolean };

export interface Knowledge {
  dagwright_knowledge?: number;
  required?: EdgeStatement[];
  forbidden?: EdgeStatement[];
  tiers?: Tier[];
  /** One number is a limit for all variables; in a table that is the one of "*". */
  max_parents?: number | Record<string, number>;
  [other: string]: unknown;
}

export type StepName = "data" | "knowledge" | "learn" | "look" | "ask" | "doubt" | "edit" | "take";

export interface View {
  /** Of each network that was edited by hand the version that was last worked on. */
  versions?: Record<string, string>;
  step?: StepName;
  laid?: string[];
  bare?: boolean;
  moved?: boolean;
  bars?: boolean;
  strength?: number;
  [other: string]: unknown;
}

export type State = Omit<api.State, "knowledge" | "view" | "evidence" | "interventions"> & { knowledge: Knowledge; view: View; evidence: Evidence; interventions: Interventions };
export type Project = Omit<api.Project, "state"> & { state: State };
export type Opened = Omit<api.Opened, "project"> & { project: Project };

/** One change of a network; the server takes these fields and checks that those of the kind are there. */
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
