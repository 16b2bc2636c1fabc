// Numbers, missing values, comparing, and the guided example.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { CHROMIUM, Server, Sessions } from "./harness.ts";

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

test("numbers get cut points, missing values a policy, results are compared", { skip }, async () => {
  const rows = Array.from({ length: 600 }, (_, i) => {
    const age = 20 + ((i * 37) % 61) + ((i * 7919) % 100) / 100;
    const smoker = (i * 13) % 5 < 2;
    const lungs = age / 100 + (smoker ? 0.4 : 0) > 0.75;
    return [age.toFixed(2), smoker ? "yes" : "no", i % 9 === 0 ? "" : lungs ? "bad" : "good", i % 14 === 0 ? "" : ["a", "b", "c"][i % 3]].join(",");
  });
  const tab = await sessions.tab("numbers");
  const { page } = tab;
  await tab.open(server.address);
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Choose a data file" }).click()]);
  await chooser.setFiles({ name: "clinic.csv", mimeType: "text/csv", buffer: Buffer.from(["age,smoker,lungs,ward", ...rows].join("\n")) });
  await page.getByRole("heading", { name: "Missing values" }).waitFor();
  await page.getByRole("radio").nth(1).check();
  await page.getByRole("button", { name: "age", exact: true }).click();
  const field = page.getByLabel("Cut points, from low to high");
  await field.fill("40, 60");
  await field.press("Enter");
  await page.getByRole("slider", { name: "Cut point 2" }).waitFor();
  await page.getByRole("slider", { name: "Cut point 1" }).scrollIntoViewIfNeeded();
  const grip = await page.getByRole("slider", { name: "Cut point 1" }).boundingBox();
  assert.ok(grip);
  await page.mouse.move(grip.x + 8, grip.y + 8);
  await page.mouse.down();
  await page.mouse.move(grip.x - 30, grip.y + 8, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction(() => Number(document.querySelector("[aria-label='Cut point 1']")?.getAttribute("aria-valuenow")) < 38);
  await page.getByText("saved", { exact: true }).waitFor();
  await tab.accessible("numbers");
  await tab.picture("data");
  await tab.learn();
  await page.getByRole("combobox", { name: "Search" }).selectOption("ChowLiu");
  await page.getByText("saved", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Learn the network" }).click();
  await page.getByRole("button", { name: /^Look at/ }).nth(1).waitFor();
  await page.getByLabel("The result on the canvas with").selectOption({ index: 1 });
  await page.getByText("structural Hamming distance").waitFor();
  await tab.accessible("compare");
  await tab.picture("compare");
  assert.deepEqual(tab.problems, []);
});

test("numbers have densities, equations and typed values", { skip }, async () => {
  const rows = Array.from({ length: 500 }, (_, i) => {
    const noise = (k: number): number => ((i * k) % 101) / 101 + ((i * (k + 4)) % 89) / 89 - 1;
    const smoker = (i * 13) % 5 < 2;
    const age = 50 + 20 * noise(37);
    const pressure = 95 + 0.6 * age + (smoker ? 9 : 0) + 8 * noise(53);
    const ill = pressure + 12 * noise(71) > 132;
    return [new Date(Date.UTC(2024, 0, 1 + ((i * 7) % 365))).toISOString().slice(0, 10), smoker ? "yes" : "no", age.toFixed(2), pressure.toFixed(2), ill ? "ill" : "well"].join(",");
  });
  const tab = await sessions.tab("mixed");
  const { page } = tab;
  await tab.open(server.address);
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Choose a data file" }).click()]);
  await chooser.setFiles({ name: "mixed.csv", mimeType: "text/csv", buffer: Buffer.from(["visit,smoker,age,pressure,state", ...rows].join("\n")) });
  await page.getByText("distinct rows").waitFor();
  await tab.learn();
  await tab.step("Ask");
  await page.getByRole("button", { name: "Learn without such edges" }).click();
  await page.getByRole("button", { name: /^Look at/ }).nth(1).waitFor();
  await tab.step("Look");
  await page.locator(".svelte-flow__node .number").first().waitFor();
  await page.getByLabel("Find a variable").fill("pressure");
  await page.getByLabel("Find a variable").press("Enter");
  await page.getByRole("region", { name: "Coefficients of pressure" }).waitFor();
  await tab.accessible("a number");
  await tab.picture("look");
  await tab.step("Ask");
  const before = await page.getByRole("region", { name: "age", exact: true }).locator("dd").first().textContent();
  await page.getByLabel("Value of pressure").fill("150");
  await page.getByLabel("Value of pressure").press("Enter");
  await page.getByText(/Density of this evidence/).waitFor();
  const after = await page.getByRole("region", { name: "age", exact: true }).locator("dd").first().textContent();
  assert.ok(Number(after) > Number(before) + 5, `a high pressure speaks for age: ${before} before, ${after} now`);
  await page.getByLabel("Value of visit").fill("soon");
  await page.getByLabel("Value of visit").press("Enter");
  await page.getByText("Type a date, such as 2024-02-29.").waitFor();
  await page.getByLabel("Value of visit").fill("2024-02-29");
  await page.getByLabel("Value of visit").press("Enter");
  await page.getByText("= 2024-02-29").waitFor();
  await tab.accessible("typed numbers");
  await tab.picture("asked");
  assert.deepEqual(tab.problems, []);
});

test("the guided example ends with a queried network", { skip }, async () => {
  const tab = await sessions.tab("guide");
  const { page } = tab;
  await tab.open(server.address);
  await page.getByRole("button", { name: /^Guided example/ }).click();
  await page.getByRole("button", { name: "Learn a network" }).click();
  await page.getByText("on the canvas").first().waitFor();
  await tab.picture("learning");
  await page.getByRole("button", { name: "Look at it" }).click();
  await tab.nodes().first().waitFor();
  await tab.accessible("guide");
  await page.getByRole("button", { name: "Ask it something" }).click();
  await page.getByText("Probability of this evidence").waitFor();
  await tab.picture("asked");
  await page.getByRole("button", { name: "How sure is this?" }).click();
  await page.getByRole("button", { name: "Take it away" }).click();
  await page.getByRole("button", { name: "Write the report" }).click();
  await page.getByRole("link", { name: /\.html$/ }).waitFor();
  await page.getByRole("button", { name: "Finish" }).click();
  assert.equal(await page.getByRole("complementary", { name: "Guided example" }).count(), 0);
  assert.deepEqual(tab.problems, []);
});
