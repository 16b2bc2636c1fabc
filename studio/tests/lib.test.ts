import { describe, expect, it } from "vitest";
import { EDGE, GRAPH, METHODS } from "../mock/api";
import type { Graph } from "../src/api/types";
import { bytes, percent, seconds, short } from "../src/lib/format";
import { blanket, edgeText, matching, within } from "../src/lib/graph";
import { ends, tierOf, withEdge, withLimit, withoutEdge, withTier } from "../src/lib/knowledge";
import { methodText, parsed, pythonOf, unquoted } from "../src/lib/methods";
import { numberText, spreadText, typedNumber } from "../src/lib/numbers";
import { border, routed, straight } from "../src/lib/paths";
import { valueOf, without, withValue } from "../src/lib/records";
import { tableRowStates } from "../src/lib/tables";
import { UndoStack } from "../src/state/undo";

const arc = (from: string, to: string): Graph["edges"][number] => ({ ...EDGE, from, to });

describe("graphs", () => {
  const graph: Graph = { kind: "dag", nodes: ["a", "b", "c", "d", "e"], edges: [arc("a", "c"), arc("b", "c"), arc("c", "d"), arc("d", "e")] };
  it("finds Markov blankets: parents, children and the children's other parents", () => {
    expect([...blanket(graph, "a")].sort()).toEqual(["b", "c"]);
    expect([...blanket(graph, "c")].sort()).toEqual(["a", "b", "d"]);
  });
  it("expands neighbors step by step", () => {
    expect([...within(graph, "a", 0)]).toEqual(["a"]);
    expect([...within(graph, "a", 2)].sort()).toEqual(["a", "b", "c", "d"]);
  });
  it("finds names, those that begin with the text first", () => {
    expect(matching(["dyspnoea", "sp", "lung"], "SP")).toEqual(["sp", "dyspnoea"]);
  });
  it("writes undecided edges without a head", () => {
    expect(GRAPH.edges.map(edgeText)).toEqual(["smoke — lung", "smoke → bronc", "lung → xray"]);
    expect(edgeText({ from: "a", to: "b", from_mark: "circle", to_mark: "arrow" })).toBe("a o–> b");
  });
});

describe("methods", () => {
  const climb = METHODS[1];
  it("reads and writes Python notation", () => {
    const read = parsed("HillClimb(max_parents=3, start=Chow(a=[1, 2]), name='x, y')");
    expect(read).toEqual({ name: "HillClimb", values: { max_parents: "3", start: "Chow(a=[1, 2])", name: "'x, y'" } });
    expect(unquoted("'it\\'s'")).toBe("it's");
    expect(pythonOf([null, true, "a'b", 2])).toBe("[None, True, 'a\\'b', 2]");
  });
  it("leaves out what equals the default", () => {
    expect(climb && methodText(climb, { max_parents: "3", restarts: "0", moves: "'all'" })).toBe("HillClimb(max_parents=3)");
  });
});

describe("knowledge", () => {
  it("moves a variable between tiers and keeps the others", () => {
    const first = withTier(withTier({}, "a", 0), "b", 2);
    expect(first.tiers).toEqual([["a"], [], ["b"]]);
    expect(tierOf(withTier(first, "a", 2), "a")).toBe(2);
    expect(tierOf(withTier(first, "a", -1), "a")).toBe(-1);
    expect(withTier({ tiers: [{ nodes: ["x"], inner: false }] }, "y", 0).tiers).toEqual([{ nodes: ["x", "y"], inner: false }]);
  });
  it("adds an edge once and removes it in whichever form it was written", () => {
    const known = withEdge(withEdge({ required: ["a -> b"] }, "required", ["a", "b"]), "required", ["b", "c"]);
    expect(known.required).toEqual(["a -> b", ["b", "c"]]);
    expect(withoutEdge(known, "required", ["a", "b"]).required).toEqual([["b", "c"]]);
    expect(ends("a -- b")).toEqual({ from: "a", to: "b", arc: false });
  });
  it("sets and clears parent limits", () => {
    expect(withLimit(withLimit({}, "a", 2), "a", null).max_parents).toEqual({});
  });
});

describe("geometry", () => {
  it("leaves a box at its border", () => {
    expect(border({ x: 0, y: 0, width: 20, height: 10 }, { x: 100, y: 0 })).toEqual({ x: 10, y: 0 });
    expect(border({ x: 0, y: 0, width: 20, height: 10 }, { x: 0, y: -50 })).toEqual({ x: 0, y: -5 });
  });
  it("points arrow heads along the line", () => {
    const drawn = straight({ x: 0, y: 0, width: 10, height: 10 }, { x: 0, y: 100, width: 10, height: 10 });
    expect(drawn.endAngle).toBeCloseTo(90);
    expect(routed([[0, 0], [0, 10], [0, 20], [0, 30]])?.endAngle).toBeCloseTo(90);
    expect(routed([[0, 0], [1, 1]])).toBeNull();
  });
});

describe("numbers and records", () => {
  it("never rounds a possible event to never or always", () => {
    expect(percent(0.0001)).toBe("<0.1 %");
    expect(percent(0.99999)).toBe(">99.9 %");
    expect(percent(0)).toBe("0.0 %");
    expect([short(0.00001234), short(1234567), short(null), bytes(1_500_000), seconds(0.001)]).toEqual(["1.23e-5", "1.23e+6", "–", "1.5 MB", "under 0.01 s"]);
  });
  it("keeps names that every object has apart from values", () => {
    const record = withValue<string>({}, "__proto__", "yes");
    expect(valueOf(record, "__proto__")).toBe("yes");
    expect(valueOf({}, "constructor")).toBeUndefined();
    expect(Object.keys(without(record, "__proto__"))).toEqual([]);
  });
  it("numbers rows with the last parent fastest", () => {
    expect([0, 1, 2, 3].map((row) => tableRowStates([["a", "b"], ["x", "y"]], row).join(""))).toEqual(["ax", "ay", "bx", "by"]);
  });
  it("undoes and redoes, and forgets what was undone after a new change", () => {
    const stack = new UndoStack();
    const change = (label: "drop" | "em" | "state") => ({ label, before: { missing: null }, after: { missing: label } });
    stack.push(change("drop"));
    stack.push(change("em"));
    expect(stack.undo()?.label).toBe("em");
    expect(stack.next).toEqual({ undo: "drop", redo: "em" });
    stack.push(change("state"));
    expect(stack.redo()).toBeUndefined();
  });
});

describe("numbers of the data", () => {
  it("are read and written as dates where they are dates", () => {
    expect(numberText(19782, "date")).toBe("2024-02-29");
    expect(typedNumber("2024-02-29", "date")).toBe(19782);
    expect(typedNumber("2024-02-29 12:00:00", "datetime")).toBe(19782 * 86400 + 43200);
    expect(numberText(19782 * 86400 + 43200, "datetime")).toBe("2024-02-29 12:00:00");
    expect(spreadText(194.2, "date")).toBe("194 days");
  });
  it("take a comma, and refuse words", () => {
    expect(typedNumber("12,5", "number")).toBe(12.5);
    expect(typedNumber("tall", "number")).toBeNull();
    expect(typedNumber("soon", "date")).toBeNull();
    expect(typedNumber(" ", "number")).toBeNull();
  });
});
