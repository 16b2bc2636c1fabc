// A small twin of the server's API for component tests: one project with the chest-clinic data, answers by enumeration.
import type { Column, Graph, Job, LearnedResult, Marginal, Method, Project, ResultEntry, State, StateNode } from "../src/api/types";

export interface MockAnswer {
  status: number;
  body: unknown;
}

export const NODES: StateNode[] = [
  table("smoke", [], [[0.5, 0.5]]),
  table("lung", ["smoke"], [[0.99, 0.01], [0.9, 0.1]]),
  table("bronc", ["smoke"], [[0.7, 0.3], [0.4, 0.6]]),
  table("xray", ["lung"], [[0.95, 0.05], [0.02, 0.98]]),
];

function table(name: string, parents: string[], rows: number[][]): StateNode {
  return { name, kind: "states", states: ["no", "yes"], parents, parent_states: parents.map(() => ["no", "yes"]), table: rows, counts: null, intervals: null, cells: rows.length * 2 };
}

export const EDGE = {
  from_mark: "none", to_mark: "arrow", undecided: false, hidden: false, given: false, strength: null, direction: null, bits: null, gain: null, p_value: null,
  decided_by: null,
} as const;
export const GRAPH: Graph = {
  kind: "cpdag",
  nodes: NODES.map((node) => node.name),
  edges: [
    { ...EDGE, from: "smoke", to: "lung", to_mark: "none", undecided: true, bits: 0.02 },
    { ...EDGE, from: "smoke", to: "bronc", given: true, bits: 0.07 },
    { ...EDGE, from: "lung", to: "xray", bits: 0.2 },
  ],
};

export const METHODS: Method[] = [
  { kind: "search", name: "Auto", summary: "Chooses a search by the size of the problem.", citation: null, exact: null, equivalent: null, gives: null, text: "Auto()", options: [] },
  {
    kind: "search", name: "HillClimb", summary: "Greedy search over networks.", citation: null, exact: false, equivalent: null, gives: null, text: "HillClimb()",
    options: [
      { name: "max_parents", type: "integer", optional: true, default: null, required: false, choices: [], kinds: [], help: "Most parents of a node." },
      { name: "restarts", type: "integer", optional: false, default: 0, required: false, choices: [], kinds: [], help: "" },
      { name: "moves", type: "choice", optional: false, default: "all", required: false, choices: ["all", "additions"], kinds: [], help: "" },
    ],
  },
  {
    kind: "posterior", name: "OrderMCMC", summary: "Samples orders.", citation: null, exact: false, equivalent: null, gives: null, text: "OrderMCMC()",
    options: [{ name: "samples", type: "integer", optional: false, default: 2000, required: false, choices: [], kinds: [], help: "Networks of each chain." }],
  },
  { kind: "score", name: "BIC", summary: "Bayesian information criterion.", citation: "Schwarz, 1978", exact: null, equivalent: null, gives: null, text: "BIC()", options: [] },
];

const LEARNED: LearnedResult = {
  id: "r_1", kind: "learned", name: "Exact() with BIC", created: "2026-11-17T12:00:00Z", job: "j_1", of: null, request: { data: null, reading: {}, columns: {}, weights: null, missing: null, knowledge: {}, learn: {} }, notes: {}, trace: [], graph: GRAPH, dag: GRAPH, method: "Exact()", score: -11023.4,
  score_name: "BIC", score_definition: "", optimal: true, gap: null, stopped: null, evaluations: 57, seconds: 0.4, assumptions: ["Rows are independent."], warnings: ["lung has few rows."],
  text: "", fitted: true, why_not_fitted: null, confidence: null,
};

/** P(node | evidence, interventions) for all nodes, by summing over all states. */
export function enumerate(evidence: Record<string, unknown>, interventions: Record<string, string>): { marginals: number[][]; probability: number } {
  const sums = NODES.map((node) => node.states.map(() => 0));
  let total = 0;
  for (let code = 0; code < 2 ** NODES.length; code++) {
    const value = NODES.map((_, i) => (code >> i) & 1);
    let weight = 1;
    NODES.forEach((node, i) => {
      const own = value[i] ?? 0;
      const fixed = interventions[node.name];
      const row = node.parents.length ? (value[NODES.findIndex((one) => one.name === node.parents[0])] ?? 0) : 0;
      weight *= fixed === undefined ? (node.table?.[row]?.[own] ?? 0) : Number(node.states[own] === fixed);
      const seen = evidence[node.name];
      if (typeof seen === "string") weight *= Number(node.states[own] === seen);
      else if (seen) weight *= (seen as Record<string, number>)[node.states[own] ?? ""] ?? 0;
    });
    total += weight;
    value.forEach((own, i) => ((sums[i] as number[])[own] = (sums[i]?.[own] ?? 0) + weight));
  }
  return { marginals: sums.map((row) => row.map((value) => value / total)), probability: total };
}

export class MockServer {
  project: Project | null = null;
  jobs: Job[] = [];
  requests: { method: string; path: string; query: string; body: unknown }[] = [];
  /** The strengths of the edges, once a bootstrap has ended. */
  strengths: number[] | null = null;
  /** The ids of further results like the first. */
  more: string[] = [];
  conflicts = 0;
  /** What another tab changes where there is a conflict. */
  theirs: Partial<State> = { missing: "drop" };
  forgotten: string[] = [];
  /** Why changes are refused, if so. */
  refuses: string | null = null;
  /** Why files cannot be read, if so. */
  unreadable: string | null = null;
  /** What the network answers to any evidence: that it is impossible. */
  impossible: string | null = null;
  conflictsOfKnowledge: { summary: string; statements: string[] }[] = [];
  columns: Column[] = [column("smoke"), column("lung"), column("bronc"), column("xray"), number("age")];

  entries(): ResultEntry[] {
    const first: ResultEntry = { id: "r_1", kind: "learned", name: LEARNED.name, created: LEARNED.created, job: "j_1", of: null, score: LEARNED.score, nodes: 4, edges: 3, file: null, session: null };
    const all = [first, ...this.more.map((id) => ({ ...first, id, name: `result ${id}` }))];
    return all.filter((one) => !this.forgotten.includes(one.id) && this.project?.id === "p_1");
  }

  confidenceEntry(): ResultEntry {
    return { id: "r_9", kind: "confidence", name: "bootstrap", created: LEARNED.created, job: "j_9", of: "r_1", score: null, nodes: 4, edges: 3, file: null, session: null };
  }

  private learned(id: string): LearnedResult {
    const strengths = this.strengths;
    if (!strengths) return { ...LEARNED, id };
    return { ...LEARNED, id, confidence: "r_9", graph: { ...GRAPH, edges: GRAPH.edges.map((edge, i) => ({ ...edge, strength: strengths[i] ?? 0 })) } };
  }

  make(filled = true): Project {
    const state: State = {
      data: !filled ? null : { id: "d_1", name: "clinic.csv", bytes: 181234, origin: "sample:asia" }, reading: {}, columns: {}, weights: null, missing: null, knowledge: {}, learn: { search: "Auto()" },
      shown: null, compared: null, positions: {}, evidence: {}, interventions: {}, groups: {}, view: {},
    };
    if (!filled) this.forgotten = ["r_1"];
    this.project = { id: "p_1", name: "clinic", revision: 1, saved: "2026-11-17T12:00:00Z", state };
    return this.project;
  }

  answer(method: string, address: string, body: Record<string, unknown>): MockAnswer {
    const path = address.split("?")[0] ?? "";
    this.requests.push({ method, path, query: address.split("?")[1] ?? "", body });
    if (path.endsWith("knowledge/export"))
      return address.endsWith("=txt") ? { status: 422, body: { error: { code: "format", message: "Tetrad's form cannot say 'root: smoke'; save as .toml or .json" } } } : { status: 200, body: {} };
    const found = this.route(`${method} ${path.replace("/api/projects/p_1/", "")}`, body);
    return found ?? { status: 404, body: { error: { code: "not_found", message: `nothing at ${path}` } } };
  }

  private route(what: string, body: Record<string, unknown>): MockAnswer | null {
    const ok = (value: unknown, status = 200): MockAnswer => ({ status, body: value });
    switch (what) {
      case "GET /api/about": return ok({ version: "0.4.0", threads: 2, limits: { upload_bytes: 1e9, waiting_jobs: 100 }, formats: [".csv"], network_formats: [".bif", ".json"], started_with: null });
      case "GET /api/samples": return ok({ samples: [{ name: "asia", about: "5,000 rows", bytes: 1 }], networks: [{ name: "alarm", nodes: 37, arcs: 46 }] });
      case "GET /api/methods": return ok({ methods: METHODS });
      case "GET /api/formats": return ok({ networks: [{ name: "bif", suffix: ".bif", summary: "Interchange", loses: "", holds: "network" }], pictures: ["svg", "png"], reports: ["html", "md"] });
      case "GET /api/projects": return ok({ projects: [] });
      case "POST /api/projects": return ok(this.make("sample" in body || "network" in body), 201);
      case "GET opened": return ok({ project: this.project, results: this.entries(), shown: null });
      case "GET /api/projects/p_1": return ok(this.project);
      case "PATCH /api/projects/p_1": return this.patch(body);
      case "GET data/report": return this.unreadable ? this.refused() : ok({ summary: "", n_rows: 5000, N: 5000, distinct_rows: 71, notes: [], columns: this.columns, missingness: null, policies: [], rows: { columns: ["smoke"], cells: [["no"]] } });
      case "POST knowledge/check": return ok({ ok: this.conflictsOfKnowledge.length === 0, conflicts: this.conflictsOfKnowledge, text: "", implied: null });
      case "POST data": return this.fromFile({ data: { id: "d_2", name: "new.csv", bytes: 9, origin: "upload" }, reading: {}, columns: {}, weights: null, missing: null }, true);
      case "POST data/sample": return this.fromFile({ data: { id: "d_3", name: "asia.csv", bytes: 9, origin: "sample:asia" }, reading: {}, columns: {}, weights: null, missing: null }, true);
      case "POST knowledge/import": return this.fromFile({ knowledge: { dagwright_knowledge: 1, max_parents: 2 } }, false);
      case "DELETE /api/projects/p_1": this.project = null; return ok(null, 204);
      case "DELETE results/r_1": this.forgotten = ["r_1"]; return ok(null, 204);
      case "POST results/r_1/restore": this.forgotten = []; return ok(this.entries()[0]);
      case "GET results": return ok({ results: this.entries() });
      case "POST networks/import": return this.unreadable ? this.refused() : ok({ id: "r_1" }, 201);
      case "GET results/r_1": return ok(this.learned("r_1"));
      case "GET results/r_2": return ok(this.learned("r_2"));
      case "GET results/r_3": return ok(this.learned("r_3"));
      case "PATCH results/r_1": return ok({ ...this.entries()[0], name: body["name"] });
      case "POST compare": return ok({ text: "", shd: 2, equivalent: false, missing: [], extra: [], reversed: [], score_gain: 1, same_data: true, first: GRAPH, second: GRAPH, edges: [] });
      case "GET picture": return { status: 422, body: { error: { code: "option", message: "PNG needs the package resvg-py" } } };
      case "GET code": return ok({ python: "import dagwright as dw", command: "dagwright learn clinic.csv" });
      case "POST forecast": return ok({ search: "Exact()", evaluations: 57, memory: 1024, seconds: 0.01, text: "Exact(): at most 57 families" });
      case "POST layout": return ok({ positions: Object.fromEntries(GRAPH.nodes.map((name, i) => [name, [i * 200, (i % 2) * 150]])), routes: [], width: 800, height: 300 });
      case "POST ask": return this.ask(body);
      case "POST ask/informative": return ok({ items: [{ node: "smoke", bits: 0.1 }] });
      case "POST node": return ok(NODES.find((node) => node.name === body["node"]));
      case "POST edge": return ok({ start: body["from"], end: body["to"], present: true, facts: [["independence test", "G² 512 on 1 df"]], text: "", rival: null });
      case "POST jobs": return ok(this.job(body), 202);
      default: return null;
    }
  }

  private refused(): MockAnswer {
    return { status: 422, body: { error: { code: "format", message: this.unreadable } } };
  }

  private fromFile(change: Partial<State>, data: boolean): MockAnswer {
    if (this.unreadable || !this.project) return this.refused();
    const project = (this.project = { ...this.project, revision: this.project.revision + 1, state: { ...this.project.state, ...change } });
    return { status: 200, body: data ? { project, report: this.route("GET data/report", {})?.body } : project };
  }

  private patch(body: Record<string, unknown>): MockAnswer {
    const project = this.project;
    if (!project) return { status: 404, body: { error: { code: "not_found", message: "no project" } } };
    if (this.refuses) return { status: 400, body: { error: { code: "bad_request", message: this.refuses } } };
    if (this.conflicts > 0) {
      this.conflicts--;
      this.project = { ...project, revision: project.revision + 1, state: { ...project.state, ...this.theirs } };
    }
    if (this.project && body["revision"] !== this.project.revision)
      return { status: 409, body: { error: { code: "conflict", message: "the project was changed elsewhere" }, project: this.project } };
    this.project = { ...(this.project ?? project), name: (body["name"] as string | undefined) ?? project.name, revision: (this.project ?? project).revision + 1, state: { ...(this.project ?? project).state, ...(body["change"] as Partial<State>) } };
    return { status: 200, body: this.project };
  }

  private ask(body: Record<string, unknown>): MockAnswer {
    if (this.impossible) return { status: 422, body: { error: { code: "impossible_evidence", message: this.impossible } } };
    const now = enumerate((body["evidence"] ?? {}) as Record<string, unknown>, (body["interventions"] ?? {}) as Record<string, string>);
    const before = enumerate({}, {});
    const marginals = NODES.map((node, i): Marginal => ({ node: node.name, kind: "states", states: node.states, probabilities: now.marginals[i] ?? [], before: before.marginals[i] ?? [] }));
    return { status: 200, body: { marginals, log_probability: Math.log(now.probability), probability: now.probability, density: false, method: "exact", unsupported: [] } };
  }

  job(body: Record<string, unknown>, state: Job["state"] = "running"): Job {
    const job: Job = {
      id: `j_${this.jobs.length + 1}`, project: "p_1", kind: body["kind"] as Job["kind"], state, place: null, created: "2026-11-17T12:00:00Z", started: "2026-11-17T12:00:00Z", ended: null, label: "Auto() with BIC",
      options: {}, progress: { phase: "hill climbing", done: 120, total: 200, unit: "steps", best: -11023.4, error: null, seconds: 1.2 }, series: [[0.1, -12000], [0.5, -11500], [1.2, -11023.4]], result: null, error: null,
    };
    this.jobs = [job, ...this.jobs];
    return job;
  }
}

export function column(name: string): Column {
  return { name, shown: name, kind: "category", why: "two distinct texts", ordered: false, numeric: false, distinct: 2, states: ["no", "yes"], missing: 0, flags: [], action: "used with 2 states", usable: true, excluded: false, left_out: null, kept_numbers: false, bars: [{ state: "no", rows: 2513 }, { state: "yes", rows: 2487 }], other_rows: 0, histogram: null, numbers: null };
}

export function number(name: string): Column {
  return { ...column(name), kind: "continuous", kept_numbers: true, bars: [{ state: "below 40", rows: 3000 }, { state: "40 and above", rows: 2000 }], histogram: { edges: [0, 20, 40, 60, 80], counts: [900, 2100, 1500, 500], cut_points: [40], min: 0, max: 80, scale: "number" } };
}
