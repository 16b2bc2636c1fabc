// Data as people have them: identifiers, dates, gaps, an empty and a constant column, long and hostile names.
import assert from "node:assert/strict";
import { test } from "node:test";
import { server, sessions, skip } from "./shared.ts";

const LONG = "Blood pressure in mmHg, systolic, measured after five minutes of rest";
const HOSTILE = "<img src=x onerror=alert(1)>";

function rows(): string {
  const header = `patient,visit,age,income,smoker,"${LONG}",ward,outcome,empty,constant,"${HOSTILE}"`;
  const lines = Array.from({ length: 600 }, (_, i) => {
    const noise = (k: number): number => ((i * k) % 101) / 101 + ((i * (k + 4)) % 89) / 89 - 1;
    const age = Math.round(52 + 24 * noise(37));
    const smoker = (i * 13) % 5 < 2;
    const pressure = Math.round(95 + 0.5 * age + (smoker ? 12 : 0) + 11 * noise(53));
    const ill = pressure + 10 * noise(71) > 130;
    const visit = new Date(Date.UTC(2023, 0, 1 + ((i * 7) % 700))).toISOString().slice(0, 10);
    const income = (1200 + 40 * age + 900 * noise(29)).toFixed(2);
    return [`P${String(i).padStart(4, "0")}`, visit, age, i % 11 === 0 ? "NA" : income, smoker ? "yes" : "no", i % 9 === 0 ? "" : pressure, ill ? "ICU" : "ABC".charAt(i % 3), ill ? "ill" : "well", "", "x", i % 2 ? "on" : "off"].join(",");
  });
  return [header, ...lines].join("\n");
}

for (const [screen, viewport] of [["wide", { width: 1280, height: 800 }], ["narrow", { width: 400, height: 820 }]] as const) {
  test(`messy data are learned from on a ${screen} screen`, { skip }, async () => {
    const tab = await sessions.tab(`messy-${screen}`, { viewport });
    const { page } = tab;
    const saved = async (): Promise<void> => page.getByText("saved", { exact: true }).waitFor({ state: "attached" });
    await tab.open(server.address);
    await tab.openFile("messy.csv", rows(), "Choose a data file");
    await page.getByText("distinct rows").waitFor();
    await page.getByText("What predicts missing values").click();
    await tab.accessible("messy data");
    await tab.picture("data");

    // What looks like an identifier is left out, but a person may use it.
    const identifier = page.getByLabel("Use patient");
    assert.equal(await identifier.isChecked(), false);
    await identifier.check();
    await tab.settled(async () => assert.ok(await page.getByRole("row").filter({ has: page.getByLabel("Use patient") }).getByText("used with 600 states").count()));
    await identifier.uncheck();
    await page.getByLabel("Use empty").uncheck();
    await saved();

    // Dates have dates on their axis, as cut points, and parts.
    await page.getByRole("button", { name: "visit", exact: true }).click();
    const cuts = page.getByLabel("Cut points, from low to high");
    await cuts.fill("soon");
    await cuts.press("Enter");
    await page.getByText("Type dates with commas between").waitFor();
    await cuts.fill("2024-03-01, 2023-07-01");
    await cuts.press("Enter");
    await tab.settled(async () => assert.equal(await cuts.inputValue(), "2023-07-01, 2024-03-01"));
    await page.getByText("(2023-07-01, 2024-03-01]").first().waitFor();
    assert.equal(await page.getByRole("slider", { name: "Cut point 1" }).getAttribute("aria-valuetext"), "2023-07-01");
    await tab.accessible("cut dates");
    await tab.picture("dates");
    await page.getByLabel("Part of the date").selectOption("quarter");
    await page.getByRole("button", { name: "visit_quarter", exact: true }).waitFor();
    await page.getByLabel("Part of the date").selectOption("");
    await page.getByRole("button", { name: "visit", exact: true }).waitFor();

    // Cut points of thousands come back from their field as they were.
    await page.getByRole("button", { name: "income", exact: true }).click();
    await page.getByLabel("cut into intervals", { exact: true }).check();
    await saved();
    const before = await cuts.inputValue();
    assert.match(before, /^[\d.]+, [\d.]+$/);
    await cuts.fill(`${before}, 4100.5`);
    await cuts.press("Enter");
    await page.getByRole("slider", { name: "Cut point 3" }).waitFor();
    assert.equal(await page.getByRole("slider", { name: /^Cut point/ }).count(), 3);

    await tab.step("Knowledge");
    await page.getByLabel("Tier of age").selectOption("0");
    await page.getByLabel("Tier of outcome").selectOption("1");
    await page.getByText("In all: 1 forbidden edge.").waitFor();
    await page.getByRole("tab", { name: "Edges" }).click();
    await tab.settled(async () => {
      const boxes = (await Promise.all((await tab.nodes().all()).map((one) => one.boundingBox()))).filter((box) => box !== null);
      const over = boxes.filter((a, i) => boxes.some((b, j) => j > i && a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height));
      assert.equal(over.length, 0, "no node lies on another");
    });
    await tab.picture("knowledge");
    await tab.learn();
    await tab.step("Ask");
    const list = page.getByRole("region", { name: "Probabilities" });
    await list.getByRole("button", { name: "outcome = ill", exact: true }).click();
    await page.getByText(/^Probability of this evidence/).waitFor();
    await page.getByText("More questions").click();
    await page.getByRole("button", { name: "Find it" }).click();
    const explained = page.locator("dl.pairs dd").filter({ hasText: /^20\d\d-\d\d-\d\d$/ });
    await explained.waitFor();
    assert.ok(((await explained.boundingBox())?.height ?? 99) < 30, "long names leave room for their values");
    await tab.accessible("explained");
    await tab.picture("explained");
    await page.getByText("Predict for a file").click();
    await page.getByRole("combobox", { name: /^Variable/ }).selectOption("outcome");
    await tab.openFile("messy.csv", rows(), "Choose the file");
    await page.getByRole("columnheader", { name: "predicted outcome" }).waitFor();
    await tab.accessible("predicted");
    await tab.picture("predicted");

    // What is chosen in the list below is shown at the top of the panel.
    await tab.step("Edit");
    await page.getByRole("button", { name: "Edit a copy" }).click();
    await page.getByRole("region", { name: "Variables and edges of the network" }).getByRole("button", { name: "age", exact: true }).first().click();
    const editor = page.getByRole("region", { name: "Variable age" });
    await tab.settled(async () => assert.ok(((await editor.boundingBox())?.y ?? -1) >= 0 && ((await editor.boundingBox())?.y ?? 9e9) < viewport.height));

    // A window of another width shows the whole network too.
    const other = { width: viewport.width === 400 ? 1280 : 400, height: 820 };
    await page.setViewportSize(other);
    await tab.settled(async () => {
      const canvas = await page.locator(".canvas").boundingBox();
      const boxes = await Promise.all((await tab.nodes().all()).map((one) => one.boundingBox()));
      assert.ok(canvas && boxes.every((box) => box && box.x >= canvas.x && box.x + box.width <= canvas.x + canvas.width));
    });
    assert.deepEqual(tab.problems, []);
  });
}

test("a file that does not tell how to read it is asked about", { skip }, async () => {
  for (const [screen, viewport] of [["wide", { width: 1280, height: 800 }], ["narrow", { width: 400, height: 820 }]] as const) {
    const tab = await sessions.tab(`reading-${screen}`, { viewport });
    const { page } = tab;
    await tab.open(server.address);
    const text = Array.from({ length: 60 }, (_, i) => `${["groß", "klein"][i % 2]};${i % 7},5;`).join("\n");
    await tab.openFile("größen.csv", Buffer.from(`Größe;Länge;Bemerkung\n${text}`, "latin1"), "Choose a data file");
    await page.getByText(/is not UTF-8/).waitFor();
    await tab.accessible("unread");
    await tab.picture("unread");
    await page.getByLabel("Encoding").selectOption("latin-1");
    await page.getByRole("button", { name: "Read it again" }).click();
    await page.getByRole("button", { name: "Größe", exact: true }).waitFor();

    // What is clicked on a narrow screen opens below, where it is scrolled to.
    await page.getByRole("button", { name: "Länge", exact: true }).click();
    await tab.settled(async () => assert.ok(((await page.getByRole("complementary", { name: "Column Länge" }).boundingBox())?.y ?? 9e9) < viewport.height - 100));

    // A column without values is in the way of learning.
    await page.getByRole("button", { name: "Leave it out" }).click();
    await tab.settled(async () => assert.equal(await page.getByLabel("Use Bemerkung").isChecked(), false));

    // Settings with which the data cannot be read can be taken back after a reload too.
    await page.getByText("How the file is read").first().click();
    await page.getByLabel("Encoding").selectOption("utf-16");
    await page.getByText("The data cannot be read with these settings.").waitFor();
    await page.getByText("saved", { exact: true }).waitFor({ state: "attached" });
    await page.reload();
    await page.getByText("The data cannot be read with these settings.").waitFor();
    await tab.accessible("unreadable");
    await tab.picture("unreadable");
    await page.getByLabel("Encoding").selectOption("cp1252");
    await page.getByRole("button", { name: "Größe", exact: true }).waitFor();

    // The strip of steps shows the step that is open.
    await tab.step("Take away");
    await page.getByText("saved", { exact: true }).waitFor({ state: "attached" });
    await page.reload();
    await page.getByRole("heading", { name: "Take away" }).waitFor();
    const button = await page.getByRole("navigation", { name: "Steps" }).getByRole("button", { name: "Take away" }).boundingBox();
    assert.ok(button && button.x >= 0 && button.x + button.width <= viewport.width);
    assert.deepEqual(tab.problems, []);
  }
});
