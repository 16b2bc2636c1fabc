// A real server and a real browser. Screenshots go to build/studio/ beside the checkout's other builds.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from "playwright-core";

const here = dirname(fileURLToPath(import.meta.url));
const top = join(here, "..", "..");
const PICTURES = join(top, "build", "studio");
export const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));
const PATIENCE = 60_000;

/** What a Python program of the checkout's environment writes. */
export const python = (program: string): Buffer => execFileSync(join(top, ".venv", "bin", "python"), ["-c", program], { maxBuffer: 1e9 });

export class Server {
  address = "";
  private process: ChildProcess | null = null;
  private readonly folder = mkdtempSync(join(tmpdir(), "dagwright-studio-"));

  async start(): Promise<void> {
    const usual = `${join(top, ".venv", "bin", "dagwright")} studio --no-browser --port 0 --folder`;
    const [command = "", ...rest] = (process.env["DAGWRIGHT_STUDIO_COMMAND"] ?? usual).split(" ");
    const child = spawn(command, [...rest, this.folder], { stdio: ["ignore", "pipe", "inherit"] });
    this.process = child;
    this.address = await new Promise<string>((found, failed) => {
      let said = "";
      child.stdout.on("data", (part: Buffer) => {
        said += part.toString();
        const match = /http:\/\/\S+/.exec(said);
        if (match) found(match[0]);
      });
      child.once("exit", (code) => failed(new Error(`the studio ended with ${String(code)} before it said its address: ${said}`)));
    });
  }

  /** Ends the server at once, as the system does when memory runs out; `start` begins again in the same folder. */
  async kill(): Promise<void> {
    await this.end("SIGKILL");
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((go) => child.once("exit", go));
    child.kill(signal);
    await ended;
  }

  async stop(): Promise<void> {
    await this.end("SIGTERM");
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A tab of the studio, with the actions that tests share. Any error on the page, and any request to another machine, fails the test at its end. */
export class Tab {
  readonly page: Page;
  readonly problems: string[] = [];
  private readonly label: string;

  constructor(page: Page, label: string) {
    this.page = page;
    this.label = label;
    page.setDefaultTimeout(PATIENCE);
    page.on("pageerror", (error) => this.problems.push(`error: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) this.problems.push(`console: ${message.text()}`);
    });
    page.on("response", (response) => {
      // A request that the server cannot read is a fault of the page.
      if (response.status() >= 500 || response.status() === 400) this.problems.push(`${response.status()} ${response.url()}`);
    });
    page.on("request", (request) => {
      if (!/^(http:\/\/127\.0\.0\.1:|data:|blob:)/.test(request.url())) this.problems.push(`a request leaves the machine: ${request.url()}`);
    });
    page.on("dialog", (dialog) => {
      this.problems.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
  }

  async open(address: string): Promise<void> {
    await this.page.goto(address);
    await this.page.getByRole("heading", { name: "Try a sample" }).waitFor();
  }

  async sample(name: string): Promise<void> {
    await this.page.getByRole("combobox", { name: "Sample" }).selectOption(name);
    await this.page.getByRole("button", { name: "Open the sample" }).click();
    await this.page.getByText("distinct rows").waitFor();
  }

  async network(name: string): Promise<void> {
    await this.page.getByRole("combobox", { name: "Built-in network" }).selectOption(name);
    await this.page.getByRole("button", { name: "Open it" }).click();
    await this.nodes().first().waitFor();
  }

  async step(name: string): Promise<void> {
    await this.page.getByRole("navigation", { name: "Steps" }).getByRole("button", { name }).click();
  }

  /** Chooses a file, as a person does with the button of that name. */
  async openFile(name: string, content: string | Buffer, button: string): Promise<void> {
    const [chooser] = await Promise.all([this.page.waitForEvent("filechooser"), this.page.getByRole("button", { name: button }).first().click()]);
    await chooser.setFiles({ name, mimeType: "text/plain", buffer: Buffer.from(content) });
  }

  /** Clicks a button, and gives the bytes and the name of the file that comes. */
  async saved(button: Locator): Promise<{ name: string; bytes: Buffer }> {
    await this.page.waitForTimeout(120); // the browser drops the eleventh file within a second
    const [file] = await Promise.all([this.page.waitForEvent("download"), button.click()]);
    return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
  }

  nodes(): Locator {
    return this.page.locator(".svelte-flow__node");
  }

  async learn(): Promise<void> {
    await this.step("Learn");
    await this.page.getByRole("button", { name: "Learn the network" }).click();
    await this.page.getByText("on the canvas").first().waitFor();
  }

  /** Where the nodes stand, by name. */
  async places(): Promise<Record<string, string>> {
    return this.page.evaluate(() =>
      Object.fromEntries(
        [...document.querySelectorAll<HTMLElement>(".svelte-flow__node")].map((node) => [node.querySelector(".text")?.textContent ?? "", node.style.transform]),
      ),
    );
  }

  /** Waits until a claim about the page holds; its last failure is the answer where it never does. */
  async settled(claim: () => Promise<void>): Promise<void> {
    const end = Date.now() + PATIENCE;
    for (;;) {
      try {
        await claim();
        return;
      } catch (failure) {
        if (Date.now() > end) throw failure;
        await this.page.waitForTimeout(100);
      }
    }
  }

  /** Nodes that an edge runs behind, other than those at its ends. */
  async behind(): Promise<string[]> {
    return this.page.evaluate(() => {
      const boxes = [...document.querySelectorAll<HTMLElement>(".svelte-flow__node")].map((node) => {
        const [x = 0, y = 0] = (node.style.transform.match(/-?[\d.]+/g) ?? []).map(Number);
        return { name: node.querySelector(".text")?.textContent ?? "", x: x + node.offsetWidth / 2, y: y + node.offsetHeight / 2, wide: node.offsetWidth / 2, high: node.offsetHeight / 2 };
      });
      const found = new Set<string>();
      for (const path of document.querySelectorAll<SVGPathElement>(".svelte-flow__edge path.line")) {
        const length = path.getTotalLength();
        const held = (share: number, wider: number): string[] => {
          const at = path.getPointAtLength(length * share);
          return boxes.filter((box) => Math.abs(at.x - box.x) < box.wide + wider && Math.abs(at.y - box.y) < box.high + wider).map((box) => box.name);
        };
        const ends = new Set([...held(0, 6), ...held(1, 6)]);
        for (let i = 1; i < 100; i++) for (const name of held(i / 100, -2)) if (!ends.has(name)) found.add(name);
      }
      return [...found];
    });
  }

  /** Parts of the page that reach out of what holds them, and parts of a split page that lie on each other. */
  async astray(): Promise<string[]> {
    return this.page.evaluate(() => {
      const found: string[] = [];
      const wide = document.documentElement.scrollWidth - innerWidth;
      if (wide > 0) found.push(`the page is ${wide} pixels wider than the screen`);
      const high = document.documentElement.scrollHeight - innerHeight;
      if (innerWidth > 860 && high > 0) found.push(`the page is ${high} pixels higher than the screen`);
      for (const held of document.querySelectorAll<HTMLElement>(".tools > *, .foot > *, .row > *, header > *")) {
        const box = held.getBoundingClientRect();
        const outer = held.parentElement?.getBoundingClientRect();
        if (outer && box.width > 0 && held.className !== "hidden" && (box.right > outer.right + 1 || box.left < outer.left - 1)) found.push(`out of its row: ${held.outerHTML.slice(0, 90)}`);
      }
      const [stage, side] = [document.querySelector(".split > :first-child"), document.querySelector(".split > .side")].map((one) => one?.getBoundingClientRect());
      if (stage && side && stage.right > side.left + 1 && stage.bottom > side.top + 1) found.push("the canvas lies on the panel beside it");
      return found;
    });
  }

  /** A picture of the page; where the label of the tab names a theme, one in the other theme too. */
  async picture(name: string): Promise<void> {
    mkdirSync(PICTURES, { recursive: true });
    this.problems.push(...(await this.astray()).map((text) => `${name}: ${text}`));
    const shot = async (label: string): Promise<void> => {
      await this.page.screenshot({ path: join(PICTURES, `${label}-${name}.png`) });
    };
    await shot(this.label);
    const [width = "", theme] = this.label.split("-");
    if (theme !== "light" && theme !== "dark") return;
    const other = theme === "light" ? "dark" : "light";
    await this.page.emulateMedia({ colorScheme: other });
    await shot(`${width}-${other}`);
    await this.page.emulateMedia({ colorScheme: theme });
  }

  /** What axe-core objects to; the driver evaluates it outside of the page's own policy. */
  async accessible(where: string): Promise<void> {
    const script = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    if (!(await this.page.evaluate(() => "axe" in globalThis))) await this.page.evaluate(script);
    const found = await this.page.evaluate(async () => {
      interface Violation { id: string; nodes: { html: string; failureSummary: string }[] }
      const { axe } = globalThis as unknown as { axe: { run: (options: unknown) => Promise<{ violations: Violation[] }> } };
      const { violations } = await axe.run({ resultTypes: ["violations"] });
      const words = (one: Violation): string => one.nodes.slice(0, 2).map((node) => `${node.html.slice(0, 140)} ${node.failureSummary.replace(/\s+/g, " ").slice(0, 200)}`).join(" | ");
      return violations.map((one) => `${one.id}: ${words(one)}`);
    });
    this.problems.push(...found.map((text) => `axe, ${where}: ${text}`));
  }
}

export class Sessions {
  private browser: Browser | null = null;

  async start(): Promise<void> {
    this.browser = await chromium.launch({
      ...(CHROMIUM ? { executablePath: CHROMIUM } : {}),
      // Every test is offline: no name of another machine can be found.
      args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
    });
  }

  async tab(label: string, options: BrowserContextOptions = {}): Promise<Tab> {
    if (!this.browser) throw new Error("start the browser first");
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    return new Tab(await context.newPage(), label);
  }

  /** Records what the browser does into a file, until `endTrace`. */
  async trace(tab: Tab, path: string): Promise<void> {
    await this.browser?.startTracing(tab.page, { path, categories: ["toplevel", "devtools.timeline"] });
  }

  async endTrace(): Promise<void> {
    await this.browser?.stopTracing();
  }

  async stop(): Promise<void> {
    await this.browser?.close();
  }
}

/** A network of that many nodes with two states each, as a BIF file; nodes have at most two parents. */
export function layeredNetwork(nodes: number): string {
  const numbers = Array.from({ length: nodes }, (_, i) => i);
  const variables = numbers.map((i) => `variable v${i} { type discrete [ 2 ] { no, yes }; }`);
  const tables = numbers.map((i) => {
    const parents = [...(i % 3 ? [i - 1] : []), ...(i >= 14 ? [i - 14] : [])].map((j) => `v${j}`);
    if (!parents.length) return `probability ( v${i} ) { table 0.4, 0.6; }`;
    const rows = parents.length === 1 ? ["(no) 0.9, 0.1;", "(yes) 0.2, 0.8;"] : ["(no, no) 0.9, 0.1;", "(no, yes) 0.6, 0.4;", "(yes, no) 0.4, 0.6;", "(yes, yes) 0.1, 0.9;"];
    return `probability ( v${i} | ${parents.join(", ")} ) { ${rows.join(" ")} }`;
  });
  return ["network large { }", ...variables, ...tables, ""].join("\n");
}
