// The open project: its state, its jobs and results, kept equal to the server's.
import { untrack } from "svelte";
import { ApiError, get, patch, post, query, remove, upload } from "../api/client";
import type {
  About, Code, DataReport, Formats, Job, JobKind, KnowledgeCheck, LiveNetwork, Method, Opened, Project, ProjectEntry, Result, ResultEntry, Samples, State,
  StepName,
} from "../api/types";
import { without } from "../lib/records";
import { UndoStack, valuesBefore } from "./undo";

export interface Notice {
  id: number;
  kind: "error" | "info";
  text: string;
  detail: string[];
}

export class Studio {
  about = $state.raw<About | null>(null);
  samples = $state.raw<Samples>({ samples: [], networks: [] });
  methods = $state.raw<Method[]>([]);
  formats = $state.raw<Formats | null>(null);
  projects = $state.raw<ProjectEntry[]>([]);
  project = $state.raw<Project | null>(null);
  report = $state.raw<DataReport | null>(null);
  check = $state.raw<KnowledgeCheck | null>(null);
  jobs = $state.raw<Job[]>([]);
  /** The best network so far of each job that runs, by the job. */
  networks = $state.raw<Record<string, LiveNetwork>>({});
  results = $state.raw<ResultEntry[]>([]);
  code = $state.raw<Code | null>(null);
  notices = $state.raw<Notice[]>([]);
  step = $state<StepName>("data");
  busy = $state(0);
  saving = $state(0);
  ready = $state(false);
  undoable = $state.raw<{ undo: string | null; redo: string | null }>({ undo: null, redo: null });

  private stack = new UndoStack();
  private queue: Promise<void> = Promise.resolve();
  private events: EventSource | null = null;
  private notices_made = 0;
  private ready_to_show: Result | null = null;
  private reportWanted = 0;
  private codeTimer: ReturnType<typeof setTimeout> | undefined;

  get state(): State | null {
    return this.project?.state ?? null;
  }

  /** The address of something in the open project. */
  path(rest: string): string {
    return `/api/projects/${this.project?.id ?? ""}/${rest}`;
  }

  running = $derived(this.jobs.filter((job) => ["queued", "running", "stopping"].includes(job.state)));

  methodsOf(kind: string): Method[] {
    return this.methods.filter((method) => method.kind === kind);
  }

  // --- words for the person

  tell(error: unknown): void {
    if (error instanceof DOMException && error.name === "AbortError") return;
    const problem = error instanceof ApiError ? error.problem : null;
    const detail = [
      ...(problem?.conflicts ?? []).map((conflict) => conflict.summary),
      ...(problem?.evidence ? [Object.entries(problem.evidence).map(([a, b]) => `${a} = ${b}`).join(", ")] : []),
    ];
    const text = error instanceof Error ? error.message : String(error);
    const more = problem?.options?.length && !text.includes(problem.options[0] ?? "") ? [`Possible: ${problem.options.slice(0, 8).join(", ")}`] : [];
    this.notice("error", text, [...detail, ...more]);
  }

  notice(kind: Notice["kind"], text: string, detail: string[] = []): void {
    const id = ++this.notices_made;
    this.notices = [...this.notices.filter((other) => other.text !== text).slice(-3), { id, kind, text, detail }];
    if (kind === "info") setTimeout(() => this.dismiss(id), 6000);
  }

  dismiss(id: number): void {
    this.notices = this.notices.filter((notice) => notice.id !== id);
  }

  /** Runs work that may fail; a failure becomes a notice. */
  attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    return untrack(() => this.attempted(work)); // an effect that starts work does not depend on what the work reads
  }

  private async attempted<T>(work: () => Promise<T>): Promise<T | undefined> {
    this.busy++;
    try {
      return await work();
    } catch (error) {
      this.tell(error);
      return undefined;
    } finally {
      this.busy--;
    }
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
    this.leave();
    this.results = results ?? [];
    this.project = project;
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
    this.project = null;
    this.report = null;
    this.check = null;
    this.jobs = [];
    this.networks = {};
    this.results = [];
    this.code = null;
    this.stack = new UndoStack();
    this.undoable = this.stack.next;
    this.queue = Promise.resolve();
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
    await this.attempt(async () => this.enter(await post<Project>("/api/projects", body), step));
  }

  async openFile(file: File): Promise<void> {
    await this.attempt(async () => {
      if (file.name.endsWith(".dwproj")) {
        await this.enter(await upload<Project>(query("/api/projects/open", { name: file.name }), file));
        return;
      }
      if (!this.project) await this.enter(await post<Project>("/api/projects", { name: file.name.replace(/\.[^.]+$/, "") }), "data");
      await this.uploadData(file);
    });
  }

  async openNetworkFile(file: File): Promise<void> {
    await this.attempt(async () => {
      if (!this.project) await this.enter(await post<Project>("/api/projects", { name: file.name.replace(/\.[^.]+$/, "") }), "look");
      const made = await upload<{ id: string }>(query(this.path("networks/import"), { name: file.name }), file);
      await this.change({ shown: made.id }, `opened ${file.name}`);
      this.go("look");
    });
  }

  async forget(id: string): Promise<void> {
    await this.attempt(async () => {
      await remove(`/api/projects/${id}`);
      this.projects = this.projects.filter((project) => project.id !== id);
    });
  }

  // --- data

  async uploadData(file: File): Promise<void> {
    await this.inTurn(async () => {
      const address = query(this.path("data"), { name: file.name, revision: this.project?.revision });
      this.took(await upload<{ project: Project; report: DataReport }>(address, file));
    });
    await this.checkKnowledge();
  }

  async useSample(sample: string): Promise<void> {
    await this.attempt(async () => {
      await this.inTurn(async () =>
        this.took(await post(this.path("data/sample"), { revision: this.project?.revision, sample })),
      );
      await this.checkKnowledge();
    });
  }

  private took(answer: { project: Project; report: DataReport }): void {
    this.project = answer.project;
    this.report = answer.report;
    this.readCode();
  }

  async readReport(): Promise<void> {
    if (!this.state?.data) {
      this.report = null;
      return;
    }
    const mine = ++this.reportWanted;
    await this.attempt(async () => {
      const report = await get<DataReport>(this.path("data/report"));
      if (mine === this.reportWanted) this.report = report;
    });
  }

  // --- changes, one after another; what another tab changed meanwhile is kept

  private inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.queue.then(work);
    this.queue = turn.catch(() => undefined);
    return turn;
  }

  async change(change: Partial<State>, label: string, remembered = true): Promise<void> {
    const project = this.project;
    if (!project) return;
    if (remembered) {
      this.stack.push({ label, before: valuesBefore(project.state, change), after: change });
      this.undoable = this.stack.next;
    }
    this.project = { ...project, state: { ...project.state, ...change } };
    this.saving++;
    try {
      await this.inTurn(() => this.send(project.id, { change, label }));
    } catch (error) {
      this.tell(error);
      await this.reload();
    } finally {
      this.saving--;
    }
    if (this.codeKeys.some((key) => key in change)) this.readCode();
  }

  private readonly codeKeys: (keyof State)[] = ["data", "reading", "columns", "weights", "missing", "knowledge", "learn", "evidence", "interventions", "shown"];

  private async send(id: string, edit: { change: Partial<State>; label?: string; name?: string }): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      if (this.project?.id !== id) return;
      try {
        const revision = this.project.revision;
        const saved = await patch<Project>(`/api/projects/${id}`, { revision, ...edit });
        this.settle(saved);
        return;
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 409 || attempt >= 4) throw error;
        const newer = error.body["project"] as Project | undefined;
        const latest = newer ?? (await get<Project>(`/api/projects/${id}`));
        if (this.project) this.accept({ ...latest, state: { ...latest.state, ...edit.change } });
      }
    }
  }

  /** The server's answer; keys with changes still under way keep what the person sees. */
  private settle(saved: Project): void {
    if (this.project?.id !== saved.id) return;
    this.project = this.saving > 1 ? { ...saved, state: { ...saved.state, ...this.project.state } } : saved;
  }

  async rename(name: string): Promise<void> {
    const project = this.project;
    if (!project || !name.trim() || name === project.name) return;
    await this.attempt(() => this.inTurn(() => this.send(project.id, { change: {}, name })));
  }

  private async reload(): Promise<void> {
    const id = this.project?.id;
    if (!id) return;
    await this.attempt(async () => {
      const project = await get<Project>(`/api/projects/${id}`);
      if (this.project?.id === id && this.saving === 0) this.accept(project);
    });
  }

  /** The project as another tab or a job left it; what hangs on it is read again. */
  private accept(project: Project): void {
    const before = this.project?.state;
    this.project = project;
    if (!before) return;
    const differs = (keys: (keyof State)[]): boolean => keys.some((key) => JSON.stringify(before[key]) !== JSON.stringify(project.state[key]));
    if (differs(["data", "reading", "columns", "weights", "missing"])) void this.readReport();
    if (differs(["data", "columns", "knowledge"])) void this.checkKnowledge();
    if (differs(this.codeKeys)) this.readCode();
  }

  async undo(): Promise<void> {
    const change = this.stack.undo();
    if (change) await this.replay(change.before, `undo: ${change.label}`);
  }

  async redo(): Promise<void> {
    const change = this.stack.redo();
    if (change) await this.replay(change.after, `redo: ${change.label}`);
  }

  private async replay(values: Partial<State>, label: string): Promise<void> {
    this.undoable = this.stack.next;
    await this.change(values, label, false);
    if (["columns", "reading", "weights", "missing", "data"].some((key) => key in values)) await this.readReport();
    if ("knowledge" in values || "columns" in values) await this.checkKnowledge();
  }

  go(step: StepName): void {
    if (this.step !== step) window.scrollTo(0, 0);
    this.step = step;
    const view = this.state?.view;
    if (view && view.step !== step) void this.change({ view: { ...view, step } }, "step", false);
  }

  // --- data-dependent views

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
      if (error instanceof ApiError && error.problem.conflicts)
        this.check = { ok: false, conflicts: error.problem.conflicts, text: "", implied: null };
      else if (error instanceof ApiError && error.status === 422)
        this.check = { ok: false, conflicts: [{ summary: error.message, statements: [] }], text: "", implied: null };
      else this.tell(error);
    }
  }

  readCode(): void {
    clearTimeout(this.codeTimer);
    this.codeTimer = setTimeout(() => {
      const id = this.project?.id;
      if (!id) return;
      get<Code>(this.path("code"))
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
      if (revision > (this.project?.revision ?? 0) && this.saving === 0) void this.reload();
    });
    read<ResultEntry>("result", (entry) => {
      this.results = [entry, ...this.results.filter((other) => other.id !== entry.id)];
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

  async jobAction(job: Job, action: "stop" | "kill" | "rerun"): Promise<void> {
    await this.attempt(async () => this.take(await post<Job>(this.path(`jobs/${job.id}/${action}`))));
  }

  async forgetJob(job: Job): Promise<void> {
    await this.attempt(async () => {
      await remove(this.path(`jobs/${job.id}`));
      this.jobs = this.jobs.filter((other) => other.id !== job.id);
    });
  }

  async forgetResult(id: string): Promise<void> {
    await this.attempt(async () => {
      const clear: Partial<State> = {};
      if (this.state?.shown === id) clear.shown = null;
      if (this.state?.compared === id) clear.compared = null;
      if (Object.keys(clear).length) await this.change(clear, "forgot a result", false);
      await remove(this.path(`results/${id}`));
      this.results = this.results.filter((result) => result.id !== id);
    });
  }
}

export const studio = new Studio();
