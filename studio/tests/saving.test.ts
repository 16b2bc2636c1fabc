// Changes on their way to the server: two tabs, undo, files that cannot be read, streams that were cut off.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cleanup, fireEvent, screen } from "@testing-library/svelte";
import type { MockServer } from "../mock/api";
import type { Project, State } from "../src/api/types";
import App from "../src/App.svelte";
import { FakeEvents, opened, render, served, settled, studio } from "./page";

let server: MockServer;
beforeEach(async () => {
  server = await opened();
});
afterEach(() => cleanup());

const table = new File(["a,b\n1,2\n"], "new.csv");
const columns = (): State["columns"] | undefined => server.project?.state.columns;
const elsewhere = (state: Partial<State>): void => {
  const project = server.project as Project;
  server.project = { ...project, revision: project.revision + 1, state: { ...project.state, ...state } };
};

describe("two tabs", () => {
  it("both exclude a column", async () => {
    server.conflicts = 1;
    server.theirs = { columns: { lung: { exclude: true } } };
    await studio.change({ columns: { smoke: { exclude: true } } }, "leave out smoke");
    expect(columns()).toEqual({ lung: { exclude: true }, smoke: { exclude: true } });
    expect(studio.state?.columns).toEqual(columns());
    expect(studio.notices).toEqual([]);
    await studio.undo();
    expect(columns()).toEqual({ lung: { exclude: true } });
    await studio.redo();
    expect(columns()).toEqual({ lung: { exclude: true }, smoke: { exclude: true } });
  });

  it("change the same entry: this tab's value stays, and the person is told", async () => {
    server.conflicts = 1;
    server.theirs = { columns: { smoke: { kind: "number" } } };
    await studio.change({ columns: { smoke: { kind: "ordered" } } }, "kind of smoke");
    expect(columns()).toEqual({ smoke: { kind: "ordered" } });
    expect(studio.notices.map((one) => [one.kind, one.detail])).toEqual([["info", ["columns › smoke › kind"]]]);
  });

  it("lose nothing of quick changes that were made before the other tab's was seen", async () => {
    server.conflicts = 1;
    server.theirs = { columns: { lung: { exclude: true } } };
    await Promise.all([
      studio.change({ columns: { smoke: { exclude: true } } }, "first"),
      studio.change({ columns: { smoke: { exclude: true }, bronc: { exclude: true } } }, "second"),
    ]);
    expect(Object.keys(columns() ?? {}).sort()).toEqual(["bronc", "lung", "smoke"]);
    expect(studio.state?.columns).toEqual(columns());
    expect(studio.saving).toBe(0);
  });

  it("a change that the server refuses is shown no longer, and Undo does not offer it", async () => {
    server.refuses = "there is no kind 'x'";
    await studio.change({ columns: { smoke: { kind: "number" } } }, "kind of smoke");
    expect(studio.state?.columns).toEqual({});
    expect(studio.undoable.undo).toBeNull();
    expect(studio.notices.map((one) => one.text)).toEqual(["there is no kind 'x'"]);
  });
});

describe("undo", () => {
  it("takes back new data with all that was said of the columns", async () => {
    await studio.change({ columns: { smoke: { exclude: true } }, missing: "em" }, "before");
    await studio.uploadData(table);
    expect(server.project?.state).toMatchObject({ data: { id: "d_2" }, columns: {}, missing: null });
    expect(studio.undoable.undo).toBe("data: new.csv");
    await studio.undo();
    expect(server.project?.state).toMatchObject({ data: { id: "d_1" }, columns: { smoke: { exclude: true } }, missing: "em" });
    expect(studio.undoable).toEqual({ undo: "before", redo: "data: new.csv" });
    await studio.redo();
    expect(server.project?.state).toMatchObject({ data: { id: "d_2" }, columns: {} });
    await studio.useSample("asia");
    expect(studio.undoable.undo).toBe("data: asia");
  });

  it("takes back an import of knowledge", async () => {
    await studio.change({ knowledge: { dagwright_knowledge: 1, roots: ["smoke"] } }, "root");
    await studio.importKnowledge(new File(["x"], "known.toml"));
    expect(studio.state?.knowledge).toEqual({ dagwright_knowledge: 1, max_parents: 2 });
    await studio.undo();
    expect(server.project?.state.knowledge).toEqual({ dagwright_knowledge: 1, roots: ["smoke"] });
  });

  it("takes back another name", async () => {
    const name = studio.project?.name;
    await studio.rename("ship");
    expect(server.project?.name).toBe("ship");
    await studio.undo();
    expect(server.project?.name).toBe(name);
    await studio.redo();
    expect(studio.project?.name).toBe("ship");
  });

  it("brings back a forgotten result, and that it was shown", async () => {
    await studio.change({ shown: "r_1" }, "show");
    await studio.forgetResult("r_1");
    expect([studio.results, server.project?.state.shown]).toEqual([[], null]);
    expect(studio.undoable.undo).toMatch(/^forgot /);
    await studio.undo();
    expect(studio.results.map((one) => one.id)).toEqual(["r_1"]);
    expect(server.project?.state.shown).toBe("r_1");
    await studio.redo();
    expect([studio.results, server.project?.state.shown, server.forgotten]).toEqual([[], null, ["r_1"]]);
  });
});

describe("the history over a reload", () => {
  const reload = async (): Promise<void> => {
    studio.leave();
    await studio.open("p_1");
    await settled();
  };

  it("takes back, and does again, what was changed before", async () => {
    await studio.change({ missing: "em" }, "missing values: em");
    await studio.renameResult("r_1", "mine");
    await studio.change({ shown: "r_1" }, "show");
    await studio.forgetResult("r_1");
    await studio.undo();
    await reload();
    expect(studio.undoable).toEqual({ undo: "show", redo: "forgot mine" });
    await studio.redo();
    expect([studio.results, server.forgotten]).toEqual([[], ["r_1"]]);
    for (let i = 0; i < 4; i++) await studio.undo();
    expect(server.project?.state).toMatchObject({ missing: null, shown: null });
    expect(server.requests.findLast((one) => one.method === "PATCH" && one.path.endsWith("results/r_1"))?.body).toEqual({ name: "Exact() with BIC" });
    await reload();
    expect(studio.undoable).toEqual({ undo: null, redo: "missing values: em" });
  });

  it("keeps what another tab changed meanwhile", async () => {
    await studio.change({ columns: { smoke: { exclude: true } } }, "leave out smoke");
    await studio.change({ positions: { smoke: [1, 2], lung: [3, 4] } }, "moved");
    elsewhere({ positions: { smoke: [1, 2], lung: [5, 6], bronc: [7, 8] }, columns: { smoke: { exclude: true }, lung: { exclude: true } } });
    await reload();
    await studio.undo();
    await studio.undo();
    expect(columns()).toEqual({ lung: { exclude: true } });
    expect(server.project?.state.positions).toMatchObject({ bronc: [7, 8] });
  });

  it("skips what the server no longer has", async () => {
    await studio.change({ missing: "em" }, "missing values: em");
    await studio.forgetResult("r_1");
    sessionStorage.setItem("dagwright undo p_1", (sessionStorage.getItem("dagwright undo p_1") ?? "").replaceAll("r_1", "r_77"));
    await reload();
    await studio.undo();
    expect(studio.undoable.undo).toBe("missing values: em");
    await studio.undo();
    expect(server.project?.state.missing).toBeNull();
  });

  it("begins anew where what was kept cannot be read, and is bounded", async () => {
    sessionStorage.setItem("dagwright undo p_1", "{");
    await reload();
    expect(studio.undoable).toEqual({ undo: null, redo: null });
    for (let i = 0; i < 5; i++) await studio.change({ groups: { all: ["x".repeat(300_000), String(i)] } }, `groups ${i}`);
    expect(sessionStorage.getItem("dagwright undo p_1")?.length).toBeLessThan(1_000_100);
    await reload();
    expect(studio.undoable.undo).toBe("groups 4");
  });
});

describe("files", () => {
  it("leave no project behind where they cannot be read", async () => {
    for (const open of [() => studio.openFile(new File(["?"], "x.xlsx")), () => studio.openNetworkFile(new File(["?"], "x.bif"))]) {
      server = served();
      await studio.start();
      server.unreadable = "row 1 has 3 values, the header 2";
      await open();
      expect(studio.project).toBeNull();
      expect(server.requests.some((one) => one.method === "DELETE" && one.path === "/api/projects/p_1")).toBe(true);
      expect(studio.notices.map((one) => one.text)).toEqual(["row 1 has 3 values, the header 2"]);
      expect(location.hash).toBe("");
    }
  });

  it("that do not tell how to read them are asked about, and sent again", async () => {
    server = served();
    await studio.start();
    server.unreadable = "byte 0xf6 is not UTF-8";
    render(App);
    await studio.openFile(table);
    await settled();
    expect([studio.project, studio.notices]).toEqual([null, []]);
    expect(screen.getByText("byte 0xf6 is not UTF-8")).toBeTruthy();
    await fireEvent.change(screen.getByLabelText("Encoding"), { target: { value: "latin-1" } });
    await fireEvent.change(screen.getByLabelText("Also read as missing"), { target: { value: "n/a, ?" } });
    server.unreadable = null;
    await fireEvent.click(screen.getByText("Read it again"));
    await settled();
    expect(server.requests.findLast((one) => one.path.endsWith("/data"))?.query).toContain("encoding=latin-1");
    expect([studio.step, studio.unread, studio.state?.reading["missing_values"]]).toEqual(["data", null, ["n/a", "?"]]);
  });

  it("that cannot be read change nothing in an open project", async () => {
    server.unreadable = "no";
    await studio.openFile(table);
    expect(studio.project?.id).toBe("p_1");
    expect(studio.undoable.undo).toBeNull();
  });

  it("may be dropped on any step", async () => {
    studio.go("ask");
    render(App);
    await settled();
    const drop = async (name: string): Promise<boolean> => {
      const dataTransfer = { types: ["Files"], files: [new File(["x"], name)] };
      const taken = !(await fireEvent.dragOver(document.body, { dataTransfer })) && !(await fireEvent.drop(document.body, { dataTransfer }));
      await settled();
      return taken;
    };
    expect(await drop("new.csv")).toBe(true);
    expect([studio.step, studio.state?.data?.id]).toEqual(["data", "d_2"]);
    studio.go("knowledge");
    expect(await drop("known.csv")).toBe(true);
    expect(studio.state?.knowledge.max_parents).toBe(2);
    expect(await drop("asia.bif")).toBe(true);
    expect(studio.step).toBe("look");
    expect(await fireEvent.dragOver(document.body, { dataTransfer: { types: ["text/plain"], files: [] } })).toBe(true);
    expect(screen.queryByText("This did not work.")).toBeNull();
  });
});

describe("a stream that was cut off", () => {
  it("brings what was missed when it begins again", async () => {
    elsewhere({ missing: "em" });
    server.forgotten = ["r_1"];
    FakeEvents.last?.send("project", { revision: server.project?.revision, by: null });
    FakeEvents.last?.send("results", { ids: [] });
    await settled();
    expect(studio.state?.missing).toBe("em");
    expect(studio.results).toEqual([]);
  });

  it("asks for nothing where nothing was missed", async () => {
    const before = server.requests.length;
    FakeEvents.last?.send("project", { revision: server.project?.revision, by: null });
    FakeEvents.last?.send("results", { ids: ["r_1"] });
    await settled();
    // The code panel reads a moment after each change, whatever the stream says.
    expect(server.requests.slice(before).filter((one) => !one.path.endsWith("/code"))).toEqual([]);
  });

  it("a revision that is told while a change is saved is read after it", async () => {
    const answer = server.answer.bind(server);
    server.answer = (method, ...rest) => {
      const found = answer(method, ...rest);
      if (method === "PATCH") {
        server.answer = answer;
        elsewhere({ compared: "r_1" });
        FakeEvents.last?.send("project", { revision: server.project?.revision, by: "another tab" });
      }
      return found;
    };
    await studio.change({ missing: "em" }, "missing");
    expect(studio.state).toMatchObject({ missing: "em", compared: "r_1" });
    expect(studio.project?.revision).toBe(server.project?.revision);
  });
});
