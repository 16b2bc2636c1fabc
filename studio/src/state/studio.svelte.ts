// The open project: its state, its jobs and results, kept equal to the server's.
import { ApiError, get, patch, post, query, remove, upload } from "../api/client";
import type {
  About, Code, DataReport, Formats, Job, JobKind, KnowledgeCheck, LiveNetwork, Method, Opened, Project, ProjectEntry, Reading, Result, ResultEntry, Samples, State,
  StepName,
} from "../api/types";
import { formOf, kindOfFile, splitName } from "../lib/files";
import { same } from "../lib/merge";
import { without } from "../lib/records";
import { entriesOf, keyOf, versionsOf } from "../lib/versions";
import { CODE_KEYS, DATA_KEYS, Saving } from "./saving.svelte";
import { type Step, valuesBefore } from "./undo";

/** A file that could not be read as it is, and how that was tried. */
export interface Unread {
  file: File;
  reading: Reading;
  message: string;
}

export class Studio extends Saving {
  about = $state.raw<About | null>(null);
  samples = $state.raw<Samples>({ samples: [], networks: [] });
  methods = $state.raw<Method[]>([]);
  formats = $state.raw<Formats | null>(null);
  projects = $state.raw<ProjectEntry[]>([]);
  report = $state.raw<DataReport | null>(null);
  /** Why the data of the project cannot be read as its settings say, if so. */
  reportProblem = $state("");
  unread = $state.raw<Unread | null>(null);
  /** Data reports on their way. */
  reading = $state(0);
  check = $state.raw<KnowledgeCheck | null>(null);
  jobs = $state.raw<Job[]>([]);
  /** The best network so far of each job that runs, by the job. */
  networks = $state.raw<Record<string, LiveNetwork>>({});
  results = $state.raw<ResultEntry[]>([]);
  code = $state.raw<Code | null>(null);
  step = $state<StepName>("data");
  ready = $state(false);

  private events: EventSource | null = null;
  private ready_to_show: Result | null = null;
  private reportWanted = 0;
  private codeTimer: ReturnType<typeof setTimeout> | undefined;

  running = $derived(this.jobs.filter((job) => ["queued", "running", "stopping"].includes(job.state)));

  /** The networks of the project, newest first; one that was edited by hand is one entry. */
  entries = $derived.by((): ResultEntry[] => entriesOf(this.results, this.state));

  methodsOf(kind: string): Method[] {
    return this.methods.filter((method) => method.kind === kind);
  }

  // --- opening

  async start(): Promise<void> {
    await this.attempt(async () => {
      const named = new URLSearchParams(location.hash.slice(1)).get("project");
      const opening = named && this.project?.id !== named ? this.open(named) : undefined; // first of all: the person waits for it
      const [about, samples, methods, formats, list] = await Promise.all([
        get<About>("/api/about"),
        get<Samples>("/api/samples"),
        get<{ methods: Method[] }>("/api/methods"),
        get<Formats>("/api/formats"),
        get<{ projects: ProjectEntry[] }>("/api/projects"),
        opening,
      ]);
      this.about = about;
      this.samples = samples;
      this.methods = methods.methods;
      this.formats = formats;
      this.projects = list.projects;
      if (!named && about.started_with) await this.open(about.started_with);
    });
    this.ready = true;
  }

  async open(id: string): Promise<void> {
    const { project, results, shown } = await get<Opened>(`/api/projects/${id}/opened`);
    this.ready_to_show = shown;
    await this.enter(project, undefined, results);
  }

  /** The result that came with the project, once; others are asked for. */
  takeShown(id: string): Result | null {
    const shown = this.ready_to_show;
    this.ready_to_show = null;
    return shown?.id === id ? shown : null;
  }

  private async enter(project: Project, step?: StepName, results: ResultEntry[] | null = null): Promise<void> {
    await this.queue;
    this.leave();
    this.results = results ?? [];
    this.opened(project);
    history.replaceState(null, "", `#project=${project.id}`);
    const saved = project.state.view.step;
    this.step = step ?? saved ?? (project.state.shown ? "look" : "data");
    this.listen(project.id);
    await Promise.all([this.readReport(), results ? undefined : this.readResults(), this.checkKnowledge()]);
    this.readCode();
  }

  leave(): void {
    this.events?.close();
    this.events = null;
    this.closed();
    this.report = null;
    this.reportProblem = "";
    this.unread = null;
    this.check = null;
    this.jobs = [];
    this.networks = {};
    this.results = [];
    this.code = null;
  }

  async close(): Promise<void> {
    await this.queue;
    this.leave();
    history.replaceState(null, "", location.pathname);
    await this.attempt(async () => {
      this.projects = (await get<{ projects: ProjectEntry[] }>("/api/projects")).projects;
    });
  }

  async create(body: { name?: string; sample?: string; network?: string }, step?: StepName): Promise<void> {
    await this.attempt(() => this.newProject(body, step));
  }

  async openFile(file: File): Promise<void> {
    await this.attempt(async () => {
      if (this.kindOf(file) === "project") await this.enter(await upload<Project>(query("/api/projects/open", { name: file.name }), file));
      else await this.openData(file);
    });
  }

  /** A file with data. Where it may be a matter of how it is read, the page asks for that instead of giving up. */
  async openData(file: File, reading: Reading = {}): Promise<void> {
    try {
      await this.filled(file, "data", () => this.uploadData(file, reading));
      this.unread = null;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 422 || formOf(file.name) !== "text") throw error;
      this.unread = { file, reading, message: error.message };
    }
  }

  async openNetworkFile(file: File): Promise<void> {
    await this.attempt(() =>
      this.filled(file, "look", async () => {
        const from = this.step;
        const made = await upload<{ id: string }>(query(this.path("networks/import"), { name: file.name }), file);
        await this.change({ shown: made.id }, `opened ${file.name}`);
        if (this.step === from) this.go("look"); // who has gone on meanwhile is not called back
      }),
    );
  }

  /** Takes a file into the open project, or into a new one, which goes again if the file cannot be read. */
  private async filled(file: File, step: StepName, fill: () => Promise<void>): Promise<void> {
    const open = this.project;
    if (open) return fill();
    const { id } = await this.newProject({ name: splitName(file.name)[0] }, step);
    try {
      await fill();
    } catch (error) {
      if (this.project?.id === id && !this.state?.data && !this.results.length) {
        this.leave();
        history.replaceState(null, "", location.pathname);
        await remove(`/api/projects/${id}`).catch(() => undefined);
      }
      throw error;
    }
  }

  private async newProject(body: { name?: string; sample?: string; network?: string }, step?: StepName): Promise<Project> {
    const project = await post<Project>("/api/projects", body);
    await this.enter(project, step);
    return project;
  }

  private kindOf(file: File): ReturnType<typeof kindOfFile> {
    return kindOfFile(file.name, this.about?.network_formats ?? [], this.project !== null && this.step === "knowledge");
  }

  /** A file with a network or a project. */
  async openModelFile(file: File): Promise<void> {
    await (this.kindOf(file) === "project" ? this.openFile(file) : this.openNetworkFile(file));
  }

  /** A file that was dropped on the page. */
  async takeFile(file: File): Promise<void> {
    const kind = this.kindOf(file);
    if (kind === "network") return this.openNetworkFile(file);
    if (kind === "knowledge" && this.project) return this.importKnowledge(file);
    if (kind === "data" && this.project) this.go("data");
    await this.openFile(file);
  }

  async forget(id: string): Promise<void> {
    await this.attempt(async () => {
      await remove(`/api/projects/${id}`);
      this.projects = this.projects.filter((project) => project.id !== id);
    });
  }

  // --- data

  /** Words that mean a missing value hinder no reading: they follow once the data are there. */
  async uploadData(file: File, { missing_values, ...reading }: Reading = {}): Promise<void> {
    await this.takeData(file.name, (revision) => upload(query(this.path("data"), { name: file.name, revision, ...reading }), file));
    if (missing_values) await this.changeColumns({ reading: { ...this.state?.reading, missing_values } }, "reading: missing values");
  }

  async useSample(sample: string): Promise<void> {
    await this.attempt(() => this.takeData(sample, (revision) => post(this.path("data/sample"), { revision, sample })));
  }

  private async takeData(name: string, ask: (revision: number) => Promise<{ project: Project; report: DataReport }>): Promise<void> {
    await this.inTurn(async () => {
      const { report } = await this.replaced(`data: ${name}`, DATA_KEYS, ask, (answer) => answer.project);
      this.report = report;
      this.reportProblem = "";
    });
    await this.checkKnowledge();
  }

  async importKnowledge(file: File): Promise<void> {
    await this.attempt(async () => {
      const ask = (revision: number): Promise<Project> => upload(query(this.path("knowledge/import"), { name: file.name, revision }), file);
      await this.inTurn(async () => void (await this.replaced(`knowledge from ${file.name}`, ["knowledge"], ask, (answer) => answer)));
      await this.checkKnowledge();
    });
  }

  async readReport(): Promise<void> {
    if (!this.state?.data) {
      this.report = null;
      this.reportProblem = "";
      return;
    }
    const mine = ++this.reportWanted;
    this.reading++;
    await this.attempt(async () => {
      try {
        const report = await get<DataReport>(this.path("data/report"));
        if (mine !== this.reportWanted) return;
        this.report = report;
        this.notices = this.notices.filter((one) => one.text !== this.reportProblem);
        this.reportProblem = "";
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 422) throw error;
        if (mine !== this.reportWanted) return;
        this.reportProblem = error.message;
        this.check = null; // it would only repeat the problem
        if (this.report) this.tell(error); // the step Data tells it too, perhaps out of sight of the setting
      }
    });
    this.reading--;
  }

  go(step: StepName): void {
    if (this.step !== step) window.scrollTo(0, 0);
    this.step = step;
    const view = this.state?.view;
    if (view && view.step !== step) void this.change({ view: { ...view, step } }, "step", false);
  }

  // --- data-dependent views

  protected override changed(change: Partial<State>): void {
    if (CODE_KEYS.some((key) => key in change)) this.readCode();
  }

  protected override differed(differs: (keys: readonly (keyof State)[]) => boolean): void {
    if (differs(DATA_KEYS)) void this.readReport();
    if (differs(["data", "columns", "knowledge"])) void this.checkKnowledge();
    if (differs(CODE_KEYS)) this.readCode();
  }

  protected override async replayed(change: Partial<State>): Promise<void> {
    if (DATA_KEYS.some((key) => key in change)) await this.readReport();
    if ("knowledge" in change || "columns" in change) await this.checkKnowledge();
  }

  async changeColumns(change: Partial<State>, label: string): Promise<void> {
    await this.change(change, label);
    await this.readReport();
    await this.checkKnowledge();
  }

  async checkKnowledge(): Promise<void> {
    if (!this.project) return;
    try {
      this.check = await post<KnowledgeCheck>(this.path("knowledge/check"), {});
    } catch (error) {
      if (error instanceof ApiError && error.problem.conflicts?.length)
        this.check = { ok: false, conflicts: error.problem.conflicts, text: "", implied: null };
      else if (error instanceof ApiError && error.status === 422 && this.reportProblem) this.check = null;
      else if (error instanceof ApiError && error.status === 422)
        this.check = { ok: false, conflicts: [{ summary: error.message, statements: [] }], text: "", implied: null };
      else this.tell(error);
    }
  }

  /** The result that the code leads to; null where it is about what is learned next. */
  get codeOf(): string | null {
    return ["data", "knowledge", "learn"].includes(this.step) ? null : (this.state?.shown ?? null);
  }

  readCode(): void {
    clearTimeout(this.codeTimer);
    this.codeTimer = setTimeout(() => {
      const id = this.project?.id;
      if (!id) return;
      get<Code>(query(this.path("code"), { result: this.codeOf }))
        .then((code) => {
          if (this.project?.id === id) this.code = code;
        })
        .catch(() => undefined);
    }, 150);
  }

  async readResults(): Promise<void> {
    await this.attempt(async () => {
      this.results = (await get<{ results: ResultEntry[] }>(this.path("results"))).results;
    });
  }

  // --- jobs

  private listen(id: string): void {
    const source = new EventSource(`/api/projects/${id}/events`);
    this.events = source;
    const read = <T>(name: string, take: (document: T) => void): void =>
      source.addEventListener(name, (event) => {
        if (this.project?.id === id) take(JSON.parse((event as MessageEvent<string>).data) as T);
      });
    read<{ jobs: Job[] }>("jobs", (document) => (this.jobs = document.jobs));
    read<Job>("job", (job) => this.take(job));
    read<LiveNetwork>("network", (network) => (this.networks = { ...this.networks, [network.job]: network }));
    read<{ revision: number }>("project", ({ revision }) => {
      this.told(revision);
    });
    read<{ ids: string[] }>("results", ({ ids }) => {
      if (!same(ids, this.results.map((result) => result.id))) void this.readResults();
    });
    read<ResultEntry>("result", (entry) => {
      const known = this.results.some((other) => other.id === entry.id);
      this.results = known ? this.results.map((other) => (other.id === entry.id ? entry : other)) : [entry, ...this.results];
    });
  }

  take(job: Job): void {
    const known = this.jobs.some((other) => other.id === job.id);
    if (job.ended && this.networks[job.id]) this.networks = without(this.networks, job.id);
    this.jobs = known ? this.jobs.map((other) => (other.id === job.id ? job : other)) : [job, ...this.jobs];
  }

  async begin(kind: JobKind, options: Record<string, unknown> = {}): Promise<Job | undefined> {
    return this.attempt(async () => {
      await this.queue;
      const job = await post<Job>(this.path("jobs"), { kind, options });
      if (!this.jobs.some((other) => other.id === job.id)) this.take(job);
      return job;
    });
  }

  /** Learns the network of a job again, with another way to treat missing values. */
  async learnAgain(job: Job, missing: NonNullable<State["missing"]>): Promise<void> {
    await this.changeColumns({ missing }, "missing values");
    const result = typeof job.options.result === "string" ? await this.attempt(() => get<Result>(this.path(`results/${job.options.result ?? ""}`))) : undefined;
    const how = result?.kind === "learned" ? { ...result.request.learn, ...result.options } : {};
    if (await this.begin("learn", how)) await this.forgetJob(job);
  }

  async jobAction(job: Job, action: "stop" | "kill" | "rerun"): Promise<void> {
    await this.attempt(async () => this.take(await post<Job>(this.path(`jobs/${job.id}/${action}`))));
  }

  async forgetJob(job: Job): Promise<void> {
    await this.attempt(async () => {
      await remove(this.path(`jobs/${job.id}`));
      this.jobs = this.jobs.filter((other) => other.id !== job.id);
    });
  }

  /** Shows a network that was made by hand as the newest version of its entry, so that Undo goes through its versions. */
  async showVersion(made: { id: string; session?: string | null }, label: string): Promise<void> {
    const view = this.state?.view ?? {};
    await this.change({ shown: made.id, view: { ...view, versions: { ...view.versions, [keyOf(made)]: made.id } } }, label);
  }

  async renameResult(id: string, name: string): Promise<void> {
    const before = this.results.find((result) => result.id === id)?.name ?? name;
    const step: Step = { do: "rename", result: id, before, after: name };
    await this.attempt(async () => {
      await this.perform(step, "redo");
      this.remember({ label: `name ${name}`, before: {}, after: {}, step });
    });
  }

  /** The server keeps a forgotten result until it closes the project, so that Undo can bring it back. */
  async forgetResult(id: string): Promise<void> {
    await this.attempt(async () => {
      const project = this.project;
      if (!project) return;
      const label = `forgot ${this.results.find((result) => result.id === id)?.name ?? "a result"}`;
      const gone = versionsOf(this.results, id);
      const keys = (["shown", "compared"] as const).filter((key) => gone.some((one) => one.id === project.state[key]));
      const after: Partial<State> = Object.fromEntries(keys.map((key) => [key, null]));
      const before = valuesBefore(project.state, after);
      const step: Step = { do: "forget", result: id };
      if (keys.length) await this.change(after, label, false);
      await this.perform(step, "redo");
      this.remember({ label, before, after, step });
    });
  }

  protected override async perform(step: Step, way: "undo" | "redo"): Promise<void> {
    const path = this.path(`results/${step.result}`);
    if (step.do === "rename") {
      const { name } = await patch<ResultEntry>(path, { name: way === "undo" ? step.before : step.after });
      const named = versionsOf(this.results, step.result).map((one) => one.id);
      this.results = this.results.map((one) => (named.includes(one.id) ? { ...one, name } : one));
    } else if (way === "undo") {
      await post(`${path}/restore`);
      await this.readResults();
    } else {
      await remove(path);
      const gone = versionsOf(this.results, step.result);
      this.results = this.results.filter((result) => !gone.includes(result));
    }
  }
}

export const studio = new Studio();
