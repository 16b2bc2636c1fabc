// Knowledge as the page edits it: tiers, edges and parent limits, each as a plain value.
import type { EdgeStatement, Knowledge, Tier } from "../api/types";
import { valueOf, without, withValue } from "./records";

export const tierNodes = (tier: Tier): string[] => (Array.isArray(tier) ? tier : tier.nodes);

export const tierIsClosed = (tier: Tier): boolean => !Array.isArray(tier) && tier.inner === false;

export const asTier = (nodes: string[], closed: boolean): Tier => (closed ? { nodes, inner: false } : nodes);

const QUOTED = /^\s*("(?:[^"\\]|\\.)*"|[^\s"]+)\s*(->|--|<-)\s*("(?:[^"\\]|\\.)*"|[^\s"]+)\s*$/s;
const LETTERS: Record<string, string> = { n: "\n", t: "\t", r: "\r" };

const unquoted = (text: string): string => (text.startsWith('"') ? text.slice(1, -1).replace(/\\(.)/gs, (_, letter: string) => LETTERS[letter] ?? letter) : text);

/** An edge as its first end, its sign and its second end; null for a form that only a text can hold, such as a chain. */
function parts(statement: EdgeStatement): string[] | null {
  if (typeof statement !== "string") return statement.length === 2 ? [statement[0] ?? "", "->", statement[1] ?? ""] : statement.length === 3 ? statement : null;
  if (statement.includes('"')) return QUOTED.exec(statement)?.slice(1).map(unquoted) ?? null;
  const found = statement.trim().split(/\s*(<-|->|--)\s*/);
  return found.length === 3 && found.every(Boolean) && !/[;\n]/.test(statement) ? found : null;
}

/** The two ends of a statement; null for a form that only a text can hold. */
export function ends(statement: EdgeStatement): { from: string; to: string; arc: boolean } | null {
  const [from, sign, to] = parts(statement) ?? [];
  if (from === undefined || to === undefined) return null;
  return sign === "<-" ? { from: to, to: from, arc: true } : { from, to, arc: sign === "->" };
}

export function statementText(statement: EdgeStatement): string {
  const known = ends(statement);
  return known ? `${known.from} ${known.arc ? "→" : "—"} ${known.to}` : typeof statement === "string" ? statement : JSON.stringify(statement);
}

const same = (a: EdgeStatement, b: EdgeStatement): boolean => {
  const first = ends(a);
  const second = ends(b);
  if (!first || !second) return JSON.stringify(a) === JSON.stringify(b);
  return first.from === second.from && first.to === second.to && first.arc === second.arc;
};

export type EdgeList = "required" | "forbidden";

/** The statements of a list; one alone may stand without a list. */
export function statementsOf(knowledge: Knowledge, list: EdgeList): EdgeStatement[] {
  const known: unknown = knowledge[list] ?? [];
  return Array.isArray(known) ? (known as EdgeStatement[]) : [known as EdgeStatement];
}

export function withEdge(knowledge: Knowledge, list: EdgeList, statement: EdgeStatement): Knowledge {
  const known = statementsOf(knowledge, list);
  return known.some((other) => same(other, statement)) ? knowledge : { ...knowledge, [list]: [...known, statement] };
}

export function withoutEdge(knowledge: Knowledge, list: EdgeList, statement: EdgeStatement): Knowledge {
  return { ...knowledge, [list]: statementsOf(knowledge, list).filter((other) => !same(other, statement)) };
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

export interface Limits {
  /** The limit of all variables. */
  all: number | null;
  each: Record<string, number>;
}

const ALL = "*";

export function limitsOf(knowledge: Knowledge): Limits {
  const known = knowledge.max_parents;
  if (typeof known === "number") return { all: known, each: {} };
  return { all: valueOf(known, ALL) ?? null, each: without(known ?? {}, ALL) };
}

/** The knowledge with another limit for one variable, or for all of them (null); the other limits stay. */
export function withLimit(knowledge: Knowledge, node: string | null, limit: number | null): Knowledge {
  const { all, each } = limitsOf(knowledge);
  const every = node === null ? limit : all;
  const single = node === null ? each : limit === null ? without(each, node) : withValue(each, node, limit);
  const rest = Object.fromEntries(Object.entries(knowledge).filter(([key]) => key !== "max_parents")) as Knowledge;
  if (!Object.keys(single).length) return every === null ? rest : { ...rest, max_parents: every };
  return { ...rest, max_parents: every === null ? single : { [ALL]: every, ...single } };
}
