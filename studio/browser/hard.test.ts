// Large files, a server that is killed, no network at all, marks of ancestral graphs, edges drawn with the mouse.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import type { Tab } from "./harness.ts";
import { server, sessions, skip } from "./shared.ts";

/** Drags from the blue dot of a node to the middle of another one. */
async function draw(tab: Tab, from: string, to: string): Promise<void> {
  const node = (name: string) => tab.nodes().filter({ has: tab.page.getByText(name, { exact: true }) });
  const grip = await node(from).locator(".grip").boundingBox();
  const goal = await node(to).boundingBox();
  assert.ok(grip && goal);
  await tab.page.mouse.move(grip.x + grip.width / 2, grip.y + grip.height / 2);
  await tab.page.mouse.down();
  await tab.page.mouse.move(goal.x + goal.width / 2, goal.y + goal.height / 2, { steps: 6 });
  await tab.page.mouse.up();
}

test("100,000 rows are uploaded, looked at and learned from", { skip }, async () => {
  const rows = Array.from({ length: 100_000 }, (_, i) => `${i % 2},${(i % 2) ^ Number(i % 11 === 0)},${"abc".charAt((i >> 1) % 3)},${(i * 7919) % 4}`);
  const tab = await sessions.tab("rows");
  const { page } = tab;
  await tab.open(server.address);
  await tab.openFile("long.csv", ["a,b,c,d", ...rows].join("\n"), "Choose a data file");
  await page.getByText("100,000", { exact: true }).first().waitFor();
  await tab.picture("100000");
  await tab.learn();
  await tab.step("Look");
  await page.getByRole("button", { name: "a — b" }).waitFor();
  assert.deepEqual(tab.problems, []);
});

test("an ancestral graph shows its circles; edges are drawn with the mouse", { skip }, async () => {
  const tab = await sessions.tab("marks");
  const { page } = tab;
  await tab.open(server.address);
  await tab.sample("asia");
  await tab.step("Learn");
  await page.getByRole("combobox", { name: "Search" }).selectOption("FCI");
  await page.getByText("saved", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Learn the network" }).click();
  await page.getByText("on the canvas").first().waitFor();
  await tab.step("Look");
  await page.getByText("partial ancestral graph").waitFor();
  await page.locator(".svelte-flow__edge circle.ring").first().waitFor();
  await tab.picture("pag");
  await tab.accessible("pag");

  await tab.step("Knowledge");
  await page.getByRole("tab", { name: "Edges" }).click();
  await draw(tab, "asia", "tub");
  await page.getByRole("button", { name: "Remove asia → tub" }).waitFor();

  await tab.step("Edit");
  await page.getByRole("combobox", { name: "Network" }).selectOption("cancer");
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.getByRole("button", { name: "Edge Smoker → Cancer" }).waitFor();
  await page.getByText("saved", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Show the whole network" }).click();
  await page.waitForTimeout(400);
  await draw(tab, "Pollution", "Dyspnoea");
  await page.getByRole("button", { name: "Edge Pollution → Dyspnoea" }).waitFor();
  await tab.picture("drawn");
  assert.deepEqual(tab.problems, []);
});

test("a page of another origin on this machine can ask nothing", { skip }, async () => {
  const tab = await sessions.tab("stranger");
  await tab.open(server.address);
  await tab.sample("asia");
  const { origin, hash } = new URL(tab.page.url());
  const project = `${origin}/api/projects/${hash.split("=")[1] ?? ""}`;
  const stranger = createServer((_, answer) => answer.setHeader("content-type", "text/html").end("<title>stranger</title>"));
  await new Promise<void>((go) => stranger.listen(0, "127.0.0.1", go));
  try {
    // The same browser, so that the cookie of the studio goes along: ports do not separate sites.
    const other = await tab.page.context().newPage();
    let sent = 0;
    const statuses: number[] = [];
    other.on("request", (request) => { if (request.url().startsWith(origin)) sent++; });
    other.on("response", (response) => { if (response.url().startsWith(origin)) statuses.push(response.status()); });
    await other.goto(`http://127.0.0.1:${(stranger.address() as AddressInfo).port}/`);
    const read = await other.evaluate(async (address) => {
      const ask = (path: string, init: RequestInit): Promise<string> => fetch(address + path, { credentials: "include", ...init }).then((answer) => answer.text());
      const asked = await Promise.allSettled([ask("", {}), ask("/jobs", { method: "POST", body: "{}", headers: { "content-type": "text/plain" } }), ask("/jobs", { method: "POST", body: '{"kind": "learn"}', headers: { "content-type": "application/json" } }), ask("", { method: "DELETE" })]);
      await fetch(`${address}/jobs`, { method: "POST", mode: "no-cors", credentials: "include", body: '{"kind": "learn"}' }).catch(() => undefined);
      return asked.map((one) => one.status);
    }, project);
    assert.deepEqual(read, ["rejected", "rejected", "rejected", "rejected"]);
    assert.ok(sent >= 3, "requests reach the server");
    assert.deepEqual(statuses.filter((status) => status < 400), [], "none is answered");
    // Nor can it show the studio in a frame.
    await other.evaluate((address) => new Promise<void>((go) => { const frame = document.createElement("iframe"); frame.onload = () => go(); frame.src = address; document.body.append(frame); }), `${origin}/`);
    assert.equal(await other.frameLocator("iframe").getByText("dagwright").count(), 0);
  } finally {
    stranger.close();
  }
  await tab.step("Learn");
  await tab.page.getByText("None yet.").waitFor();
  assert.equal(await tab.page.getByRole("article").count(), 0, "no job was started");
  assert.deepEqual(tab.problems, []);
});

test("a server that is killed says nothing more; started again, it has all that was saved", { skip }, async () => {
  const tab = await sessions.tab("killed");
  const { page } = tab;
  const hosts = new Set<string>();
  page.on("request", (request) => hosts.add(new URL(request.url()).hostname));
  await tab.open(server.address);
  await tab.sample("asia");
  await page.getByLabel("Use dysp").uncheck();
  await page.getByText("saved", { exact: true }).waitFor();
  await tab.step("Learn");
  await page.getByRole("combobox", { name: "Search" }).selectOption("HillClimb");
  await page.getByText("Options").first().click();
  const restarts = page.locator("label", { hasText: "restarts" }).getByRole("spinbutton");
  await restarts.fill("2000000");
  await restarts.press("Enter");
  await page.getByText("saved", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Learn the network" }).click();
  await page.getByText(/best -/).first().waitFor();
  const project = new URL(page.url()).hash;
  await server.kill();
  await tab.step("Data");
  await page.getByText("The studio does not answer.").first().waitFor();
  await tab.picture("gone");
  assert.deepEqual([...hosts], ["127.0.0.1"], "nothing is asked of any other machine");

  await server.start();
  await page.goto(server.address);
  await page.getByRole("heading", { name: "Try a sample" }).waitFor();
  await page.goto(`${server.address.split("?")[0] ?? ""}${project}`);
  await page.reload();
  await page.getByRole("navigation", { name: "Steps" }).waitFor();
  await tab.step("Data");
  await page.getByText("distinct rows").waitFor();
  assert.equal(await page.getByLabel("Use dysp").isChecked(), false);
  await tab.step("Learn");
  await page.getByText("interrupted: the studio or its worker ended").waitFor();
  await page.getByRole("button", { name: "Run again" }).click();
  await page.getByRole("button", { name: "Stop and keep the best" }).click();
  await page.getByText("on the canvas").first().waitFor();
  assert.deepEqual(tab.problems, []);
});
