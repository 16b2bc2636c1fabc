import { describe, expect, it } from "vitest";
import type { Job, ResultEntry } from "../src/api/types";
import { besideResults } from "../src/lib/runs";
import { nodeSize } from "../src/lib/sizes";
import { READABLE, tierPlaces } from "../src/lib/tiers";
import { entriesOf, versionsOf } from "../src/lib/versions";

const entry = (id: string, session: string | null = null, kind: ResultEntry["kind"] = "network"): ResultEntry => ({
  id, kind, name: id, created: "", job: null, of: null, score: null, nodes: 1, edges: 0, file: null, session,
});

describe("networks that were edited by hand", () => {
  const results = [entry("n_4", "n_2"), entry("r_9", null, "report"), entry("n_3", "n_2"), entry("r_1", null, "learned"), entry("n_2"), entry("n_1")];
  const ids = (shown: string | null, versions: Record<string, string> = {}): string[] => entriesOf(results, { shown, view: { versions } }).map((one) => one.id);

  it("are one entry: the version on the canvas, else the last one worked on, else the newest", () => {
    expect(ids(null)).toEqual(["n_4", "r_1", "n_1"]);
    expect(ids("n_2")).toEqual(["n_2", "r_1", "n_1"]);
    expect(ids("r_1", { n_2: "n_3" })).toEqual(["n_3", "r_1", "n_1"]);
    expect(ids("n_4", { n_2: "n_3" })).toEqual(["n_4", "r_1", "n_1"]);
  });
  it("go together", () => {
    expect(versionsOf(results, "n_3").map((one) => one.id)).toEqual(["n_4", "n_3", "n_2"]);
    expect(versionsOf(results, "r_1").map((one) => one.id)).toEqual(["r_1"]);
  });
});

describe("runs beside results", () => {
  const job = (id: string, state: Job["state"], ended: string | null): Job => ({
    id, project: "p", kind: "learn", state, place: null, created: "2026-11-17T12:00:00Z", started: null, ended, label: "", options: {}, progress: null, series: [], result: null, error: null,
  });
  it("stand above what is older, and below what is newer", () => {
    const jobs = [job("j_4", "running", null), job("j_3", "failed", "2026-11-17T12:09:00Z"), job("j_2", "done", "2026-11-17T12:05:00Z"), job("j_1", "failed", "2026-11-17T12:02:00Z")];
    const { above, below } = besideResults(jobs, "2026-11-17T12:05:00Z");
    expect([above.map((one) => one.id), below.map((one) => one.id)]).toEqual([["j_4", "j_3"], ["j_1"]]);
    expect(besideResults(jobs, null).below).toEqual([]);
  });
});

describe("the places of tiers", () => {
  const tiers = Array.from({ length: 8 }, (_, i) => [`tier ${i} first`, `tier ${i} second`, `tier ${i} third`]);
  const size = (name: string): [number, number] => nodeSize(name, []);
  for (const [frame, words] of [[[700, 500], "a wide"], [[360, 540], "a narrow"]] as const)
    it(`keep names readable in ${words} frame`, () => {
      const places = tierPlaces(tiers, ["other"], size, frame);
      const all = Object.entries(places);
      expect(all).toHaveLength(25);
      const width = Math.max(...all.map(([name, [x]]) => x + size(name)[0] / 2)) - Math.min(...all.map(([name, [x]]) => x - size(name)[0] / 2));
      expect(frame[0] / width).toBeGreaterThan(READABLE);
      for (const [i, [a, [x, y]]] of all.entries())
        for (const [b, [u, v]] of all.slice(i + 1)) expect(Math.abs(x - u) * 2 >= size(a)[0] + size(b)[0] || Math.abs(y - v) >= 34).toBe(true);
    });
  it("keep many tiers of one variable readable", () => {
    const chain = Array.from({ length: 8 }, (_, i) => [`name ${i}`]);
    for (const frame of [[632, 512], [360, 512]] as const) {
      const spans = [0, 1].map((axis) => Object.values(tierPlaces(chain, [], size, frame)).map((place) => place[axis] ?? 0)).map((all) => Math.max(...all) - Math.min(...all));
      expect(Math.min(frame[0] / ((spans[0] ?? 0) + 100), frame[1] / ((spans[1] ?? 0) + 40))).toBeGreaterThan(READABLE);
    }
  });
  it("put a later tier below, or to the right", () => {
    const places = tierPlaces([["a"], ["b"]], [], size, [300, 600]);
    expect(places["a"]?.[1]).toBeLessThanOrEqual(places["b"]?.[1] ?? -1);
  });
});
