// Three-way merge of a project's state: the changes of this tab on top of what another tab or a job saved meanwhile.
import type { State } from "../api/types";
import { valueOf } from "./records";

/** How two changes of the same key go together. `entries` goes into objects entry by entry and takes lists as sets of elements. */
type Way = "value" | "members" | "entries" | "tiers" | "limits" | { each: Way } | { fields: Record<string, Way>; other: Way };

type Fields = Record<string, unknown>;

const WAYS: Record<keyof State, Way> = {
  data: "value", weights: "value", missing: "value", shown: "value", compared: "value",
  reading: { each: "value" }, learn: { each: "value" }, positions: { each: "value" }, evidence: { each: "value" }, interventions: { each: "value" },
  columns: { each: { each: "value" } },
  groups: { each: "members" },
  knowledge: { fields: { order: "value", tiers: "tiers", max_parents: "limits" }, other: "entries" },
  view: { fields: { laid: "members", versions: { each: "value" } }, other: "value" },
};

export interface Merged {
  change: Partial<State>;
  /** The places that both changed, each to another value; the change of this tab was kept there. */
  both: string[];
}

/** What `change`, made from `base`, is on top of `latest`. All three need the keys of `change` only. */
export function merged(base: Partial<State>, latest: Partial<State>, change: Partial<State>): Merged {
  const both: string[] = [];
  const keys = Object.keys(change) as (keyof State)[];
  const found = keys.map((key) => [key, merge(WAYS[key], base[key], latest[key], change[key], [key], both)]);
  return { change: Object.fromEntries(found) as Partial<State>, both };
}

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);

export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((one, i) => same(one, b[i]));
  if (!isFields(a) || !isFields(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]));
}

function merge(way: Way, base: unknown, theirs: unknown, mine: unknown, path: string[], both: string[]): unknown {
  if (same(mine, base)) return theirs;
  if (same(theirs, base) || same(mine, theirs)) return mine;
  if (way === "tiers") {
    const tiers = mergeTiers(base, theirs, mine, path, both);
    if (tiers) return tiers;
  } else if (way === "limits") {
    const all = mergeFields(() => "value", limitsOf(base), limitsOf(theirs), limitsOf(mine), path, both);
    const names = Object.keys(all);
    return names.length === 1 && names[0] === "*" ? all["*"] : names.length ? all : undefined;
  } else if (way !== "value") {
    if (isFields(theirs) && isFields(mine) && way !== "members") return mergeFields(wayOf(way), isFields(base) ? base : {}, theirs, mine, path, both);
    if (Array.isArray(theirs) && Array.isArray(mine) && typeof way === "string") return mergeMembers(Array.isArray(base) ? base : [], theirs, mine);
  }
  both.push(path.join(" › "));
  return mine;
}

function wayOf(way: Exclude<Way, "value" | "members" | "tiers" | "limits">): (name: string) => Way {
  if (way === "entries") return () => "entries";
  if ("each" in way) return () => way.each;
  return (name) => valueOf(way.fields, name) ?? way.other;
}

function mergeFields(way: (name: string) => Way, base: Fields, theirs: Fields, mine: Fields, path: string[], both: string[]): Fields {
  const names = [...new Set([...Object.keys(theirs), ...Object.keys(mine)])];
  const found = names.map((name) => [name, merge(way(name), valueOf(base, name), valueOf(theirs, name), valueOf(mine, name), [...path, name], both)] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

/** Elements that this tab removed are gone, those that it added come last; all others are as the other tab left them. */
function mergeMembers(base: unknown[], theirs: unknown[], mine: unknown[]): unknown[] {
  const texts = (list: unknown[]): Set<string> => new Set(list.map((one) => JSON.stringify(one)));
  const [before, there, here] = [texts(base), texts(theirs), texts(mine)];
  const kept = theirs.filter((one) => here.has(JSON.stringify(one)) || !before.has(JSON.stringify(one)));
  return [...kept, ...mine.filter((one) => !before.has(JSON.stringify(one)) && !there.has(JSON.stringify(one)))];
}

/** A limit for all variables is the one of "*". */
const limitsOf = (value: unknown): Fields => (isFields(value) ? value : typeof value === "number" ? { "*": value } : {});

interface Tiers {
  count: number;
  place: Fields;
  closed: Fields;
}

/** Tiers as the place of each variable; null for what is no list of tiers, or names a variable twice. */
function tiersOf(value: unknown): Tiers | null {
  if (value === undefined) return { count: 0, place: {}, closed: {} };
  if (!Array.isArray(value)) return null;
  const place: [string, number][] = [];
  const closed: [string, boolean][] = [];
  for (const [at, tier] of value.entries()) {
    const nodes: unknown = isFields(tier) ? tier["nodes"] : tier;
    if (!Array.isArray(nodes)) return null;
    for (const node of nodes) place.push([String(node), at]);
    if (isFields(tier) && tier["inner"] === false) closed.push([String(at), true]);
  }
  const places = Object.fromEntries(place);
  return Object.keys(places).length === place.length ? { count: value.length, place: places, closed: Object.fromEntries(closed) } : null;
}

/** Null where one of the two removed a tier: then the numbers of the tiers no longer mean the same. */
function mergeTiers(base: unknown, theirs: unknown, mine: unknown, path: string[], both: string[]): unknown[] | null {
  const [before, there, here] = [tiersOf(base), tiersOf(theirs), tiersOf(mine)];
  if (!before || !there || !here || there.count < before.count || here.count < before.count) return null;
  const place = mergeFields(() => "value", before.place, there.place, here.place, path, both);
  const closed = mergeFields(() => "value", before.closed, there.closed, here.closed, path, both);
  return Array.from({ length: Math.max(there.count, here.count) }, (_, at) => {
    const nodes = Object.keys(place).filter((name) => place[name] === at);
    return closed[String(at)] ? { nodes, inner: false } : nodes;
  });
}
