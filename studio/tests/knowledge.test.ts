// The Knowledge step: what it shows, what it keeps, and its tabs.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { cleanup, fireEvent, screen, within } from "@testing-library/svelte";
import type { MockServer } from "../mock/api";
import type { Knowledge } from "../src/api/types";
import App from "../src/App.svelte";
import { opened, render, settled, studio } from "./page";

let server: MockServer;
const knowledge = (): Knowledge | undefined => server.project?.state.knowledge;
async function shown(known: Knowledge, tab?: string): Promise<void> {
  await studio.change({ knowledge: { dagwright_knowledge: 1, ...known } }, "known");
  studio.go("knowledge");
  render(App);
  await settled();
  if (tab) await fireEvent.click(screen.getByRole("tab", { name: tab }));
  await settled();
}
beforeEach(async () => {
  server = await opened();
});
afterEach(() => cleanup());

describe("the Knowledge step", () => {
  it("shows the limit of every variable and keeps it when one variable gets another", async () => {
    await shown({ max_parents: 2 }, "Parent limits");
    const all = screen.getByLabelText<HTMLInputElement>("Most parents of every variable");
    expect(all.value).toBe("2");
    await fireEvent.change(screen.getByLabelText("Most parents of smoke"), { target: { value: "1" } });
    await settled();
    expect(knowledge()?.max_parents).toEqual({ "*": 2, smoke: 1 });
    await fireEvent.change(all, { target: { value: "" } });
    await settled();
    expect(knowledge()?.max_parents).toEqual({ smoke: 1 });
  });

  it("lists statements that have no control, and removes them one by one", async () => {
    await shown({ roots: ["smoke"], order: ["smoke", "lung"], also: [{ order: ["lung"] }] });
    const list = screen.getByRole("region", { name: "Further statements" });
    expect(within(list).getAllByRole("listitem")).toHaveLength(3);
    await fireEvent.click(within(list).getByRole("button", { name: "Remove: smoke has no parents" }));
    await settled();
    expect(knowledge()).toEqual({ dagwright_knowledge: 1, order: ["smoke", "lung"], also: [{ order: ["lung"] }] });
    await studio.undo();
    expect(knowledge()?.["roots"]).toEqual(["smoke"]);
  });

  it("shows patterns in tiers", async () => {
    await shown({ tiers: [["smoke"], ["x*"]] });
    await fireEvent.change(screen.getByLabelText("Tier of x*"), { target: { value: "0" } });
    await settled();
    expect(knowledge()?.tiers).toEqual([["smoke", "x*"], []]);
  });

  it("exports in each format, and tells why a format cannot say something", async () => {
    const saved: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    await shown({ roots: ["smoke"] });
    for (const format of ["toml", "json", "txt"]) {
      await fireEvent.change(screen.getByLabelText("Format of the export"), { target: { value: format } });
      await fireEvent.click(screen.getByRole("button", { name: "Export" }));
      await settled();
    }
    expect(server.requests.filter((one) => one.path.endsWith("knowledge/export"))).toHaveLength(3);
    expect(saved).toHaveLength(2);
    expect(studio.notices.map((one) => one.text)).toEqual(["Tetrad's form cannot say 'root: smoke'; save as .toml or .json"]);
    vi.restoreAllMocks();
  });
});

describe("tabs", () => {
  it("follow the arrow keys, Home and End, and one of them is in the order of the Tab key", async () => {
    await shown({});
    const tabs = (): [string | null, string | null, number][] => screen.getAllByRole("tab").map((tab) => [tab.textContent, tab.getAttribute("aria-selected"), tab.tabIndex]);
    expect(tabs()).toEqual([["Tiers", "true", 0], ["Edges", "false", -1], ["Parent limits", "false", -1]]);
    const list = screen.getByRole("tablist");
    for (const [key, name] of [["ArrowLeft", "Parent limits"], ["ArrowRight", "Tiers"], ["End", "Parent limits"], ["Home", "Tiers"], ["ArrowRight", "Edges"]] as const) {
      await fireEvent.keyDown(list, { key });
      expect(document.activeElement?.textContent).toBe(name);
      expect(screen.getByRole("tab", { selected: true }).textContent).toBe(name);
    }
    const chosen = screen.getByRole("tab", { selected: true });
    const panel = screen.getByRole("tabpanel");
    expect([chosen.getAttribute("aria-controls"), panel.getAttribute("aria-labelledby")]).toEqual([panel.id, chosen.id]);
  });
});
