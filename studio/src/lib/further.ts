// What a knowledge says beside tiers, edges and parent limits of variables: in words, each with the knowledge without it.
import type { EdgeStatement, Knowledge, Tier } from "../api/types";
import { limitsOf, statementText, tierIsClosed, tierNodes, withLimit } from "./knowledge";
import { without } from "./records";

export interface Further {
  text: string;
  without: Knowledge;
}

/** What other controls show; in a part of the knowledge under `also` nothing is. */
const SHOWN = ["dagwright_knowledge", "required", "forbidden", "tiers"];
const MOST = 12;

const listed = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]);
const plain = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
const names = (value: unknown): string => few(listed(value).map(plain), ", ");
const few = (texts: string[], between: string): string => (texts.length > MOST ? `${texts.slice(0, MOST).join(between)} and ${texts.length - MOST} more` : texts.join(between));
const isFields = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
const edge = (value: unknown): string => (typeof value === "string" || Array.isArray(value) ? statementText(value as EdgeStatement) : plain(value));

/** Statements of which each element is one of its own. */
const SINGLE: Record<string, (element: unknown) => string> = {
  required: (one) => `required: ${edge(one)}`,
  forbidden: (one) => `forbidden: ${edge(one)}`,
  roots: (one) => `${plain(one)} has no parents`,
  leaves: (one) => `${plain(one)} has no children`,
  partial_order: (one) => (Array.isArray(one) ? `${one.map(plain).join(" comes before ")}` : plain(one).split(/\s*<\s*/).join(" comes before ")),
  independent: (one) => `independent: ${independence(one)}`,
};

/** Statements that only make sense as a whole. */
const WHOLE: Record<string, (value: unknown) => string> = {
  order: (value) => `edges point forwards only in the order ${names(value)}`,
  tiers: (value) => `tiers: ${listed(value).map((tier) => tierText(tier as Tier)).join(" | ")}`,
  allowed: (value) => `only these edges are allowed: ${few(listed(value).map(edge), "; ") || "none"}`,
  continuous: (value) => `${names(value)}: numbers, and so not parents of other variables`,
};

function tierText(tier: Tier): string {
  if (!Array.isArray(tier) && !isFields(tier)) return plain(tier);
  return `${names(tierNodes(tier))}${tierIsClosed(tier) ? " (no edges within)" : ""}`;
}

function independence(value: unknown): string {
  if (!isFields(value)) return Array.isArray(value) ? value.map(names).join(" of ") : plain(value);
  const sides = [value["nodes"], value["x"], value["y"]].filter((side) => side !== undefined).map(names);
  const given = listed(value["given"]);
  return `${sides.join(" of ")}${given.length ? ` given ${names(given)}` : ""}`;
}

/** All statements for which the page has no other control; `known` are the variables that have a field for their limit. */
export function furtherStatements(knowledge: Knowledge, known: string[]): Further[] {
  return part(knowledge, SHOWN, known);
}

function part(knowledge: Knowledge, shown: string[], known: string[]): Further[] {
  return Object.entries(knowledge).flatMap(([key, value]): Further[] => {
    const rest = without(knowledge, key) as Knowledge;
    if (shown.includes(key)) return [];
    if (key === "max_parents") return limits(knowledge, shown.length ? known : null);
    if (key === "also" && Array.isArray(value)) return value.flatMap((inner: unknown, at) => also(knowledge, value, inner, at));
    if (key === "groups" && isFields(value))
      return Object.entries(value).map(([name, members]) => ({ text: `the group ${name}: ${names(members)}`, without: withRest(rest, key, without(value, name)) }));
    const single = SINGLE[key];
    if (single) return listed(value).map((one, at) => ({ text: single(one), without: withRest(rest, key, listed(value).filter((_, i) => i !== at)) }));
    const text = WHOLE[key]?.(value) ?? `${key}: ${plain(value)}`;
    return [{ text, without: rest }];
  });
}

/** The rest with what is left of a key; nothing is left of one that is empty. */
function withRest(rest: Knowledge, key: string, left: unknown[] | Record<string, unknown>): Knowledge {
  return Object.keys(left).length ? { ...rest, [key]: left } : rest;
}

function also(knowledge: Knowledge, parts: unknown[], inner: unknown, at: number): Further[] {
  const withPart = (next: Knowledge | null): Knowledge =>
    withRest(without(knowledge, "also") as Knowledge, "also", parts.flatMap((one, i) => (i !== at ? [one] : next && Object.keys(next).length ? [next] : [])));
  if (!isFields(inner)) return [{ text: plain(inner), without: withPart(null) }];
  return part(inner as Knowledge, [], []).map((one) => ({ text: one.text, without: withPart(one.without) }));
}

/** Limits of names that are no variable here, such as patterns and groups; all limits where `known` is null. */
function limits(knowledge: Knowledge, known: string[] | null): Further[] {
  const { all, each } = limitsOf(knowledge);
  const told = (name: string | null, most: number): Further => ({ text: `at most ${most} parents for ${name ?? "every variable"}`, without: withLimit(knowledge, name, null) });
  return [
    ...(known === null && all !== null ? [told(null, all)] : []),
    ...Object.entries(each).filter(([name]) => !known?.includes(name)).map(([name, most]) => told(name, most)),
  ];
}
