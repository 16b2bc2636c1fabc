// Questions about a drawn graph: neighbors, Markov blankets, search.
import type { Graph, GraphEdge } from "../api/types";

export const edgeKey = (from: string, to: string): string => JSON.stringify([from, to]);

export const pairKey = (a: string, b: string): string => (a < b ? edgeKey(a, b) : edgeKey(b, a));

export const isArc = (edge: GraphEdge): boolean => edge.from_mark === "none" && edge.to_mark === "arrow";

export function parents(graph: Graph, node: string): string[] {
  return graph.edges.flatMap((edge) => {
    if (isArc(edge) && edge.to === node) return [edge.from];
    return edge.from_mark === "arrow" && edge.to_mark === "none" && edge.from === node ? [edge.to] : [];
  });
}

export function neighbors(graph: Graph, node: string): string[] {
  return graph.edges.flatMap((edge) => (edge.from === node ? [edge.to] : edge.to === node ? [edge.from] : []));
}

/** Neighbors and the other parents of children: what shields a node from the rest. */
export function blanket(graph: Graph, node: string): Set<string> {
  const found = new Set(neighbors(graph, node));
  for (const child of graph.nodes) {
    const above = parents(graph, child);
    if (above.includes(node)) for (const spouse of above) found.add(spouse);
  }
  found.delete(node);
  return found;
}

/** Nodes within a number of steps of the start, by edges of any kind. */
export function within(graph: Graph, start: string, steps: number): Set<string> {
  const reached = new Set([start]);
  let front = [start];
  for (let step = 0; step < steps; step++) {
    front = front.flatMap((node) => neighbors(graph, node)).filter((node) => !reached.has(node));
    for (const node of front) reached.add(node);
  }
  return reached;
}

export function matching(names: string[], text: string): string[] {
  const wanted = text.trim().toLocaleLowerCase();
  if (!wanted) return [];
  const starts: string[] = [];
  const holds: string[] = [];
  for (const name of names) {
    const place = name.toLocaleLowerCase().indexOf(wanted);
    if (place === 0) starts.push(name);
    else if (place > 0) holds.push(name);
  }
  return [...starts, ...holds];
}

const MARKS: Record<string, [string, string]> = {
  none: ["-", "-"],
  arrow: ["<", ">"],
  circle: ["o", "o"],
};

/** An edge in words and signs: "a → b", "a – b (undecided)". */
export function edgeText(edge: Pick<GraphEdge, "from" | "to" | "from_mark" | "to_mark">): string {
  const left = MARKS[edge.from_mark]?.[0] ?? "-";
  const right = MARKS[edge.to_mark]?.[1] ?? "-";
  const sign = { "->": "→", "<-": "←", "<>": "↔", "--": "—" }[left + right] ?? `${left}–${right}`;
  return `${edge.from} ${sign} ${edge.to}`;
}
