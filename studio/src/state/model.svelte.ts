// What is on the canvas: the shown result, where its nodes stand, what is selected, and what the network answers.
import { ApiError, get, post } from "../api/client";
import type { Answer, Comparison, EdgeCard, Evidence, Graph, Interventions, Layout, NodeTable, Positions, Result, Route } from "../api/types";
import { valueOf, without, withValue } from "../lib/records";
import type { Scale } from "../lib/numbers";
import { curveSize, nodeSize } from "../lib/sizes";
import { studio } from "./studio.svelte";

export type Selection = { kind: "node"; name: string } | { kind: "edge"; from: string; to: string } | null;

class Model {
  shown = $state.raw<Result | null>(null);
  comparison = $state.raw<Comparison | null>(null);
  routes = $state.raw<Route[]>([]);
  routed = $state.raw<Positions>({});
  /** How often nodes got places, so that the canvas can show all of them. */
  placings = $state(0);
  private also: [string, string][] = [];
  answer = $state.raw<Answer | null>(null);
  impossible = $state.raw<string | null>(null);
  answerMs = $state<number | null>(null);
  selection = $state.raw<Selection>(null);
  card = $state.raw<EdgeCard | null>(null);
  table = $state.raw<NodeTable | null>(null);

  private loading: string | null = null;
  private asked = 0;
  private askedWith = $state("");
  private answeredWith = $state("");
  private picked = 0;
  private refreshed = "";
  private comparing = 0;
  private asking: AbortController | null = null;

  graph = $derived.by((): Graph | null => {
    const shown = this.shown;
    return shown && "graph" in shown ? shown.graph : null;
  });

  /** The name of the shown result, which a person may change. */
  name = $derived.by((): string => {
    const shown = this.shown;
    return studio.results.find((result) => result.id === shown?.id)?.name ?? shown?.name ?? "";
  });

  /** True where the shown result has probabilities to ask. */
  fitted = $derived.by((): boolean => {
    const shown = this.shown;
    return shown?.kind === "network" || (shown?.kind === "learned" && shown.fitted);
  });

  states = $derived.by((): Map<string, string[]> => {
    const shown = this.shown;
    return new Map([
      ...(studio.report?.columns ?? []).map((column) => [column.shown, column.states] as const),
      ...(this.answer?.marginals ?? []).map((marginal) => [marginal.node, marginal.kind === "states" ? marginal.states : []] as const),
      ...(shown?.kind === "network" ? shown.nodes.map((node) => [node.name, node.states] as const) : []),
    ]);
  });

  /** The nodes that are numbers, each with what its numbers count. */
  numbers = $derived.by((): Map<string, Scale> => {
    const shown = this.shown;
    const scales = new Map((studio.report?.columns ?? []).map((column) => [column.shown, column.histogram?.scale]));
    const names = [
      ...(this.answer?.marginals ?? []).filter((marginal) => marginal.kind === "number").map((marginal) => marginal.node),
      ...(shown?.kind === "network" ? shown.nodes.filter((node) => node.kind === "number").map((node) => node.name) : []),
    ];
    return new Map(names.map((name) => [name, scales.get(name) ?? "number"]));
  });

  /** True while the answer is that to what was known before. */
  asksNow = $derived.by((): boolean => this.askedWith !== this.answeredWith);

  /** Width and height of a node as it is drawn. */
  sizeOf(node: string): [number, number] {
    if (!this.bars) return nodeSize(node, []);
    return this.numbers.has(node) ? curveSize(node) : nodeSize(node, this.states.get(node) ?? []);
  }

  /** Loads the result that the project shows. */
  async follow(id: string | null): Promise<void> {
    if (!id) {
      this.clear();
      return;
    }
    if (id === this.loading) return;
    this.loading = id;
    const result = studio.takeShown(id) ?? (await studio.attempt(() => get<Result>(studio.path(`results/${id}`))));
    if (this.loading !== id) return;
    if (!result) {
      this.loading = null;
      return;
    }
    const names = "graph" in result ? new Set(result.graph.nodes) : new Set<string>();
    const selection = this.selection;
    if (selection?.kind === "node" && !names.has(selection.name)) this.selection = null;
    if (selection?.kind === "edge") this.select(null);
    this.answer = null;
    this.shown = result;
    await this.ask();
    await this.lay(false);
    if (this.selection?.kind === "node") this.select(this.selection);
  }

  /** Reads the shown result again: its edges have other strengths since a confidence was made or forgotten. */
  async refresh(confidence: string | null): Promise<void> {
    const id = this.shown?.id;
    const key = JSON.stringify([id, confidence]);
    if (!id || key === this.refreshed) return;
    this.refreshed = key;
    const result = await studio.attempt(() => get<Result>(studio.path(`results/${id}`)));
    if (!result || this.shown?.id !== id) return;
    this.shown = result;
    if (this.selection?.kind === "edge") this.select(this.selection);
  }

  clear(): void {
    this.loading = null;
    this.refreshed = "";
    this.shown = null;
    this.answer = null;
    this.comparison = null;
    this.routes = [];
    this.routed = {};
    this.also = [];
    this.selection = null;
    this.card = null;
    this.table = null;
    this.impossible = null;
  }

  get bars(): boolean {
    const wanted = studio.state?.view.bars;
    return this.fitted && (wanted ?? (this.graph?.nodes.length ?? 0) <= 80);
  }

  sizes(): Record<string, [number, number]> {
    return Object.fromEntries((this.graph?.nodes ?? []).map((node) => [node, this.sizeOf(node)]));
  }

  /** Places for nodes without one; with `tidy` all places anew. Old nodes stay where they are. */
  async lay(tidy: boolean, direction: "down" | "right" = "down"): Promise<void> {
    const state = studio.state;
    const graph = this.graph;
    if (!state || !graph || !state.shown) return;
    const laid = new Set(state.view.laid ?? []);
    const fresh = graph.nodes.filter((node) => !laid.has(node) || !state.positions[node]);
    // Nodes that grow bars would overlap; while a person has moved none of them, they are laid out again.
    const grown = this.bars && state.view.bare === true && !state.view.moved;
    const also = this.also.filter((pair) => pair.every((node) => graph.nodes.includes(node)));
    const anew = tidy || grown || fresh.length === graph.nodes.length;
    await studio.attempt(async () => {
      if (!anew && fresh.length) {
        const kept = Object.fromEntries(Object.entries(state.positions).filter(([name]) => !fresh.includes(name)));
        await studio.change({ positions: kept }, "places", false);
      }
      const layout = await post<Layout>(studio.path("layout"), { graph: state.shown, sizes: this.sizes(), keep: !anew, direction, also });
      this.routes = layout.routes;
      this.routed = layout.positions;
      const now = studio.state;
      if (!now || !(anew || fresh.length)) return;
      const placed = [...new Set([...(now.view.laid ?? []), ...graph.nodes])];
      await studio.change(
        { positions: { ...now.positions, ...layout.positions }, view: { ...now.view, laid: placed, ...(anew ? { bare: !this.bars, moved: false } : {}) } },
        tidy ? "tidy" : "places",
        tidy,
      );
      this.placings += 1;
    });
  }

  /** Routes around the nodes for edges that are drawn although the graph does not have them. */
  async route(also: [string, string][]): Promise<void> {
    if (also.every(([from, to]) => this.also.some((one) => one[0] === from && one[1] === to))) return;
    this.also = also;
    if (Object.keys(this.routed).length) await this.lay(false);
  }

  async moved(moves: Positions): Promise<void> {
    const state = studio.state;
    if (!state) return;
    const names = Object.keys(moves);
    const label = names.length === 1 ? `moved ${names[0] ?? ""}` : `moved ${names.length} nodes`;
    await studio.change({ positions: { ...state.positions, ...moves } }, label);
    if (studio.state && !studio.state.view.moved) await studio.change({ view: { ...studio.state.view, moved: true } }, "moved", false);
  }

  // --- asking

  async ask(): Promise<void> {
    const state = studio.state;
    if (!state?.shown || !this.fitted || this.shown?.id !== state.shown) {
      this.answer = null;
      return;
    }
    const mine = ++this.asked;
    const asked = JSON.stringify([state.evidence, state.interventions]);
    this.askedWith = asked;
    this.asking?.abort();
    this.asking = new AbortController();
    const began = performance.now();
    const known = new Set(this.graph?.nodes ?? []);
    const only = <T>(values: Record<string, T>): Record<string, T> =>
      Object.fromEntries(Object.entries(values).filter(([name]) => known.has(name)));
    try {
      const answer = await post<Answer>(
        studio.path("ask"),
        { model: state.shown, evidence: only(state.evidence), interventions: only(state.interventions) },
        this.asking.signal,
      );
      if (mine !== this.asked) return;
      this.answer = answer;
      this.answeredWith = asked;
      this.impossible = null;
      this.answerMs = performance.now() - began;
    } catch (error) {
      if (mine !== this.asked || (error instanceof DOMException && error.name === "AbortError")) return;
      this.answeredWith = asked;
      if (error instanceof ApiError && error.problem.code === "impossible_evidence") this.impossible = error.message;
      else studio.tell(error);
    }
  }

  async askIfChanged(): Promise<void> {
    const state = studio.state;
    if (this.answer && state && JSON.stringify([state.evidence, state.interventions]) !== this.askedWith) await this.ask();
  }

  /** Sets or clears what is known of a node and asks at once; the project is saved meanwhile. */
  async know(evidence: Evidence, interventions: Interventions, label: string): Promise<void> {
    const saved = studio.change({ evidence, interventions }, label);
    await this.ask();
    await saved;
  }

  async toggleState(node: string, value: string): Promise<void> {
    const state = studio.state;
    if (!state) return;
    const fixed = valueOf(state.interventions, node);
    const off = fixed === value || (fixed === undefined && valueOf(state.evidence, node) === value);
    const turned = <T>(record: Record<string, T>, to: T): Record<string, T> => (off ? without(record, node) : withValue(record, node, to));
    const evidence = fixed === undefined ? turned<Evidence[string]>(state.evidence, value) : state.evidence;
    const interventions = fixed === undefined ? state.interventions : turned<string | number>(state.interventions, value);
    await this.know(evidence, interventions, !off ? `${node} = ${value}` : `nothing known of ${node}`);
  }

  // --- selecting

  select(selection: Selection): void {
    this.selection = selection;
    this.card = null;
    this.table = null;
    const shown = this.shown;
    const mine = ++this.picked;
    if (!selection || !shown) return;
    if (selection.kind === "node" && this.fitted) {
      post<NodeTable>(studio.path("node"), { model: shown.id, node: selection.name })
        .then((table) => {
          if (mine === this.picked) this.table = table;
        })
        .catch((error: unknown) => studio.tell(error));
    }
    if (selection.kind === "edge" && shown.kind === "learned") {
      post<EdgeCard>(studio.path("edge"), { result: shown.id, from: selection.from, to: selection.to, rival: false })
        .then((card) => {
          if (mine === this.picked) this.card = card;
        })
        .catch((error: unknown) => studio.tell(error));
    }
  }

  /** Compares two results; without two of them there is no comparison. */
  async compare(first: string | null, second: string | null): Promise<void> {
    const mine = ++this.comparing;
    this.comparison = null;
    if (!first || !second || first === second) return;
    const found = await studio.attempt(() => post<Comparison>(studio.path("compare"), { first, second }));
    if (mine === this.comparing) this.comparison = found ?? null;
  }
}

export const model = new Model();
