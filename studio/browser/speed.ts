// How fast the page is: first paint, opening, evidence, dragging. Times of the main thread are processor time from a trace,
// so that other work on the machine does not count. Run with `make page-speed`.
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Server, Sessions, layeredNetwork, type Tab } from "./harness.ts";

interface TraceEvent { name: string; ph: string; ts: number; tdur?: number; pid: number; tid: number; args?: { name?: string } }

const server = new Server();
const sessions = new Sessions();
await server.start();
await sessions.start();

const sorted = (values: number[]): number[] => [...values].sort((a, b) => a - b);
const quantile = (values: number[], p: number): number => sorted(values)[Math.min(values.length - 1, Math.floor(p * values.length))] ?? NaN;
const say = (what: string, value: number, bar: number): void => console.log(`${what}: ${value.toFixed(1)} ms (bar ${bar} ms)${value <= bar ? "" : "  ABOVE THE BAR"}`);

/** Processor time of each task of the page's main thread while something is done, in milliseconds. */
async function tasks(tab: Tab, work: () => Promise<void>): Promise<{ at: number; cpu: number }[]> {
  const path = join(tmpdir(), `dagwright-trace-${process.pid}.json`);
  await sessions.trace(tab, path);
  await work();
  await sessions.endTrace();
  const { traceEvents } = JSON.parse(readFileSync(path, "utf8")) as { traceEvents: TraceEvent[] };
  const main = new Set(traceEvents.filter((one) => one.name === "thread_name" && one.args?.name === "CrRendererMain").map((one) => `${one.pid}/${one.tid}`));
  const found = traceEvents.filter((one) => one.name.endsWith("RunTask") && one.ph === "X" && main.has(`${one.pid}/${one.tid}`));
  return found.map((one) => ({ at: one.ts / 1000, cpu: (one.tdur ?? 0) / 1000 }));
}

async function openLarge(tab: Tab, nodes: number): Promise<string> {
  await tab.open(server.address);
  await tab.openFile(`large${nodes}.bif`, layeredNetwork(nodes), "Choose a file");
  await tab.nodes().nth(10).waitFor();
  await tab.page.getByText("saved", { exact: true }).waitFor();
  await tab.page.waitForTimeout(1500);
  return tab.page.url();
}

async function opening(): Promise<void> {
  const tab = await sessions.tab("opening");
  const address = await openLarge(tab, 200);
  await tab.page.goto("about:blank");
  const began = Date.now();
  const work = await tasks(tab, async () => {
    await tab.page.goto(address);
    await tab.nodes().nth(10).waitFor();
  });
  say("opening a project with 200 nodes, by the clock", Date.now() - began, 1000);
  say("  of it work of the main thread", work.reduce((sum, one) => sum + one.cpu, 0), 1000);
  const paint = await tab.page.evaluate(() => performance.getEntriesByName("first-paint")[0]?.startTime ?? NaN);
  say("first paint", paint, 1000);
}

async function dragging(): Promise<void> {
  const tab = await sessions.tab("dragging");
  await openLarge(tab, 500);
  const { page } = tab;
  for (let i = 0; i < 4; i++) await page.getByRole("button", { name: "Zoom in" }).click();
  await page.waitForTimeout(800);
  const boxes = await tab.nodes().evaluateAll((all) => all.map((node) => { const box = node.getBoundingClientRect(); return [box.x + box.width / 2, box.y + 10] as const; }));
  const start = sorted(boxes.map(([x, y]) => Math.hypot(x - 530, y - 420)))[0] ?? 0;
  const [x, y] = boxes.find((box) => Math.hypot(box[0] - 530, box[1] - 420) === start) ?? [530, 420];
  const STEPS = 60;
  const work = await tasks(tab, async () => {
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let i = 1; i <= STEPS; i++) {
      await page.mouse.move(x + 120 * Math.sin(i / 12), y + 60 * Math.sin(i / 9));
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)));
    }
    await page.mouse.up();
  });
  // A frame is the work between two drawn pictures; the driver's own calls are in it, so these figures are upper bounds.
  const from = work[0]?.at ?? 0;
  const span = (work.at(-1)?.at ?? 0) - from;
  const frames = Array.from({ length: STEPS }, () => 0);
  for (const one of work) {
    const frame = Math.min(STEPS - 1, Math.floor(((one.at - from) / span) * STEPS));
    frames[frame] = (frames[frame] ?? 0) + one.cpu;
  }
  say("dragging in 500 nodes, main thread per frame, median", quantile(frames, 0.5), 10);
  say("dragging in 500 nodes, main thread per frame, 95th percentile", quantile(frames, 0.95), 20);
}

/** Evidence in a built-in network, or in that of a BIF file. */
async function evidence(name: string, bar: number, node: string, file?: string): Promise<void> {
  const tab = await sessions.tab(name);
  const { page } = tab;
  await tab.open(server.address);
  if (file === undefined) await tab.network(name);
  else await tab.openFile(`${name}.bif`, readFileSync(file, "utf8"), "Choose a file");
  await tab.step("Ask");
  const list = page.getByRole("region", { name: "Probabilities" });
  await page.getByLabel("Find in the list").fill(node);
  const states = list.getByRole("button", { name: `${node} = ` });
  await states.first().waitFor();
  const times: number[] = [];
  for (let i = 0; i < 7; i++) {
    const took = await page.evaluate((at) => new Promise<number>((done) => {
      const buttons = [...document.querySelectorAll<HTMLButtonElement>("section[aria-label=Probabilities] button.state")];
      const words = (): string => [...document.querySelectorAll("main p.small")].map((one) => one.textContent).join();
      const before = words();
      const began = performance.now();
      new MutationObserver((_, observer) => {
        if (words() === before) return;
        observer.disconnect();
        requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
      buttons[at]?.click();
    }), i % 2);
    times.push(took);
    await page.getByText("saved", { exact: true }).waitFor();
  }
  say(`evidence to all marginals on screen, ${name}, median of ${times.length}`, quantile(times, 0.5), bar);
}

// The network andes is not built in: DAGWRIGHT_ANDES names its BIF file.
async function andes(): Promise<void> {
  const file = process.env["DAGWRIGHT_ANDES"];
  if (file === undefined) console.log("evidence in andes: not measured, DAGWRIGHT_ANDES names no BIF file");
  else await evidence("andes", 300, "SNode_20", file);
}

const wanted = process.argv.slice(2);
for (const [name, run] of [["opening", opening], ["dragging", dragging], ["alarm", () => evidence("alarm", 100, "CVP")], ["andes", andes]] as const)
  if (!wanted.length || wanted.includes(name)) await run();
await sessions.stop();
await server.stop();
