import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cleanup, fireEvent, screen, within } from "@testing-library/svelte";
import { enumerate, MockServer } from "../mock/api";
import App from "../src/App.svelte";
import JobCard from "../src/parts/JobCard.svelte";
import { FakeEvents, model, opened, render, served, settled, studio } from "./page";

let server: MockServer;
beforeEach(async () => {
  server = await opened();
});
afterEach(() => cleanup());

describe("the open project", () => {
  it("takes a change back and does it again", async () => {
    await studio.change({ missing: "em" }, "missing values: em");
    expect(server.project?.state.missing).toBe("em");
    await studio.undo();
    expect(server.project?.state.missing).toBeNull();
    expect(studio.undoable).toEqual({ undo: null, redo: "missing values: em" });
    await studio.redo();
    expect(server.project?.state.missing).toBe("em");
  });

  it("keeps what another tab changed", async () => {
    server.conflicts = 1;
    await studio.change({ weights: "people" }, "weights");
    expect(server.project?.state).toMatchObject({ missing: "drop", weights: "people" });
    expect(studio.notices).toEqual([]);
  });

  it("reads the data report again when another tab changed a column", async () => {
    const project = server.project;
    if (!project) throw new Error("no project");
    server.project = { ...project, revision: project.revision + 1, state: { ...project.state, columns: { smoke: { exclude: true } } } };
    server.columns = server.columns.map((one) => (one.name === "smoke" ? { ...one, excluded: true } : one));
    FakeEvents.last?.send("project", { revision: server.project.revision, by: "another tab" });
    await settled();
    expect(studio.report?.columns.find((one) => one.name === "smoke")?.excluded).toBe(true);
  });

  it("renames on top of what another tab changed", async () => {
    server.conflicts = 1;
    await studio.rename("ship");
    expect(server.project).toMatchObject({ name: "ship", state: { missing: "drop" } });
    expect(studio.notices).toEqual([]);
  });

  it("sends quick changes in turn, each on the revision before it", async () => {
    await Promise.all([studio.change({ missing: "em" }, "a"), studio.change({ weights: "x" }, "b"), studio.change({ missing: null }, "c")]);
    expect(server.project?.state).toMatchObject({ missing: null, weights: "x" });
    expect(studio.project?.revision).toBe(server.project?.revision);
  });

  it("shows an opened network, but calls nobody back who has gone on", async () => {
    const file = new File(["network asia { }"], "asia.bif");
    await studio.openNetworkFile(file);
    expect(studio.step).toBe("look");
    studio.go("data");
    const opening = studio.openNetworkFile(file);
    studio.go("ask");
    await opening;
    expect(studio.step).toBe("ask");
    expect(studio.notices).toEqual([]);
  });

  it("says in the library's words what went wrong", async () => {
    await studio.attempt(async () => {
      const { get } = await import("../src/api/client");
      await get("/api/nowhere");
    });
    expect(studio.notices.at(-1)?.text).toBe("nothing at /api/nowhere");
  });
});

describe("asking", () => {
  it("moves all marginals and marks where they stood", async () => {
    await studio.change({ shown: "r_1" }, "show");
    await model.follow("r_1");
    await model.toggleState("xray", "yes");
    const truth = enumerate({ xray: "yes" }, {}).marginals[1];
    const lung = model.answer?.marginals.find((one) => one.node === "lung");
    expect(lung).toMatchObject({ kind: "states", probabilities: truth });
    expect(lung?.before).toEqual(enumerate({}, {}).marginals[1]);
    await model.toggleState("xray", "yes");
    expect(studio.state?.evidence).toEqual({});
  });

  it("says nothing about new evidence before the answer to it, and never beside a contradiction", async () => {
    await studio.change({ shown: "r_1" }, "show");
    studio.go("ask");
    render(App);
    await settled();
    const sentences: string[] = [];
    const watch = new MutationObserver(() => sentences.push(document.querySelector("[aria-label='What is known'] p.small")?.textContent ?? ""));
    watch.observe(document.body, { subtree: true, childList: true, characterData: true });
    void model.toggleState("xray", "yes");
    expect(model.asksNow).toBe(true);
    await settled();
    expect(model.asksNow).toBe(false);
    expect(sentences).toContain("Answering …");
    expect(sentences.filter((one) => one.includes("100.0 %"))).toEqual([]);
    expect(screen.getByText(/^Probability of this evidence/)).toBeTruthy();
    server.impossible = "the evidence has probability 0.";
    await model.toggleState("lung", "yes");
    await settled();
    expect(screen.getByText(/^the evidence has probability 0\. The probabilities below/)).toBeTruthy();
    expect(screen.queryByText(/^Probability of this evidence/)).toBeNull();
    watch.disconnect();
  });

  it("asks again when another tab changed the evidence", async () => {
    await studio.change({ shown: "r_1" }, "show");
    render(App);
    await settled();
    const project = server.project;
    if (!project) throw new Error("no project");
    server.project = { ...project, revision: project.revision + 1, state: { ...project.state, evidence: { smoke: "yes" } } };
    FakeEvents.last?.send("project", { revision: server.project.revision, by: "another tab" });
    await settled();
    expect(model.answer?.marginals[1]).toMatchObject({ probabilities: enumerate({ smoke: "yes" }, {}).marginals[1] });
  });

  it("lays nodes out once and moves nothing when the same graph is shown again", async () => {
    await studio.change({ shown: "r_1" }, "show");
    await model.follow("r_1");
    await model.moved({ lung: [999, 5] });
    await model.follow(null);
    await model.follow("r_1");
    expect(studio.state?.positions["lung"]).toEqual([999, 5]);
    const layouts = server.requests.filter((one) => one.path.endsWith("/layout"));
    expect(layouts.map((one) => (one.body as { keep: boolean }).keep)).toEqual([false, true]);
  });

  it("lays nodes out again when they grow bars, unless a person moved one", async () => {
    const anew = (): boolean[] => server.requests.filter((one) => one.path.endsWith("/layout")).map((one) => !(one.body as { keep: boolean }).keep);
    await studio.change({ shown: "r_1", view: { ...studio.state?.view, bars: false } }, "show");
    await model.follow("r_1");
    await studio.change({ view: { ...studio.state?.view, bars: true } }, "bars", false);
    await model.lay(false);
    expect(anew()).toEqual([true, true]);
    await model.moved({ lung: [999, 5] });
    await studio.change({ view: { ...studio.state?.view, bare: true } }, "bare", false);
    await model.lay(false);
    expect(anew()).toEqual([true, true, false]);
    expect(studio.state?.positions["lung"]).toEqual([999, 5]);
  });
});

describe("the page", () => {
  it("offers three ways to begin", async () => {
    served();
    render(App);
    await settled();
    expect(screen.getAllByRole("heading", { level: 2 }).map((one) => one.textContent)).toEqual(["Open data", "Open a network", "Try a sample"]);
  });

  it("shows columns as text, whatever their names", async () => {
    const name = "<img src=x onerror=alert(1)>";
    const first = server.columns[0];
    if (first) server.columns[0] = { ...first, name, shown: name };
    await studio.readReport();
    const { container } = render(App);
    await settled();
    expect(screen.getByRole("button", { name })).toBeTruthy();
    expect(container.querySelector("table img")).toBeNull();
  });

  it("makes a form from the options of a method and sends the method as text", async () => {
    studio.go("learn");
    render(App);
    await settled();
    await fireEvent.change(screen.getByLabelText("Search"), { target: { value: "HillClimb" } });
    await settled();
    const field = screen.getByText("Most parents of a node.").closest("label") as HTMLElement;
    await fireEvent.change(within(field).getByRole("spinbutton"), { target: { value: "3" } });
    await settled();
    expect(server.project?.state.learn.search).toBe("HillClimb(max_parents=3)");
  });

  it("follows a job and offers to stop it", async () => {
    studio.go("learn");
    render(App);
    await settled();
    await fireEvent.click(screen.getByRole("button", { name: "Learn the network" }));
    await settled();
    expect(screen.getByText("Stop and keep the best")).toBeTruthy();
    const job = server.jobs[0];
    FakeEvents.last?.send("job", { ...job, state: "done", result: "r_1" });
    await settled();
    expect(screen.queryByText("Stop and keep the best")).toBeNull();
  });

  it("offers a way back from settings with which the data cannot be read", async () => {
    server.unreadable = "not UTF-16";
    await studio.changeColumns({ reading: { encoding: "utf-16" } }, "reading: encoding");
    expect(studio.notices.map((one) => one.text)).toEqual(["not UTF-16"]);
    studio.report = null; // as after a reload
    studio.go("data");
    render(App);
    await settled();
    expect(screen.getAllByText("not UTF-16", { exact: false }).length).toBeGreaterThan(0);
    expect(screen.getByLabelText<HTMLSelectElement>("Encoding").value).toBe("utf-16");
    server.unreadable = null;
    await fireEvent.click(screen.getByText("Remove all settings of the data"));
    await settled();
    expect([studio.reportProblem, studio.notices, server.project?.state.reading]).toEqual(["", [], {}]);
    expect(screen.getByText("distinct rows")).toBeTruthy();
  });

  it("takes whole numbers that are not below the least one", async () => {
    studio.go("learn");
    render(App);
    await settled();
    await fireEvent.change(screen.getByLabelText("Seed"), { target: { value: "1.6" } });
    await fireEvent.change(screen.getByLabelText("Threads"), { target: { value: "-2" } });
    await fireEvent.change(screen.getByLabelText("Time limit, seconds"), { target: { value: "0.5" } });
    await settled();
    expect(server.project?.state.learn).toMatchObject({ seed: 2, threads: 1, time_limit: 0.5 });
    expect(screen.getByLabelText<HTMLInputElement>("Threads").value).toBe("1");
  });

  it("offers to leave out columns without values", async () => {
    server.columns = server.columns.map((one) => (one.name === "xray" ? { ...one, distinct: 0, usable: false } : one));
    await studio.readReport();
    studio.go("data");
    render(App);
    await settled();
    await fireEvent.click(screen.getByText("Leave it out"));
    await settled();
    expect(server.project?.state.columns).toEqual({ xray: { exclude: true } });
  });

  it("names contradictions with their cause", async () => {
    server.conflictsOfKnowledge = [{ summary: "a -> b is required and forbidden", statements: ["required: a -> b", "forbidden: a -> b"] }];
    studio.go("knowledge");
    await studio.checkKnowledge();
    render(App);
    await settled();
    expect(screen.getByText("a -> b is required and forbidden")).toBeTruthy();
    expect(screen.getByText("forbidden: a -> b")).toBeTruthy();
  });

  it("sets evidence from the table beside the canvas", async () => {
    await studio.change({ shown: "r_1" }, "show");
    studio.go("ask");
    render(App);
    await settled();
    const list = screen.getByRole("region", { name: "Probabilities" });
    await fireEvent.click(within(list).getByRole("button", { name: "xray = yes" }));
    await settled();
    expect(server.project?.state.evidence).toEqual({ xray: "yes" });
    expect(screen.getByText("= yes", { exact: false, selector: ".known *" })).toBeTruthy();
  });
});

describe("a run that cannot work with gaps in the data", () => {
  it("offers to learn again in a way that it can work with, and goes when that begins", async () => {
    const failed = server.job({ kind: "rivals" }, "failed");
    const error = { code: "option", message: "the whole message", subject: null, options: [], policies: ["drop", "state"] as ("drop" | "state")[] };
    const job = { ...failed, options: { result: "r_1" }, error };
    studio.jobs = [job];
    render(JobCard, { job });
    expect(screen.getByText("Learn again with a gap as a state of its own")).toBeTruthy();
    await fireEvent.click(screen.getByText("Learn again with incomplete rows left out"));
    await settled();
    expect(server.project?.state.missing).toBe("drop");
    expect(server.requests.findLast((one) => one.path.endsWith("/jobs"))?.body).toMatchObject({ kind: "learn" });
    expect(server.requests.some((one) => one.method === "DELETE" && one.path.endsWith(`/jobs/${failed.id}`))).toBe(true);
  });
});
