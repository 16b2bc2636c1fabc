// What must hold when things go on at once, names are odd, networks are large, or there is no mouse.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { CHROMIUM, Server, Sessions, layeredNetwork } from "./harness.ts";

const server = new Server();
const sessions = new Sessions();
const skip = CHROMIUM ? false : "Chromium is not installed";
before(async () => {
  if (skip) return;
  await server.start();
  await sessions.start();
});
after(async () => {
  await sessions.stop();
  await server.stop();
});

test("a job survives a reload; its network is seen on the way; stopped, it keeps the best", { skip }, async () => {
  const tab = await sessions.tab("job");
  const { page } = tab;
  await tab.open(server.address);
  await tab.sample("asia");
  await tab.step("Learn");
  await page.getByLabel("Time limit, seconds").fill("");
  await page.getByRole("combobox", { name: "Search" }).selectOption("HillClimb");
  await page.getByText("Options").first().click();
  const restarts = page.locator("label", { hasText: "restarts" }).getByRole("spinbutton");
  await restarts.fill("2000000");
  await restarts.press("Enter");
  await page.getByRole("button", { name: "Learn the network" }).click();
  await page.getByRole("button", { name: "Stop and keep the best" }).waitFor();
  await page.getByText(/best -/).first().waitFor();
  const live = page.getByRole("region", { name: "Best network so far" });
  await live.getByText("xray").waitFor();
  const told = await page.getByText(/^\d+ edges, score -/).textContent();
  const placed = await tab.places();
  await tab.accessible("running");
  await tab.picture("running");
  await page.reload();
  await live.getByText("xray").waitFor();
  assert.deepEqual(await tab.places(), placed, "nodes stand still while the network improves");
  await page.getByRole("button", { name: "Stop and keep the best" }).click();
  await page.getByText("on the canvas").first().waitFor();
  assert.equal(await live.count(), 0);
  const found = page.getByRole("row").filter({ hasText: "on the canvas" });
  assert.ok(told?.endsWith(`score ${(await found.getByRole("cell").first().textContent()) ?? ""}`), `the best network had ${told ?? ""}`);
  await tab.step("Look");
  await page.getByText("Stopped by you").waitFor();
  assert.deepEqual(tab.problems, []);
});

test("names are text, and learning again moves no node", { skip }, async () => {
  const name = "<img src=x onerror=alert(1)>";
  const rows = Array.from({ length: 400 }, (_, i) => `${i % 2 ? "on" : "off"},${(i % 2) ^ Number(i % 7 === 0) ? "yes" : "no"},${"abc".charAt(i % 3)}`);
  const tab = await sessions.tab("names");
  const { page } = tab;
  await tab.open(server.address);
  await tab.openFile("odd.csv", [`"${name}",__proto__,"a -> b"`, ...rows].join("\n"), "Choose a data file");
  await page.getByRole("button", { name, exact: true }).waitFor();
  await tab.learn();
  await tab.step("Look");
  await tab.nodes().first().waitFor();
  assert.equal(await page.locator("main img").count(), 0);
  await tab.step("Ask");
  await page.getByRole("region", { name: "Probabilities" }).getByRole("button", { name: "__proto__ = yes" }).click();
  await page.getByText("Probability of this evidence").waitFor();
  await tab.step("Look");
  const before = await tab.places();
  const box = await tab.nodes().first().boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + box.width / 2, box.y + 12);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 90, box.y + 70, { steps: 5 });
  await page.mouse.up();
  const placed = await tab.places();
  assert.notDeepEqual(placed, before, "a node can be dragged");
  await page.getByText("saved", { exact: true }).waitFor();
  await tab.step("Learn");
  await page.getByRole("button", { name: "Learn the network" }).click();
  await page.getByRole("button", { name: /^Look at/ }).nth(1).waitFor();
  await page.getByText("saved", { exact: true }).waitFor();
  await tab.step("Look");
  await tab.nodes().first().waitFor();
  assert.deepEqual(await tab.places(), placed);
  await tab.picture("odd-names");
  assert.deepEqual(tab.problems, []);
});

test("offline, the guided example ends with a learned network, and nothing can be sent elsewhere", { skip }, async () => {
  const tab = await sessions.tab("offline");
  const { page } = tab;
  await tab.open(server.address);
  const elsewhere = await page.evaluate(async () => {
    const tries = [fetch("https://example.org/"), fetch("http://127.0.0.1:9/")];
    return (await Promise.allSettled(tries)).map((one) => one.status);
  });
  assert.deepEqual(elsewhere, ["rejected", "rejected"]);
  assert.deepEqual(tab.problems.filter((one) => !one.includes("Content Security Policy")), [], "the policy refuses before anything is sent");
  tab.problems.length = 0;
  await page.getByRole("button", { name: /^Guided example/ }).click();
  await page.getByText("distinct rows").waitFor();
  await page.getByRole("button", { name: "Learn a network" }).click();
  await page.getByText("on the canvas").first().waitFor();
  await page.getByRole("button", { name: "Look at it", exact: true }).click();
  await tab.nodes().nth(7).waitFor();
  await page.getByRole("button", { name: "Ask it something" }).click();
  await page.getByText("Probability of this evidence").waitFor();
  assert.deepEqual(tab.problems, []);
});

test("the whole way without a mouse", { skip }, async () => {
  const tab = await sessions.tab("keyboard");
  const { page } = tab;
  await tab.open(server.address);
  const reach = async (name: RegExp, most = 120): Promise<void> => {
    for (let i = 0; i < most; i++) {
      await page.keyboard.press("Tab");
      const words = await page.evaluate(() => {
        const at = document.activeElement;
        return at ? [at.getAttribute("aria-label"), at.closest("label")?.firstChild?.textContent, at.textContent].map((text) => text?.trim() ?? "").join(" | ") : "";
      });
      if (name.test(words)) return;
    }
    assert.fail(`the Tab key does not reach ${String(name)}`);
  };
  await reach(/\| Sample \|/);
  await page.keyboard.press("a");
  await reach(/Open the sample/);
  await page.keyboard.press("Enter");
  await page.getByText("distinct rows").waitFor();
  await reach(/Go on to Learn/);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Learn", level: 1 }).waitFor();
  await reach(/Learn the network/);
  await page.keyboard.press("Enter");
  await page.getByText("on the canvas").first().waitFor();
  await reach(/^Look at/);
  await page.keyboard.press("Enter");
  await tab.nodes().first().waitFor();
  await page.getByText("saved", { exact: true }).waitFor();
  await reach(/^asia, /);
  const before = await tab.places();
  await page.keyboard.press("Enter");
  for (let i = 0; i < 4; i++) await page.keyboard.press("ArrowRight");
  await page.waitForTimeout(300);
  assert.notDeepEqual(await tab.places(), before, "arrow keys move a selected node");
  await page.getByRole("navigation", { name: "Steps" }).getByRole("button", { name: "Ask" }).focus();
  await page.keyboard.press("Enter");
  await reach(/dysp = yes/);
  await page.keyboard.press("Enter");
  await page.getByText("Probability of this evidence").waitFor();
  await page.keyboard.press("Control+z");
  await page.getByText("Probability of this evidence").waitFor({ state: "detached" });
  assert.deepEqual(tab.problems, []);
});

test("two tabs do not overwrite each other", { skip }, async () => {
  const first = await sessions.tab("first");
  await first.open(server.address);
  await first.sample("titanic");
  const second = await first.page.context().newPage();
  await second.goto(first.page.url());
  await second.reload();
  await second.getByText("distinct rows").waitFor();
  const name = second.getByLabel("Name of the project");
  await Promise.all([first.page.getByLabel("Use sex").uncheck(), name.fill("ship").then(() => name.press("Enter"))]);
  await first.page.getByText("saved", { exact: true }).waitFor();
  await second.getByText("saved", { exact: true }).waitFor();
  await second.waitForFunction(() => !document.querySelector<HTMLInputElement>("input[aria-label='Use sex']")?.checked);
  await second.reload();
  await second.getByText("distinct rows").waitFor();
  assert.equal(await name.inputValue(), "ship");
  assert.equal(await second.getByLabel("Use sex").isChecked(), false);
  assert.deepEqual(first.problems, []);
});

test("a network of 200 variables opens, and answers", { skip }, async () => {
  const tab = await sessions.tab("large");
  const { page } = tab;
  await tab.open(server.address);
  await tab.openFile("large.bif", layeredNetwork(200), "Choose a file");
  await tab.nodes().nth(20).waitFor();
  await page.getByText("saved", { exact: true }).waitFor();
  await tab.picture("200-variables");
  const began = Date.now();
  await page.reload();
  await tab.nodes().nth(20).waitFor();
  console.log(`opening a project with 200 nodes: ${Date.now() - began} ms`);
  await page.getByLabel("Find a variable").fill("v133");
  await page.getByLabel("Find a variable").press("Enter");
  await page.getByRole("heading", { name: "v133" }).waitFor();
  await page.getByLabel("Show around the selected variable").selectOption("Markov blanket");
  await tab.step("Ask");
  await page.getByLabel("Find in the list").fill("v13");
  await page.getByRole("region", { name: "Probabilities" }).getByRole("button", { name: "v133 = yes" }).click();
  await page.getByText("Probability of this evidence").waitFor();
  await tab.picture("200-variables-asked");
  assert.deepEqual(tab.problems, []);
});
