// The eight steps, in both widths and both themes, against the real server.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Tab } from "./harness.ts";
import { server, sessions, skip } from "./shared.ts";

async function eightSteps(tab: Tab): Promise<void> {
  const { page } = tab;
  await tab.open(server.address);
  await tab.accessible("welcome");
  await tab.picture("0-welcome");
  await tab.sample("asia");
  await page.getByRole("button", { name: "smoke", exact: true }).click();
  await page.getByLabel("Name in the network").fill("smoking");
  await page.getByLabel("Name in the network").press("Enter");
  await page.getByText("in the file: smoke").waitFor();
  await tab.accessible("data");
  await tab.picture("1-data");

  await tab.step("Knowledge");
  await page.getByLabel("Tier of asia").selectOption("new tier");
  await page.getByLabel("Tier of dysp").selectOption("new tier");
  await page.getByRole("tab", { name: "Edges" }).click();
  await page.getByRole("combobox", { name: "From" }).selectOption("dysp");
  await page.getByRole("combobox", { name: "To" }).selectOption("asia");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText("These statements contradict each other").waitFor();
  await tab.accessible("knowledge");
  await tab.picture("2-contradiction");
  await page.getByRole("button", { name: "Remove dysp → asia" }).click();
  await page.getByText("No contradictions.").waitFor();
  await page.getByRole("tab", { name: "Tiers" }).click();
  await tab.picture("2-knowledge");

  await tab.learn();
  await tab.accessible("learn");
  await tab.picture("3-learn");

  await tab.step("Look");
  await tab.nodes().first().waitFor();
  assert.equal(await tab.nodes().count(), 8);
  await page.getByRole("button", { name: "bronc → dysp" }).click();
  await page.getByText("independence test").waitFor();
  await tab.accessible("look");
  await tab.picture("4-look");

  await tab.step("Ask");
  const list = page.getByRole("region", { name: "Probabilities" });
  await list.getByRole("button", { name: "xray = abnormal" }).click();
  await page.getByText("Probability of this evidence").waitFor();
  await list.locator("tr", { hasText: "abnormal" }).getByText("100.0 %").waitFor();
  await page.getByText("More questions").click();
  await page.getByRole("button", { name: "Find it" }).click();
  await page.getByText(/^Probability 0\./).waitFor();
  await tab.accessible("ask");
  await tab.picture("5-ask");

  await tab.step("Doubt");
  await page.getByLabel("Replicates").fill("20");
  await page.getByRole("button", { name: "Run the bootstrap" }).click();
  await page.getByText(/^20 replicates/).first().waitFor();
  await page.getByRole("list", { name: "Signs" }).getByText("not in this network").waitFor();
  // Faint edges get their routes a moment later.
  await tab.settled(async () => assert.deepEqual(await tab.behind(), []));
  await tab.picture("6-doubt");
  // The card of the job goes when it is done, and what is below it moves up: a click may miss then.
  const whatIf = page.getByRole("tab", { name: "What if" });
  await tab.settled(async () => {
    await whatIf.click();
    assert.equal(await whatIf.getAttribute("aria-selected"), "true");
  });
  await page.getByRole("combobox", { name: "From" }).selectOption("bronc");
  await page.getByRole("combobox", { name: "To" }).selectOption("dysp");
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await page.getByText("The data speak against this change.").waitFor();
  await tab.accessible("doubt");
  await tab.picture("6-what-if");

  await page.getByRole("tab", { name: "Edge strengths" }).click();
  await page.getByText("Settings of the bootstrap and the posterior").click();
  await page.getByLabel("Method of the posterior").selectOption("PartitionMCMC");
  await page.getByText("Options", { exact: true }).last().click();
  await page.getByLabel(/^samples/).fill("20000");
  await page.getByLabel(/^samples/).blur();
  await page.getByRole("button", { name: "Posterior", exact: true }).click();
  await page.getByText("This posterior uses the score", { exact: false }).waitFor();
  await page.getByText("R-hat of the edges, largest").waitFor();
  await page.getByRole("img", { name: /^mean log score of the chains/ }).first().scrollIntoViewIfNeeded();
  await tab.accessible("posterior");
  await tab.picture("6-posterior");

  await tab.step("Look");
  const least = page.getByLabel("Smallest strength of an edge");
  await least.waitFor();
  await page.getByRole("columnheader", { name: "Strength" }).waitFor();
  await page.getByRole("button", { name: "bronc → dysp" }).click();
  await page.getByText("in this direction", { exact: false }).waitFor();
  await page.getByRole("button", { name: "Back to the whole network" }).click();
  await page.getByText("Groups", { exact: true }).click();
  await page.getByRole("button", { name: "New group" }).click();
  await page.getByLabel("Name of the group").fill("signs");
  await page.getByRole("checkbox", { name: "xray" }).check();
  await page.getByRole("checkbox", { name: "dysp" }).check();
  await page.getByRole("button", { name: "Save the group" }).click();
  await page.getByRole("button", { name: "Show signs" }).click();
  await tab.settled(async () => assert.equal(await page.locator(".box.dim").count(), 6));
  await tab.picture("4-look-group");
  await page.getByRole("combobox", { name: "Show a part of the network" }).selectOption("all");
  await tab.nodes().filter({ hasText: "dysp" }).click();
  await page.getByRole("button", { name: "Add neighbors" }).click();
  await page.getByRole("button", { name: "Hide others" }).click();
  await tab.settled(async () => assert.equal(await tab.nodes().count(), 3));
  await tab.accessible("look with strengths");
  await tab.picture("4-look-steps");
  await page.reload();
  await tab.settled(async () => assert.equal(await tab.nodes().count(), 3, "the focus stays"));
  await least.waitFor();
  await page.getByRole("combobox", { name: "Show a part of the network" }).selectOption("all");
  await page.getByRole("button", { name: "Back to the whole network" }).click({ timeout: 2000 }).catch(() => undefined);

  await tab.step("Edit");
  await page.getByRole("button", { name: "Edit a copy" }).click();
  await page.getByRole("heading", { name: "Add a variable" }).waitFor();
  const before = await tab.places();
  await page.getByRole("combobox", { name: "From" }).selectOption("asia");
  await page.getByRole("combobox", { name: "To" }).selectOption("xray");
  await page.getByRole("button", { name: "Add the edge" }).click();
  await page.getByRole("button", { name: "Edge asia → xray" }).waitFor();
  await page.getByRole("heading", { name: ", edited" }).waitFor();
  assert.deepEqual(await tab.places(), before, "an edge by hand moves no node");
  await tab.settled(async () => assert.deepEqual(await tab.behind(), [], "no edge runs behind a node"));
  await tab.accessible("edit");
  await tab.picture("7-edit");

  await tab.step("Take away");
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download as bif" }).click()]);
  assert.match(download.suggestedFilename(), /\.bif$/);
  await page.getByRole("img", { name: "The network as it will be drawn" }).waitFor();
  await tab.accessible("take away");
  await tab.picture("8-take-away");
  await page.getByRole("button", { name: "Code", exact: true }).click();
  await page.getByLabel("Python code").first().waitFor();
  assert.deepEqual(tab.problems, []);
}

test("eight steps on a wide screen, light", { skip }, async () => {
  await eightSteps(await sessions.tab("1280-light", { colorScheme: "light" }));
});

test("eight steps on a narrow screen, dark", { skip }, async () => {
  await eightSteps(await sessions.tab("400-dark", { viewport: { width: 400, height: 860 }, colorScheme: "dark" }));
});
