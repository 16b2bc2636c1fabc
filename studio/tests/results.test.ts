import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/svelte";
import { GRAPH, type MockServer } from "../mock/api";
import App from "../src/App.svelte";
import { diagnosticsOf } from "../src/lib/diagnostics";
import { expanded, focusOf, inFocus } from "../src/lib/focus";
import { FakeEvents, model, opened, render, settled, studio } from "./page";

let server: MockServer;
beforeEach(async () => {
  server = await opened();
});
afterEach(() => cleanup());

const dimmed = (): string[] => [...document.querySelectorAll(".box.dim .text")].map((one) => one.textContent ?? "").sort();
const drawn = (): string[] => [...document.querySelectorAll(".box .text")].map((one) => one.textContent ?? "").sort();
const codes = (): string[] => server.requests.filter((one) => one.path.endsWith("/code")).map((one) => one.query);

describe("strengths", () => {
  it("come to the canvas, the slider and the table when a bootstrap ends, and narrow edges are dim below the slider", async () => {
    await studio.change({ shown: "r_1" }, "show");
    studio.go("look");
    render(App);
    await settled();
    expect(screen.queryByLabelText("Smallest strength of an edge")).toBeNull();
    server.strengths = [0.2, 0.9, 1];
    FakeEvents.last?.send("result", { ...server.confidenceEntry() });
    await settled();
    const slider = screen.getByLabelText("Smallest strength of an edge");
    expect(screen.getByText("90.0 %")).toBeTruthy();
    await fireEvent.change(slider, { target: { value: "0.5" } });
    await settled();
    expect(server.project?.state.view.strength).toBe(0.5);
    expect(within(slider.closest("label") as HTMLElement).getByText("50.0 %")).toBeTruthy();
    const asked = server.requests.filter((one) => one.path.endsWith("/results/r_1")).length;
    await settled();
    expect(server.requests.filter((one) => one.path.endsWith("/results/r_1")).length).toBe(asked);
  });
});

describe("focus", () => {
  it("grows step by step from what was reached", () => {
    const first = expanded(GRAPH, null, "xray");
    const reached = inFocus(GRAPH, first, {});
    expect([...(reached ?? [])].sort()).toEqual(["lung", "xray"]);
    const second = expanded(GRAPH, reached, "lung");
    expect([...(inFocus(GRAPH, second, {}) ?? [])].sort()).toEqual(["lung", "smoke", "xray"]);
  });
  it("is all where the project keeps none, or one of another network", () => {
    expect(focusOf(undefined)).toEqual({ kind: "all" });
    expect(focusOf({ kind: "set", names: ["a", 3] })).toEqual({ kind: "set", names: ["a"] });
    expect(inFocus(GRAPH, { kind: "set", names: ["elsewhere"] }, {})).toBeNull();
    expect(inFocus(GRAPH, { kind: "group", name: "constructor" }, {})).toBeNull();
  });
  it("follows the selection, dims or hides the others, and stays with the project", async () => {
    await studio.change({ shown: "r_1" }, "show");
    studio.go("look");
    render(App);
    await settled();
    model.select({ kind: "node", name: "xray" });
    await settled();
    await fireEvent.change(screen.getByLabelText("Show a part of the network"), { target: { value: "1" } });
    await settled();
    expect(dimmed()).toEqual(["bronc", "smoke"]);
    expect(server.project?.state.view["focus"]).toEqual({ kind: "1", of: "xray" });
    model.select({ kind: "node", name: "bronc" });
    await settled();
    expect(dimmed()).toEqual(["lung", "xray"]);
    await fireEvent.click(screen.getByRole("button", { name: "Hide others" }));
    await settled();
    expect(drawn()).toEqual(["bronc", "smoke"]);
    expect(screen.getByText(/^2 of 4 variables, \d of 3 edges$/)).toBeTruthy();
    model.select({ kind: "node", name: "smoke" });
    await settled();
    await fireEvent.click(screen.getByRole("button", { name: "Add neighbors" }));
    await settled();
    expect(drawn()).toEqual(["bronc", "lung", "smoke"]);
    model.select({ kind: "node", name: "bronc" });
    await settled();
    expect(drawn()).toEqual(["bronc", "lung", "smoke"]);
    await fireEvent.change(screen.getByLabelText("Show a part of the network"), { target: { value: "all" } });
    await settled();
    expect(drawn()).toEqual(["bronc", "lung", "smoke", "xray"]);
  });
});

describe("groups", () => {
  it("have the members that a person chooses, are shown, renamed and removed", async () => {
    await studio.change({ shown: "r_1" }, "show");
    studio.go("look");
    render(App);
    await settled();
    await fireEvent.click(screen.getByRole("button", { name: "New group" }));
    await fireEvent.input(screen.getByLabelText("Name of the group"), { target: { value: "chest" } });
    await fireEvent.input(screen.getByLabelText("Find a variable for the group"), { target: { value: "ra" } });
    await fireEvent.click(screen.getByRole("checkbox", { name: "xray" }));
    await fireEvent.input(screen.getByLabelText("Find a variable for the group"), { target: { value: "" } });
    await fireEvent.click(screen.getByRole("checkbox", { name: "bronc" }));
    await fireEvent.click(screen.getByRole("button", { name: "Save the group" }));
    await settled();
    expect(server.project?.state.groups).toEqual({ chest: ["xray", "bronc"] });
    await fireEvent.click(screen.getByRole("button", { name: "Show chest" }));
    await settled();
    expect(dimmed()).toEqual(["lung", "smoke"]);
    await fireEvent.click(screen.getByRole("button", { name: "Change chest" }));
    await fireEvent.input(screen.getByLabelText("Name of the group"), { target: { value: "signs" } });
    await fireEvent.click(screen.getByRole("checkbox", { name: "bronc" }));
    await fireEvent.click(screen.getByRole("button", { name: "Save the group" }));
    await settled();
    expect(server.project?.state).toMatchObject({ groups: { signs: ["xray"] }, view: { focus: { kind: "group", name: "signs" } } });
    expect(dimmed()).toEqual(["bronc", "lung", "smoke"]);
    await fireEvent.click(screen.getByRole("button", { name: "Remove signs" }));
    await settled();
    expect(server.project?.state.groups).toEqual({});
    expect(dimmed()).toEqual([]);
  });
});

describe("comparison", () => {
  const compared = (): unknown[] => server.requests.filter((one) => one.path.endsWith("/compare")).map((one) => one.body);
  it("is restored with the project, and follows the result on the canvas", async () => {
    server.more = ["r_2", "r_3"];
    await studio.readResults();
    await studio.change({ shown: "r_1", compared: "r_2" }, "show");
    studio.go("learn");
    render(App);
    await settled();
    expect(screen.getByLabelText<HTMLSelectElement>("The result on the canvas with").value).toBe("r_2");
    expect(compared()).toEqual([{ first: "r_1", second: "r_2" }]);
    expect(screen.getByText("structural Hamming distance")).toBeTruthy();
    await studio.change({ shown: "r_3" }, "show");
    await settled();
    expect(compared().at(-1)).toEqual({ first: "r_3", second: "r_2" });
    await studio.change({ shown: "r_2" }, "show");
    await settled();
    expect(screen.queryByText("structural Hamming distance")).toBeNull();
  });
});

describe("results", () => {
  it("are renamed, also in a project without data", async () => {
    studio.report = null;
    await studio.change({ shown: "r_1" }, "show");
    studio.go("learn");
    render(App);
    await settled();
    expect(screen.getByText("Learning needs data.", { exact: false })).toBeTruthy();
    await fireEvent.click(screen.getByRole("button", { name: "Rename Exact() with BIC" }));
    await fireEvent.input(screen.getByLabelText("New name of Exact() with BIC"), { target: { value: "the best" } });
    await fireEvent.click(screen.getByRole("button", { name: "Save" }));
    await settled();
    expect(screen.getByRole("button", { name: "Look at the best" })).toBeTruthy();
    expect(model.name).toBe("the best");
    await studio.undo();
    await settled();
    expect(screen.getByRole("button", { name: "Look at Exact() with BIC" })).toBeTruthy();
    await studio.redo();
    await settled();
    expect(model.name).toBe("the best");
  });
});

describe("code", () => {
  it("is that of the result on the canvas, and on Learn that of the next run", async () => {
    await studio.change({ shown: "r_1" }, "show");
    studio.go("look");
    render(App);
    await waitFor(() => expect(codes().at(-1)).toBe("result=r_1"), { timeout: 4000 });
    studio.go("learn");
    await waitFor(() => expect(codes().at(-1)).toBe(""), { timeout: 4000 });
  });
});

describe("doubt", () => {
  it("asks for a posterior by its method, samples and time", async () => {
    await studio.change({ shown: "r_1" }, "show");
    studio.go("doubt");
    render(App);
    await settled();
    await fireEvent.change(screen.getByLabelText("Method of the posterior"), { target: { value: "OrderMCMC" } });
    const field = screen.getByText("Networks of each chain.").closest("label") as HTMLElement;
    await fireEvent.change(within(field).getByRole("spinbutton"), { target: { value: "500" } });
    await fireEvent.change(screen.getByLabelText("Time limit of the posterior, seconds"), { target: { value: "20" } });
    await fireEvent.click(screen.getByRole("button", { name: "Posterior" }));
    await settled();
    const job = server.requests.filter((one) => one.path.endsWith("/jobs") && one.method === "POST").at(-1);
    expect(job?.body).toEqual({ kind: "posterior", options: { result: "r_1", method: "OrderMCMC(samples=500)", time_limit: 20 } });
  });
  it("names the curve of a job by what it measures", async () => {
    await studio.change({ shown: "r_1" }, "show");
    studio.go("doubt");
    render(App);
    await settled();
    studio.take({ ...server.job({ kind: "posterior" }), measure: "log_score" });
    await settled();
    expect(screen.getByRole("img", { name: /^mean log score of the chains/ })).toBeTruthy();
    expect(screen.queryByRole("img", { name: /^best score/ })).toBeNull();
  });
  it("tells the diagnostics in words, the best known first", () => {
    expect(diagnosticsOf({ chains: 4, acceptance: 0.353, rhat_arcs: 1.00104, effective_samples: 4274.6, other_thing: null })).toEqual([
      ["R-hat of the edges, largest", "1.001"], ["effective samples", "4,275"], ["accepted proposals", "35.3 %"], ["chains", "4"],
    ]);
  });
});

describe("taking away", () => {
  it("says in the library's words why there is no file", async () => {
    await studio.change({ shown: "r_1" }, "show");
    studio.go("take");
    render(App);
    await settled();
    await fireEvent.click(screen.getByRole("button", { name: "Download as PNG" }));
    await settled();
    expect(studio.notices.at(-1)?.text).toBe("PNG needs the package resvg-py");
  });
  it("offers the formats of reports that the server has", async () => {
    await studio.change({ shown: "r_1" }, "show");
    studio.go("take");
    render(App);
    await settled();
    await fireEvent.change(screen.getByLabelText("Format"), { target: { value: "md" } });
    await fireEvent.click(screen.getByRole("button", { name: "Write the report" }));
    await settled();
    const report = { kind: "report", options: expect.objectContaining({ format: "md" }) as unknown };
    expect(server.requests.map((one) => one.body)).toContainEqual(expect.objectContaining(report));
  });
});

describe("more questions", () => {
  it("are about what is not known yet, and an answer about one variable is not shown for another", async () => {
    server.columns = server.columns.filter((one) => one.name !== "age");
    await studio.change({ shown: "r_1", evidence: { xray: "yes" } }, "show");
    studio.go("ask");
    render(App);
    await settled();
    const about = screen.getByLabelText<HTMLSelectElement>("About");
    expect([...about.options].map((one) => one.value).sort()).toEqual(["bronc", "lung", "smoke"]);
    await fireEvent.change(about, { target: { value: "lung" } });
    await fireEvent.click(screen.getByText("What to observe next"));
    await settled();
    expect(screen.getByText("Bits that each variable would tell about lung")).toBeTruthy();
    await fireEvent.change(about, { target: { value: "bronc" } });
    await settled();
    expect(screen.queryByText(/^Bits that each variable/)).toBeNull();
  });
});
