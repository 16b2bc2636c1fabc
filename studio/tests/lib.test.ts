import { describe, expect, it } from "vitest";
import { EDGE, GRAPH, METHODS } from "../mock/api";
import type { Graph, Knowledge } from "../src/api/types";
import { kindOfFile, splitName } from "../src/lib/files";
import { bytes, percent, seconds, short } from "../src/lib/format";
import { blanket, edgeText, matching, within } from "../src/lib/graph";
import { furtherStatements } from "../src/lib/further";
import { ends, limitsOf, tierOf, withEdge, withLimit, withoutEdge, withTier } from "../src/lib/knowledge";
import { methodText, parsed, pythonOf, unquoted } from "../src/lib/methods";
import { lookOf, widthOf } from "../src/lib/looks";
import { noteLines } from "../src/lib/notes";
import { fieldText, numberText, rounded, spreadText, typedNumber, typedNumbers } from "../src/lib/numbers";
import { communities, suggestedGroups } from "../src/lib/communities";
import { labelBox, labelShares } from "../src/lib/labels";
import { border, bowed, routed, straight, type Box, type Drawn } from "../src/lib/paths";
import { valueOf, without, withValue } from "../src/lib/records";
import { tableRowStates } from "../src/lib/tables";
import { UndoStack } from "../src/state/undo";

const arc = (from: string, to: string): Graph["edges"][number] => ({ ...EDGE, from, to });

describe("cut points", () => {
  it("come back from the field as they went into it", () => {
    for (const [cuts, scale] of [[[1482, 2731.25], "number"], [[0.00012, 1e7], "number"], [[19582, 19811], "date"], [[1693000000, 1700000000], "datetime"]] as const)
      expect(typedNumbers(cuts.map((cut) => fieldText(cut, scale)).join(", "), scale)).toEqual([...cuts]);
    expect(typedNumbers("2024-03-01; 2023-12-31", "date")).toEqual([19722, 19783]);
    expect(typedNumbers("40 30", "number")).toEqual([30, 40]);
    expect(typedNumbers("soon", "date")).toBeNull();
  });
  it("are dragged to whole days, and never coarser than a thousandth of the range", () => {
    expect(rounded(19582.4321, 19358, 20057, "date")).toBe(19582);
    expect(rounded(2019.4321, 1950, 2024, "number")).toBe(2019.43);
    expect(rounded(1693000123.4, 1.69e9, 1.7e9, "datetime") % 1).toBe(0);
    expect(Math.abs(rounded(1693000123, 1.69e9, 1.7e9, "datetime") - 1693000123)).toBeLessThan(1e4);
    expect(rounded(0.123456, 0, 1, "number")).toBe(0.123);
  });
});

describe("files", () => {
  const networks = [".bif", ".json", ".hugin"];
  it("are known by their ending, compressed or not", () => {
    expect(["a.BIF", "a.bif.gz", "a.hugin", "b.csv.gz", "c.dwproj", "k.toml", "x.json", "gz"].map((name) => kindOfFile(name, networks))).toEqual(
      ["network", "network", "network", "data", "project", "knowledge", "network", "data"]);
    expect(kindOfFile("x.json", networks, true)).toBe("knowledge");
  });
  it("lose both endings in the name of a project", () => {
    expect(["andes.bif.gz", "my data.v2.csv", ".csv", "none"].map((name) => splitName(name)[0])).toEqual(["andes", "my data.v2", ".csv", "none"]);
  });
});

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
  it("sets and clears parent limits, and keeps the others", () => {
    expect(withLimit(withLimit({}, "a", 2), "a", null)).toEqual({});
    expect(withLimit({ max_parents: 2 }, "a", 1).max_parents).toEqual({ "*": 2, a: 1 });
    expect(withLimit({ max_parents: { "*": 2, a: 1 } }, "a", null).max_parents).toBe(2);
    expect(withLimit({ max_parents: { "lab_*": 3 } }, null, 4).max_parents).toEqual({ "*": 4, "lab_*": 3 });
    expect(withLimit({ max_parents: { "*": 4, a: 1 } }, null, null).max_parents).toEqual({ a: 1 });
    expect(limitsOf({ max_parents: 2 })).toEqual({ all: 2, each: {} });
  });
  it("reads edges in each form in which they are written", () => {
    expect(ends('"a -> b" -- "c \\"d\\""')).toEqual({ from: "a -> b", to: 'c "d"', arc: false });
    expect(ends("a b <- c")).toEqual({ from: "c", to: "a b", arc: true });
    expect(ends(["a -> b", "--", "c"])).toEqual({ from: "a -> b", to: "c", arc: false });
    expect([ends("a -> b -> c"), ends("a -> b; c"), ends("a")]).toEqual([null, null, null]);
  });
  it("tells every statement that has no other control, each with the knowledge without it", () => {
    const knowledge: Knowledge = {
      dagwright_knowledge: 1, required: ["a -> b"], tiers: [["a"]], max_parents: { "*": 2, a: 1, "lab_*": 3 },
      roots: ["a", "b"], leaves: ["c"], order: ["a", "b"], partial_order: ["a < b < c", ["c", "d"]], allowed: ["a -> b", "b -- c"],
      independent: ["a, b | c", { x: ["a"], y: ["d"], given: ["c"] }], continuous: ["age"], groups: { labs: ["sodium", "lab_*"] },
      also: [{ tiers: [["a"], { nodes: ["b"], inner: false }], required: ["c -> d"] }, { order: ["c"] }], later: { x: 1 },
    };
    const found = furtherStatements(knowledge, ["a", "b", "c"]);
    expect(found.map((one) => one.text)).toEqual([
      "at most 3 parents for lab_*", "a has no parents", "b has no parents", "c has no children", "edges point forwards only in the order a, b",
      "a comes before b comes before c", "c comes before d", "only these edges are allowed: a → b; b — c", "independent: a, b | c", "independent: a of d given c",
      "age: numbers, and so not parents of other variables", "the group labs: sodium, lab_*", "tiers: a | b (no edges within)", "required: c → d",
      "edges point forwards only in the order c", 'later: {"x":1}',
    ]);
    const without = (text: string): Knowledge | undefined => found.find((one) => one.text.startsWith(text))?.without;
    expect(without("a has no parents")).toEqual({ ...knowledge, roots: ["b"] });
    expect(without("at most 3")?.max_parents).toEqual({ "*": 2, a: 1 });
    expect(without("tiers")?.["also"]).toEqual([{ required: ["c -> d"] }, { order: ["c"] }]);
    expect(without("edges point forwards only in the order c")?.["also"]).toEqual([{ tiers: [["a"], { nodes: ["b"], inner: false }], required: ["c -> d"] }]);
    expect(without("age")).not.toHaveProperty("continuous");
    expect(without("the group")).not.toHaveProperty("groups");
    expect(furtherStatements({ dagwright_knowledge: 1, required: ["a -> b"], max_parents: 2 }, ["a"])).toEqual([]);
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
    const two = routed([[0, 0], [0, 10], [0, 20], [0, 30], [0, 40], [0, 50], [0, 60]]);
    expect(two?.along(0.25)).toEqual({ x: 0, y: 15 });
    expect(two?.along(1)).toEqual({ x: 0, y: 60 });
  });
});

describe("labels of edges", () => {
  const box = (x: number, y: number): Box => ({ x, y, width: 60, height: 30 });
  const covers = (a: Box, b: Box): boolean => Math.abs(a.x - b.x) < (a.width + b.width) / 2 && Math.abs(a.y - b.y) < (a.height + b.height) / 2;
  it("stand in the middle where there is room, and cover no node and no other label", () => {
    const nodes = [box(0, 0), box(0, 160), box(0, 300)];
    const [top, middle, bottom] = nodes as [Box, Box, Box];
    const edges = [straight(top, middle), straight(top, middle), straight(top, bottom)].map((drawn) => ({ text: "100 %", drawn }));
    const shares = labelShares(edges, nodes);
    expect(shares[0]).toBe(0.5);
    const placed = edges.map(({ text, drawn }, i) => labelBox(text, drawn.along(shares[i] ?? 0)));
    for (const [i, one] of placed.entries()) {
      for (const node of nodes) expect(covers(one, node)).toBe(false);
      for (const other of placed.slice(0, i)) expect(covers(one, other)).toBe(false);
    }
  });
  it("of edges that the network does not have are left out where they fit nowhere", () => {
    const nodes = [box(0, 0), box(0, 30), box(0, 60)];
    const crowded = straight(box(0, 0), box(0, 60));
    const free = straight(box(300, 0), box(300, 400));
    const edges = [{ text: "100 %", drawn: crowded }, { text: "10 %", drawn: crowded, optional: true }, { text: "12 %", drawn: free, optional: true }];
    expect(labelShares(edges, nodes)).toEqual([expect.any(Number), null, 0.5]);
  });
  it("of edges that the network does not have cover no line of an edge that it has", () => {
    const kept = { text: "", drawn: straight(box(0, 0), box(0, 400)) };
    const across = (y: number): { text: string; drawn: Drawn; optional: boolean } => ({ text: "10 %", drawn: straight(box(-40, y), box(40, y)), optional: true });
    expect(labelShares([kept, across(200)], [])[1]).toBeNull();
    const beside = labelShares([kept, { ...across(0), drawn: straight(box(-300, 200), box(300, 200)) }], [])[1] ?? 0.5;
    expect(Math.abs(beside - 0.5)).toBeGreaterThan(0.05);
  });
  it("do not cover the mark in the middle of an edge", () => {
    const drawn = straight(box(0, 0), box(0, 400));
    expect(labelShares([{ text: "100 %", drawn }, { text: "100 %", drawn: straight(box(300, 0), box(300, 400)), marked: true }], [])).toEqual([0.5, 0.26]);
  });
  it("leave edges without one alone, and settle for the least harm", () => {
    const one = straight(box(0, 0), box(0, 60));
    expect(labelShares([{ text: "", drawn: one }], [box(0, 30)])).toEqual([0.5]);
    expect(labelShares([{ text: "100 %", drawn: one }, { text: "100 %", drawn: one }], [box(0, 30)])).toHaveLength(2);
  });
});

describe("suggested groups", () => {
  const cliques = (sizes: number[]): Graph => {
    const names = sizes.map((size, k) => Array.from({ length: size }, (_, i) => `${"abc".charAt(k)}${i}`));
    const inside = names.flatMap((all) => all.flatMap((from, i) => all.slice(i + 1).map((to) => arc(from, to))));
    const between = names.slice(1).map((all, k) => arc(names[k]?.[0] ?? "", all[0] ?? ""));
    return { kind: "dag", nodes: names.flat(), edges: [...inside, ...between] };
  };
  it("are the parts with many edges inside, the largest first, by the name of a hub", () => {
    const groups = suggestedGroups({ ...cliques([4, 6, 5]), nodes: [...cliques([4, 6, 5]).nodes, "alone"] });
    expect(Object.keys(groups)).toEqual(["around b0", "around c0", "around a0"]);
    expect(Object.values(groups).map((names) => [...names].sort())).toEqual([["b0", "b1", "b2", "b3", "b4", "b5"], ["c0", "c1", "c2", "c3", "c4"], ["a0", "a1", "a2", "a3"]]);
  });
  it("hold each variable at most once, also in a long chain", () => {
    const nodes = Array.from({ length: 500 }, (_, i) => `v${i}`);
    const groups = communities({ kind: "dag", nodes, edges: nodes.slice(1).map((to, i) => arc(nodes[i] ?? "", to)) });
    expect(groups.length).toBeGreaterThan(5);
    expect(groups.length).toBeLessThan(80);
    expect(new Set(groups.flat()).size).toBe(groups.flat().length);
    expect(groups.flat().length).toBe(500);
  });
  it("are none where there are no edges", () => {
    expect(suggestedGroups({ kind: "dag", nodes: ["a", "b", "c"], edges: [] })).toEqual({});
  });
});

describe("edges without a route", () => {
  const box = (x: number, y: number): Box => ({ x, y, width: 80, height: 34 });
  const inside = (at: { x: number; y: number }, one: Box): boolean => Math.abs(at.x - one.x) < one.width / 2 && Math.abs(at.y - one.y) < one.height / 2;
  it("are straight where nothing lies between", () => {
    const [from, to] = [box(0, 0), box(0, 200)];
    expect(bowed(from, to, [from, to, box(200, 100)])).toBeNull();
  });
  it("keep away from nodes between their ends, in any direction", () => {
    for (const [x, y] of [[0, 300], [400, 0], [300, 300], [-300, 200]] as const) {
      const [from, to, between] = [box(0, 0), box(x, y), box(x / 2, y / 2)];
      const drawn = routed(bowed(from, to, [from, to, between]) ?? []);
      expect(drawn).not.toBeNull();
      for (let i = 0; i <= 50; i++) expect(inside(drawn?.along(i / 50) ?? between, between)).toBe(false);
      expect(inside(drawn?.start ?? between, from)).toBe(false);
      expect(inside(drawn?.end ?? between, to)).toBe(false);
    }
  });
  it("stay straight where nothing helps", () => {
    const [from, to] = [box(0, 0), box(0, 300)];
    expect(bowed(from, to, [from, to, { x: 0, y: 150, width: 5000, height: 34 }])).toBeNull();
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

describe("notes of a result", () => {
  it("are lines of text", () => {
    expect(noteLines(["a - b is put back", "c"])).toEqual(["a - b is put back", "c"]);
    expect(noteLines({ "0": 49, "1": 1232 })).toEqual(["0: 49", "1: 1,232"]);
    expect([noteLines(-226.32918155), noteLines(true), noteLines(null)]).toEqual([["-226.329"], ["yes"], []]);
    expect(noteLines(Array.from({ length: 50 }, String)).at(-1)).toBe("and 10 more");
  });
});

describe("looks of edges", () => {
  const edge = { ...EDGE, from: "a", to: "b" };
  it("are those of the pictures: undecided purple, hidden causes orange, interventions green, and knowledge a diamond", () => {
    expect(lookOf(edge)).toMatchObject({ tone: "plain", given: false });
    expect(lookOf({ ...edge, to_mark: "none", undecided: true })).toMatchObject({ tone: "undecided", words: "a — b, direction undecided" });
    expect(lookOf({ ...edge, from_mark: "arrow", hidden: true }).tone).toBe("hidden");
    expect(lookOf({ ...edge, decided_by: "intervention" }).tone).toBe("intervened");
    expect(lookOf({ ...edge, given: true })).toMatchObject({ tone: "plain", given: true, words: "a → b, required by knowledge" });
  });
  it("have the widths of the pictures for strengths", () => {
    expect([0, 0.5, 1, 2].map(widthOf).map((width) => Number(width.toFixed(2)))).toEqual([0.7, 2.45, 4.2, 4.2]);
  });
});
