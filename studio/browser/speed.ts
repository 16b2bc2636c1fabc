// How fast the page is: first paint, opening, evidence, dragging. Times of the main thread are processor time from a trace,
// so that other work on the machine does not count. Run with `make page-speed`.
import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Server, Sessions, layeredNetwork, type Tab } from "./harness.ts";

interface TraceEvent { name: string; ph: string; ts: number; tdur?: number; pid: number; tid: number; args?: { name?: string } }

const server = new Server();
const sessions = new Sessions();
await server.start();
await sessions.start();

const sorted = (values: number[]): number[] => [...values].sort((a, b) => a - b);
const quantile = (values: number[], p: number): number => sorted(values)[Math.min(values.length - 1, Math.floor(p * values.length))] ?? NaN;
const say = (what: string, value: number, bar: number): void => console.log(`${what}: ${value.toFixed(1)} ms (bar ${bar} ms)${value <= bar ? "" : "  ABOVE THE BAR"}`);

interface Work { tasks: { at: number; cpu: number }[]; frames: number[] }

/** Processor time of each task of the page's main thread while something is done, and the ends of its frames, in milliseconds. */
async function traced(tab: Tab, work: () => Promise<void>): Promise<Work> {
  const path = join(tmpdir(), `dagwright-trace-${process.pid}.json`);
  await sessions.trace(tab, path);
  await work();
  await sessions.endTrace();
  const { traceEvents } = JSON.parse(readFileSync(path, "utf8")) as { traceEvents: TraceEvent[] };
  rmSync(path);
  const main = new Set(traceEvents.filter((one) => one.name === "thread_name" && one.args?.name === "CrRendererMain").map((one) => `${one.pid}/${one.tid}`));
  const own = traceEvents.filter((one) => main.has(`${one.pid}/${one.tid}`));
  const tasks = own.filter((one) => one.name.endsWith("RunTask") && one.ph === "X").map((one) => ({ at: one.ts / 1000, cpu: (one.tdur ?? 0) / 1000 }));
  const frames = own.filter((one) => one.name === "AnimationFrame" && one.ph === "e").map((one) => one.ts / 1000);
  return { tasks: tasks.sort((a, b) => a.at - b.at), frames: sorted(frames) };
}

async function openLarge(tab: Tab, nodes: number): Promise<string> {
  await tab.open(server.address);
  await tab.openFile(`large${nodes}.bif`, layeredNetwork(nodes), "Choose a file");
  await tab.nodes().nth(10).waitFor();
  await tab.page.getByText("saved", { exact: true }).waitFor();
  await tab.page.waitForTimeout(1500);
  return tab.page.url();
}

/** When all nodes and edges of a network are on the screen, by the page's own clock. */
async function whenDrawn(tab: Tab, nodes: number): Promise<void> {
  await tab.page.addInitScript((wanted) => {
    const look = (): void => {
      const drawn = document.querySelectorAll(".svelte-flow__node");
      const last = drawn[wanted - 1];
      if (last && getComputedStyle(last).visibility === "visible" && document.querySelector(".svelte-flow__edge")) setTimeout(() => performance.mark("drawn"));
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, nodes);
}

async function opening(): Promise<void> {
  const tab = await sessions.tab("opening");
  const address = await openLarge(tab, 200);
  await whenDrawn(tab, 200);
  const open = async (): Promise<number> => {
    await tab.page.goto("about:blank");
    await tab.page.goto(address);
    const drawn = await tab.page.waitForFunction(() => performance.getEntriesByName("drawn")[0]?.startTime);
    return (await drawn.jsonValue()) ?? NaN;
  };
  const times: number[] = [];
  const paints: number[] = [];
  for (let i = 0; i < 5; i++) {
    times.push(await open());
    paints.push(await tab.page.evaluate(() => performance.getEntriesByName("first-paint")[0]?.startTime ?? NaN));
  }
  say(`opening a project with 200 nodes, by the clock, median of ${times.length}`, quantile(times, 0.5), 1000);
  say("first paint, median", quantile(paints, 0.5), 1000);
  const work = await traced(tab, async () => void (await open()));
  say("opening a project with 200 nodes, work of the main thread", work.tasks.reduce((sum, one) => sum + one.cpu, 0), 1000);
}

async function dragging(): Promise<void> {
  const tab = await sessions.tab("dragging");
  await openLarge(tab, 500);
  const { page } = tab;
  for (let i = 0; i < 4; i++) await page.getByRole("button", { name: "Zoom in" }).click();
  await page.waitForTimeout(800);
  const boxes = await tab.nodes().evaluateAll((all) => all.map((node) => { const box = node.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2] as const; }));
  const start = sorted(boxes.map(([x, y]) => Math.hypot(x - 530, y - 420)))[0] ?? 0;
  const [x, y] = boxes.find((box) => Math.hypot(box[0] - 530, box[1] - 420) === start) ?? [530, 420];
  const { tasks, frames: ends } = await traced(tab, async () => {
    await page.mouse.move(x, y);
    await page.mouse.down();
    // The browser answers a move when the frame with it begins: a move for each frame.
    for (let i = 1; i <= 120; i++) await page.mouse.move(x + 120 * Math.sin(i / 12), y + 60 * Math.sin(i / 9));
    if (!(await page.locator(".canvas.lifting").count())) throw new Error("no node was dragged");
    await page.mouse.up();
  });
  // A frame is the work between two drawn pictures; the driver's own calls are in it, so these figures are upper bounds.
  const frames = ends.slice(1).map((end, i) => tasks.reduce((sum, one) => sum + (one.at > (ends[i] ?? 0) && one.at <= end ? one.cpu : 0), 0));
  say(`dragging in 500 nodes, main thread per frame, median of ${frames.length}`, quantile(frames, 0.5), 10);
  say("dragging in 500 nodes, main thread per frame, 95th percentile", quantile(frames, 0.95), 20);
}

/** Evidence in a built-in network, or in that of a file, which may be compressed: all bars in the nodes and in the list beside them. */
async function evidence(name: string, bar: number, node: string, file?: string): Promise<void> {
  const tab = await sessions.tab(name);
  const { page } = tab;
  await tab.open(server.address);
  if (file === undefined) await tab.network(name);
  else await tab.openFile(basename(file), readFileSync(file), "Choose a file");
  await tab.nodes().nth(10).waitFor();
  await tab.step("Ask");
  const states = page.getByRole("region", { name: "Probabilities" }).getByRole("button", { name: `${node} = ` });
  await states.first().waitFor();
  const bars = page.getByRole("button", { name: "Bars", exact: true });
  if ((await bars.getAttribute("aria-pressed")) === "false") await bars.click();
  await page.locator(".svelte-flow__node .bars").nth(10).waitFor({ state: "attached" }); // seen from far away they are hidden
  await page.getByText("saved", { exact: true }).waitFor();
  const times: number[] = [];
  for (let i = 0; i < 7; i++) {
    const took = await page.evaluate(([name, at]) => new Promise<number>((done) => {
      const buttons = [...document.querySelectorAll<HTMLButtonElement>("section[aria-label=Probabilities] button.state")].filter((one) => one.textContent.startsWith(`${name} = `));
      const words = (): string => [...document.querySelectorAll("main p.small")].map((one) => one.textContent).join();
      const before = words();
      const began = performance.now();
      new MutationObserver((_, observer) => {
        if (words() === before || !words().includes("Answer: ")) return;
        observer.disconnect();
        requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
      buttons[at]?.click();
    }), [node, i % 2] as const);
    times.push(took);
    await page.getByText("saved", { exact: true }).waitFor();
  }
  say(`evidence to all marginals on screen, ${name}, median of ${times.length}`, quantile(times, 0.5), bar);
}

// The network andes is not built in: DAGWRIGHT_ANDES names its file, "andes.bif.gz" too.
async function andes(): Promise<void> {
  const file = process.env["DAGWRIGHT_ANDES"];
  if (file === undefined) console.log("evidence in andes: not measured, DAGWRIGHT_ANDES names no file");
  else await evidence("andes", 300, "SNode_20", file);
}

const wanted = process.argv.slice(2);
try {
  for (const [name, run] of [["opening", opening], ["dragging", dragging], ["alarm", () => evidence("alarm", 100, "CVP")], ["andes", andes]] as const)
    if (!wanted.length || wanted.includes(name)) await run();
} finally {
  await sessions.stop();
  await server.stop();
}
