// Knowledge from a file, edges on its canvas, its tabs; files that are dropped or cannot be read.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { server, sessions, skip } from "./shared.ts";

const FILE = ["dagwright_knowledge = 1", 'required = ["smoke -> lung"]', 'roots = ["asia"]', "max_parents = 2", "", "[[also]]", 'order = ["smoke", "dysp"]', ""].join("\n");

async function drop(page: Page, name: string, text: string): Promise<boolean> {
  return page.evaluate(([name = "", text = ""]) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], name));
    const send = (type: string): boolean => document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
    return !send("dragover") && !send("drop");
  }, [name, text]);
}

test("knowledge from a file is shown, kept, edited and taken back", { skip }, async () => {
  const tab = await sessions.tab("knowledge");
  const { page } = tab;
  await tab.open(server.address);
  await tab.sample("asia");
  await tab.step("Knowledge");
  await tab.openFile("known.toml", FILE, "Import");
  const further = page.getByRole("region", { name: "Further statements" });
  await further.getByText("asia has no parents").waitFor();
  await further.getByText("edges point forwards only in the order smoke, dysp").waitFor();
  await page.getByRole("tab", { name: "Tiers" }).focus();
  await page.keyboard.press("End");
  assert.equal(await page.getByLabel("Most parents of every variable").inputValue(), "2");
  await page.getByLabel("Most parents of lung").fill("1");
  await page.getByLabel("Most parents of lung").press("Enter");
  await page.getByText("saved", { exact: true }).waitFor();
  assert.equal(await page.getByLabel("Most parents of every variable").inputValue(), "2");
  await tab.accessible("limits of parents");
  await tab.picture("2-limits");

  await page.getByRole("tab", { name: "Parent limits" }).focus();
  await page.keyboard.press("ArrowLeft");
  await tab.nodes().first().waitFor();
  const node = page.locator(".svelte-flow__node", { hasText: "asia" });
  await tab.settled(async () => assert.ok(await node.boundingBox()));
  await node.focus();
  await page.keyboard.press("Enter");
  const before = await tab.places();
  for (let i = 0; i < 4; i++) await page.keyboard.press("ArrowRight");
  await tab.settled(async () => assert.notEqual((await tab.places())["asia"], before["asia"]));
  const put = (await tab.places())["asia"];
  await page.getByRole("tab", { name: "Tiers" }).click();
  await page.getByRole("tab", { name: "Edges" }).click();
  await tab.nodes().first().waitFor();
  assert.equal((await tab.places())["asia"], put, "a moved node stays while the step is open");
  for (const either of [false, true]) {
    await page.getByRole("combobox", { name: "From" }).selectOption("bronc");
    await page.getByRole("combobox", { name: "To" }).selectOption(either ? "tub" : "dysp");
    await page.getByLabel("in either direction").setChecked(either);
    await page.getByRole("button", { name: "Add", exact: true }).click();
  }
  await page.getByRole("row", { name: /bronc — tub/ }).waitFor();
  const line = page.getByRole("group", { name: "required: bronc → dysp" });
  await line.focus();
  await page.keyboard.press("Enter");
  await page.locator("tr.chosen", { hasText: "bronc → dysp" }).waitFor();
  assert.deepEqual(await tab.behind(), [], "no edge runs behind a node");
  await tab.accessible("edges of knowledge");
  await tab.picture("2-edges");
  await line.focus();
  await page.keyboard.press("Delete");
  await page.getByRole("row", { name: /bronc → dysp/ }).waitFor({ state: "detached" });
  assert.equal(await page.getByRole("row", { name: /smoke → lung/ }).count(), 1);
  await further.getByRole("button", { name: "Remove: asia has no parents" }).click();
  await further.getByText("asia has no parents").waitFor({ state: "detached" });
  await page.getByText("No contradictions.").waitFor();

  await page.getByLabel("Format of the export").selectOption("json");
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export" }).click()]);
  assert.equal(file.suggestedFilename(), "knowledge.json");
  await page.getByLabel("Format of the export").selectOption("txt");
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByText(/Tetrad's form cannot say/).waitFor();

  const undo = page.getByRole("button", { name: "Undo" });
  for (let i = 0; i < 6; i++) {
    await page.getByText("saved", { exact: true }).waitFor();
    if (!(await undo.isEnabled())) break;
    await undo.click();
  }
  assert.equal(await undo.isEnabled(), false, "the import is the first change");
  await further.waitFor({ state: "detached" });
  assert.deepEqual(tab.problems, []);
});

test("files that cannot be read leave nothing behind; files are taken on any step; new data can be undone", { skip }, async () => {
  const tab = await sessions.tab("files");
  const { page } = tab;
  await tab.open(server.address);
  await tab.openFile("broken.parquet", "this is no table", "Choose a data file");
  await page.getByText("This did not work.").waitFor();
  await page.getByRole("heading", { name: "Open data" }).waitFor();
  await tab.openFile("broken.bif", "this is no network", "Choose a file");
  await page.getByText("This did not work.").nth(1).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Open data" }).waitFor();
  assert.equal(await page.getByRole("button", { name: "broken" }).count(), 0);

  await tab.sample("titanic");
  await page.getByLabel("Use sex").uncheck();
  await tab.step("Ask");
  assert.ok(await drop(page, "small.csv", "a,b\nx,y\nx,z\nw,y\nw,z\n"));
  await page.getByRole("heading", { name: "small.csv" }).waitFor();
  await page.getByLabel("Use a", { exact: true }).waitFor();
  await page.getByText("saved", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("heading", { name: "titanic" }).waitFor();
  await page.getByLabel("Use sex").waitFor();
  assert.equal(await page.getByLabel("Use sex").isChecked(), false);
  await page.getByRole("button", { name: "Redo" }).click();
  await page.getByRole("heading", { name: "small.csv" }).waitFor();
  assert.deepEqual(tab.problems, []);
});

test("a forgotten result comes back by Undo", { skip }, async () => {
  const tab = await sessions.tab("forgotten");
  const { page } = tab;
  await tab.open(server.address);
  await tab.sample("asia");
  await tab.learn();
  const row = page.getByRole("row").filter({ hasText: "on the canvas" });
  const score = await row.getByRole("cell").first().textContent();
  await page.getByRole("button", { name: "Forget" }).first().click();
  await page.getByRole("button", { name: "Yes" }).click();
  await row.waitFor({ state: "detached" });
  await page.getByText("saved", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await row.waitFor();
  assert.equal(await row.getByRole("cell").first().textContent(), score);
  await tab.step("Look");
  await tab.nodes().first().waitFor();
  assert.deepEqual(tab.problems, []);
});
