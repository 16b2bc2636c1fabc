// Knowledge as the page edits it: tiers, edges and parent limits, each as a plain value.
import type { EdgeStatement, Knowledge, Tier } from "../api/types";
import { without, withValue } from "./records";

export const tierNodes = (tier: Tier): string[] => (Array.isArray(tier) ? tier : tier.nodes);

export const tierIsClosed = (tier: Tier): boolean => !Array.isArray(tier) && tier.inner === false;

export const asTier = (nodes: string[], closed: boolean): Tier => (closed ? { nodes, inner: false } : nodes);

/** The two ends of a statement; null for a form that only a text can hold. */
export function ends(statement: EdgeStatement): { from: string; to: string; arc: boolean } | null {
  if (typeof statement !== "string") return { from: statement[0], to: statement[1], arc: true };
  for (const [sign, arc] of [[" -> ", true], [" -- ", false]] as const) {
    const parts = statement.split(sign);
    if (parts.length === 2) return { from: parts[0] ?? "", to: parts[1] ?? "", arc };
  }
  return null;
}

export function statementText(statement: EdgeStatement): string {
  const known = ends(statement);
  return known ? `${known.from} ${known.arc ? "→" : "—"} ${known.to}` : String(statement);
}

const same = (a: EdgeStatement, b: EdgeStatement): boolean => {
  const first = ends(a);
  const second = ends(b);
  if (!first || !second) return a === b;
  return first.from === second.from && first.to === second.to && first.arc === second.arc;
};

export function withEdge(knowledge: Knowledge, list: "required" | "forbidden", statement: EdgeStatement): Knowledge {
  const known = knowledge[list] ?? [];
  return known.some((other) => same(other, statement)) ? knowledge : { ...knowledge, [list]: [...known, statement] };
}

export function withoutEdge(knowledge: Knowledge, list: "required" | "forbidden", statement: EdgeStatement): Knowledge {
  return { ...knowledge, [list]: (knowledge[list] ?? []).filter((other) => !same(other, statement)) };
}

export function tierOf(knowledge: Knowledge, node: string): number {
  return (knowledge.tiers ?? []).findIndex((tier) => tierNodes(tier).includes(node));
}

/** The node in that tier; -1 takes it out of all tiers. Empty tiers stay, so that a person can fill them. */
export function withTier(knowledge: Knowledge, node: string, place: number): Knowledge {
  const tiers = (knowledge.tiers ?? []).map((tier, i) => {
    const rest = tierNodes(tier).filter((name) => name !== node);
    return asTier(i === place ? [...rest, node] : rest, tierIsClosed(tier));
  });
  while (tiers.length <= place) tiers.push(tiers.length === place ? [node] : []);
  return { ...knowledge, tiers };
}

export function withLimit(knowledge: Knowledge, node: string, limit: number | null): Knowledge {
  const limits = knowledge.max_parents ?? {};
  return { ...knowledge, max_parents: limit === null ? without(limits, node) : withValue(limits, node, limit) };
}
