// Which variables are in focus: those around one, those of a group, or those that a person reached step by step.
import type { Graph } from "../api/types";
import { blanket, neighbors, within } from "./graph";
import { valueOf } from "./records";

export type Around = "blanket" | "1" | "2" | "3";
export type Focus = { kind: "all" } | { kind: Around; of?: string } | { kind: "group"; name: string } | { kind: "set"; names: string[] };

const AROUND: readonly string[] = ["blanket", "1", "2", "3"] satisfies Around[];

/** The focus as the project keeps it; anything else means all variables. */
export function focusOf(saved: unknown): Focus {
  if (typeof saved !== "object" || saved === null) return { kind: "all" };
  const { kind, of, name, names } = saved as Record<string, unknown>;
  if (kind === "group" && typeof name === "string") return { kind, name };
  if (kind === "set" && Array.isArray(names)) return { kind, names: names.filter((one): one is string => typeof one === "string") };
  if (typeof kind === "string" && AROUND.includes(kind)) return { kind: kind as Around, ...(typeof of === "string" ? { of } : {}) };
  return { kind: "all" };
}

/** The variables in focus; null for all of them. */
export function inFocus(graph: Graph, focus: Focus, groups: Record<string, string[]>): Set<string> | null {
  const known = (names: readonly string[]): Set<string> | null => {
    const found = graph.nodes.filter((node) => names.includes(node));
    return found.length ? new Set(found) : null;
  };
  if (focus.kind === "all") return null;
  if (focus.kind === "group") return known(valueOf(groups, focus.name) ?? []);
  if (focus.kind === "set") return known(focus.names);
  if (focus.of === undefined || !graph.nodes.includes(focus.of)) return null;
  return focus.kind === "blanket" ? blanket(graph, focus.of).add(focus.of) : within(graph, focus.of, Number(focus.kind));
}

/** The focus with the neighbors of a variable added to what it has; it begins with the variable itself. */
export const expanded = (graph: Graph, shown: Set<string> | null, node: string): Focus => ({
  kind: "set",
  names: [...new Set([...(shown ?? []), node, ...neighbors(graph, node)])],
});
