import { describe, expect, it } from "vitest";
import type { Knowledge, State } from "../src/api/types";
import { merged } from "../src/lib/merge";

const known = (base: Knowledge, latest: Knowledge, change: Knowledge) => merged({ knowledge: base }, { knowledge: latest }, { knowledge: change });

describe("merging what two tabs changed", () => {
  it("keeps both changes of different columns, and of different settings of one", () => {
    const base: Partial<State> = { columns: { age: { exclude: true } } };
    const latest: Partial<State> = { columns: { age: { exclude: true, rename: "years" }, sex: { exclude: true } } };
    const change: Partial<State> = { columns: { age: {}, fare: { kind: "number" } } };
    expect(merged(base, latest, change)).toEqual({ change: { columns: { age: { rename: "years" }, sex: { exclude: true }, fare: { kind: "number" } } }, both: [] });
  });

  it("keeps this tab's value of an entry that both changed, and says which", () => {
    const found = merged({ columns: { sex: {} } }, { columns: { sex: { kind: "number" } } }, { columns: { sex: { kind: "ordered" } } });
    expect(found).toEqual({ change: { columns: { sex: { kind: "ordered" } } }, both: ["columns › sex › kind"] });
    expect(merged({ columns: {} }, { columns: { sex: { exclude: true } } }, { columns: { sex: { exclude: true } } }).both).toEqual([]);
    expect(merged({ evidence: { a: "no" } }, { evidence: { a: "yes" } }, { evidence: {} })).toEqual({ change: { evidence: {} }, both: ["evidence › a"] });
  });

  it("takes lists and probabilities of an entry as one value", () => {
    expect(merged({ positions: { a: [0, 0] } }, { positions: { a: [0, 0], b: [1, 1] } }, { positions: { a: [2, 2] } }).change).toEqual({ positions: { a: [2, 2], b: [1, 1] } });
    const evidence = merged({ evidence: {} }, { evidence: { a: { no: 1, yes: 0 } } }, { evidence: { a: { no: 0.5, yes: 0.5 } } });
    expect(evidence).toEqual({ change: { evidence: { a: { no: 0.5, yes: 0.5 } } }, both: ["evidence › a"] });
  });

  it("merges groups and the list of placed nodes by their members", () => {
    expect(merged({ groups: { g: ["a", "b"] } }, { groups: { g: ["a", "b", "c"] } }, { groups: { g: ["b", "d"] } }).change).toEqual({ groups: { g: ["b", "c", "d"] } });
    expect(merged({ view: { laid: ["a"] } }, { view: { laid: ["a", "b"] } }, { view: { laid: ["a", "c"], step: "look" } }).change).toEqual({ view: { laid: ["a", "b", "c"], step: "look" } });
  });

  it("knows names that every object has", () => {
    const evidence = JSON.parse('{"__proto__": "yes", "constructor": "no"}') as State["evidence"];
    expect(JSON.stringify(merged({ evidence: {} }, { evidence: { a: "no" } }, { evidence }).change)).toBe('{"evidence":{"a":"no","__proto__":"yes","constructor":"no"}}');
  });

  it("merges lists of statements: added ones are added, removed ones removed", () => {
    const found = known({ required: ["a -> b", "c -> d"] }, { required: ["a -> b", "c -> d", ["e", "f"]], roots: ["x"] }, { required: ["c -> d", ["g", "h"]], forbidden: [["a", "b"]] });
    expect(found).toEqual({ change: { knowledge: { required: ["c -> d", ["e", "f"], ["g", "h"]], roots: ["x"], forbidden: [["a", "b"]] } }, both: [] });
  });

  it("merges tiers by the place of each variable", () => {
    const base = { tiers: [["x"], ["y"]] };
    expect(known(base, { tiers: [["x"], ["y", "b"]] }, { tiers: [["x", "a"], ["y"], ["z"]] })).toEqual({ change: { knowledge: { tiers: [["x", "a"], ["y", "b"], ["z"]] } }, both: [] });
    expect(known(base, { tiers: [["x", "a"], ["y"]] }, { tiers: [["x"], { nodes: ["y", "a"], inner: false }] })).toEqual({
      change: { knowledge: { tiers: [["x"], { nodes: ["a", "y"], inner: false }] } }, both: ["knowledge › tiers › a"],
    });
    expect(known(base, { tiers: [["y"]] }, { tiers: [["x", "a"], ["y"]] })).toEqual({ change: { knowledge: { tiers: [["x", "a"], ["y"]] } }, both: ["knowledge › tiers"] });
  });

  it("merges the limit for all variables with those of single ones", () => {
    expect(known({ max_parents: 2 }, { max_parents: { "*": 2, a: 1 } }, { max_parents: 3 }).change.knowledge).toEqual({ max_parents: { "*": 3, a: 1 } });
    expect(known({ max_parents: { a: 1 } }, { max_parents: { a: 1, b: 2 } }, {}).change.knowledge).toEqual({ max_parents: { b: 2 } });
    expect(known({ max_parents: { "*": 2, a: 1 } }, { max_parents: 2 }, { max_parents: { "*": 4, a: 1 } }).change.knowledge).toEqual({ max_parents: 4 });
  });

  it("keeps an order as a whole", () => {
    expect(known({ order: ["a", "b"] }, { order: ["b", "a"] }, { order: ["a", "b", "c"] }).both).toEqual(["knowledge › order"]);
  });
});
