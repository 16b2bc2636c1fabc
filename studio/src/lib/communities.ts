// Parts of a large network with many edges inside and few between, to begin with where nobody has named groups yet.
// Greedy modularity: Blondel, Guillaume, Lambiotte & Lefebvre (2008), https://doi.org/10.1088/1742-5468/2008/10/P10008
import type { Graph } from "../api/types";
import { neighbors } from "./graph";

/** Fewer variables are found without a group. */
const LEAST = 3;

type Weights = Map<number, number>[];

const total = (weights: Map<number, number>): number => [...weights.values()].reduce((sum, value) => sum + value, 0);

/** For each node the number of its community after moving single nodes until no move gains modularity. */
function moved(links: Weights): number[] {
  const degrees = links.map(total);
  const all = degrees.reduce((sum, value) => sum + value, 0);
  const community = links.map((_, i) => i);
  const totals = [...degrees];
  for (let again = true; again; ) {
    again = false;
    for (const [i, near] of links.entries()) {
      const [own = i, degree = 0] = [community[i], degrees[i]];
      totals[own] = (totals[own] ?? 0) - degree;
      const into = new Map<number, number>([[own, 0]]);
      for (const [j, weight] of near) if (j !== i) into.set(community[j] ?? j, (into.get(community[j] ?? j) ?? 0) + weight);
      const gain = (to: number): number => (into.get(to) ?? 0) - (degree * (totals[to] ?? 0)) / all;
      let best = own;
      for (const to of into.keys()) if (gain(to) > gain(best) + 1e-9) best = to;
      totals[best] = (totals[best] ?? 0) + degree;
      community[i] = best;
      if (best !== own) again = true;
    }
  }
  return community;
}

/** Communities of a graph, the largest first; variables that belong to none of three or more are left out. */
export function communities(graph: Graph): string[][] {
  const place = new Map(graph.nodes.map((name, i) => [name, i]));
  let links: Weights = graph.nodes.map(() => new Map<number, number>());
  for (const edge of graph.edges) {
    const [a, b] = [place.get(edge.from), place.get(edge.to)];
    if (a === undefined || b === undefined) continue;
    links[a]?.set(b, 1);
    links[b]?.set(a, 1);
  }
  let members = graph.nodes.map((name) => [name]);
  for (;;) {
    const community = moved(links);
    const kept = [...new Set(community)];
    if (kept.length === links.length) break;
    // Each community becomes one node; what is inside it becomes a loop.
    const at = new Map(kept.map((old, i) => [old, i]));
    const of = (i: number): number => at.get(community[i] ?? i) ?? 0;
    const joined: Weights = kept.map(() => new Map<number, number>());
    links.forEach((near, i) => { for (const [j, weight] of near) joined[of(i)]?.set(of(j), (joined[of(i)]?.get(of(j)) ?? 0) + weight); });
    const together: string[][] = kept.map(() => []);
    members.forEach((names, i) => together[of(i)]?.push(...names));
    [links, members] = [joined, together];
  }
  return members.filter((names) => names.length >= LEAST).sort((a, b) => b.length - a.length);
}

/** Communities by name: each has the name of its variable with the most neighbors inside. */
export function suggestedGroups(graph: Graph): Record<string, string[]> {
  const inside = (name: string, all: Set<string>): number => neighbors(graph, name).filter((one) => all.has(one)).length;
  return Object.fromEntries(
    communities(graph).map((names) => {
      const all = new Set(names);
      const hub = names.reduce((best, name) => (inside(name, all) > inside(best, all) ? name : best));
      return [`around ${hub}`, names];
    }),
  );
}
