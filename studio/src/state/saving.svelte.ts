// The state of the open project on its way to the server: changes go one after another, each is merged into what another tab
// or a job saved meanwhile, and each can be taken back.
import { ApiError, get, patch } from "../api/client";
import type { Project, State } from "../api/types";
import { merged, same } from "../lib/merge";
import { Notices } from "./notices.svelte";
import { type Change, slim, type Step, UndoStack, valuesBefore, valuesOf } from "./undo";

/** A change on its way to the server. */
interface Edit {
  base: Partial<State>;
  change: Partial<State>;
  label: string;
  name?: { before: string; after: string };
  /** False for what the page does by itself: nobody wonders what became of it. */
  asked: boolean;
}

/** What new data replace. */
export const DATA_KEYS = ["data", "reading", "columns", "weights", "missing"] as const;
/** What the script depends on. */
export const CODE_KEYS = [...DATA_KEYS, "knowledge", "learn", "evidence", "interventions", "shown"] as const;

/** Where this tab keeps the history of a project over a reload. */
export const historyKey = (id: string): string => `dagwright undo ${id}`;

export abstract class Saving extends Notices {
  project = $state.raw<Project | null>(null);
  saving = $state(0);
  undoable = $state.raw<{ undo: string | null; redo: string | null }>({ undo: null, redo: null });
  protected queue: Promise<void> = Promise.resolve();
  /** The project as the server has it; `project` shows the changes still on their way as well. */
  protected saved: Project | null = null;
  private pending: Edit[] = [];
  /** The newest revision that the server told of. */
  private newest = 0;
  private stack = new UndoStack();

  /** After a change was saved. */
  protected abstract changed(change: Partial<State>): void;
  /** After another tab or a job changed the state; `differs` says whether one of some keys did. */
  protected abstract differed(differs: (keys: readonly (keyof State)[]) => boolean): void;
  /** What the server does besides the change of the state: taken back, or done again. */
  protected abstract perform(step: Step, way: "undo" | "redo"): Promise<void>;
  /** After a change was taken back or done again. */
  protected abstract replayed(change: Partial<State>): Promise<void>;

  get state(): State | null {
    return this.project?.state ?? null;
  }

  /** The address of something in the open project. */
  path(rest: string): string {
    return `/api/projects/${this.project?.id ?? ""}/${rest}`;
  }

  protected opened(project: Project): void {
    this.project = this.saved = project;
    this.stack = UndoStack.from(stored(historyKey(project.id)));
    this.undoable = this.stack.next;
  }

  protected closed(): void {
    this.project = this.saved = null;
    this.setPending([]);
    this.newest = 0;
    this.stack = new UndoStack();
    this.undoable = this.stack.next;
    this.queue = Promise.resolve();
  }

  // --- changes, one after another

  protected inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.queue.then(work);
    this.queue = turn.catch(() => undefined);
    return turn;
  }

  async change(change: Partial<State>, label: string, remembered = true): Promise<void> {
    const project = this.project;
    if (!project) return;
    const base = valuesBefore(project.state, change);
    const entry = remembered ? this.remember({ label, before: base, after: change }) : null;
    const done = await this.save(project.id, { base, change, label, asked: remembered });
    if (!done && entry) this.forgetChange(entry);
  }

  protected remember(change: Change): Change {
    const kept = slim(change);
    this.stack.push(kept);
    this.tellHistory();
    return kept;
  }

  private forgetChange(change: Change): void {
    this.stack.drop(change);
    this.tellHistory();
  }

  private tellHistory(): void {
    this.undoable = this.stack.next;
    if (this.project) store(historyKey(this.project.id), this.stack.kept);
  }

  /** Shows a change at once and sends it in its turn; false if the server refused it. */
  private async save(id: string, edit: Edit): Promise<boolean> {
    this.setPending([...this.pending, edit]);
    this.show();
    try {
      await this.inTurn(() => this.send(id, edit));
    } catch (error) {
      this.tell(error);
      if (this.project?.id === id) this.setPending(this.pending.filter((other) => other !== edit));
      await this.reload();
      return false;
    }
    this.changed(edit.change);
    if (!this.pending.length && this.newest > (this.saved?.revision ?? 0)) await this.reload();
    return true;
  }

  private setPending(pending: Edit[]): void {
    this.pending = pending;
    this.saving = pending.length;
  }

  /** The project as the server has it, with the changes that are still on their way. */
  private show(): void {
    const saved = this.saved;
    if (!saved) return;
    let { state, name } = saved;
    for (const edit of this.pending) {
      state = { ...state, ...merged(edit.base, state, edit.change).change };
      name = edit.name?.after ?? name;
    }
    this.project = { ...saved, name, state };
  }

  private async send(id: string, edit: Edit): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      const saved = this.saved;
      if (saved?.id !== id) return;
      const { change, both } = merged(edit.base, saved.state, edit.change);
      const name = edit.name?.after;
      if (edit.name && saved.name !== edit.name.before && saved.name !== name) both.push("name of the project");
      try {
        const answer = await patch<Project>(`/api/projects/${id}`, { revision: saved.revision, change, label: edit.label, ...(name === undefined ? {} : { name }) });
        this.settle(answer, edit);
        if (both.length && edit.asked) this.notice("info", "Another tab or a job changed the same entry meanwhile. The value of this tab was kept.", both);
        return;
      } catch (error) {
        await this.catchUp(id, error, attempt);
      }
    }
  }

  /** After a refusal because of a newer revision: that revision. Any other error is thrown on. */
  private async catchUp(id: string, error: unknown, attempt: number): Promise<void> {
    if (!(error instanceof ApiError) || error.status !== 409 || attempt >= 4) throw error;
    const latest = (error.body["project"] as Project | undefined) ?? (await get<Project>(`/api/projects/${id}`));
    if (this.project?.id === id) this.accept(latest);
  }

  /** The server's answer to a change. */
  private settle(answer: Project, edit?: Edit): void {
    if (this.saved?.id !== answer.id) return;
    if (answer.revision >= this.saved.revision) this.saved = answer;
    this.setPending(this.pending.filter((other) => other !== edit));
    this.show();
  }

  async rename(name: string): Promise<void> {
    const project = this.project;
    if (!project || !name.trim() || name === project.name) return;
    const label = `renamed to ${name}`;
    const names = { before: project.name, after: name };
    const entry = this.remember({ label, before: {}, after: {}, name: names });
    const done = await this.save(project.id, { base: {}, change: {}, label, name: names, asked: true });
    if (!done) this.forgetChange(entry);
  }

  /** The server says that the project is at this revision. */
  protected told(revision: number): void {
    this.newest = Math.max(this.newest, revision);
    if (revision > (this.saved?.revision ?? 0) && !this.pending.length) void this.reload();
  }

  private async reload(): Promise<void> {
    const id = this.project?.id;
    if (!id) return;
    await this.attempt(async () => {
      const project = await get<Project>(`/api/projects/${id}`);
      if (this.project?.id === id) this.accept(project);
    });
  }

  /** The project as another tab or a job left it; what hangs on it is read again. */
  private accept(project: Project): void {
    const before = this.project?.state;
    if (!before || project.revision < (this.saved?.revision ?? 0)) return;
    this.saved = project;
    this.show();
    const after = this.project?.state ?? project.state;
    this.differed((keys) => keys.some((key) => !same(before[key], after[key])));
  }

  async undo(): Promise<void> {
    const change = this.stack.undo();
    if (change && !(await this.replay(change, "undo"))) this.stack.redo();
    this.tellHistory();
  }

  async redo(): Promise<void> {
    const change = this.stack.redo();
    if (change && !(await this.replay(change, "redo"))) this.stack.undo();
    this.tellHistory();
  }

  /** Takes back, or does again, the entries that a change changed; later changes of others stay. */
  private async replay(change: Change, way: "undo" | "redo"): Promise<boolean> {
    this.undoable = this.stack.next;
    const id = this.project?.id;
    if (!id) return false;
    try {
      if (change.step) await this.perform(change.step, way);
    } catch (error) {
      this.tell(error);
      if (!(error instanceof ApiError) || error.status !== 404) return false;
      this.stack.drop(change); // what it was about is gone for good: changes before it can still be taken back
      return true;
    }
    const [base, to] = way === "undo" ? [change.after, change.before] : [change.before, change.after];
    const name = change.name && (way === "undo" ? { before: change.name.after, after: change.name.before } : change.name);
    const done = await this.save(id, { base, change: to, label: `${way}: ${change.label}`, asked: true, ...(name ? { name } : {}) });
    await this.replayed(to);
    return done;
  }

  /** A change that the server makes from a file, on the newest revision; it can be undone like others. */
  protected async replaced<T>(label: string, keys: readonly (keyof State)[], ask: (revision: number) => Promise<T>, projectOf: (answer: T) => Project): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      const saved = this.saved;
      if (!saved) throw new Error(`No project is open, so there is no place for this: ${label}.`);
      try {
        const answer = await ask(saved.revision);
        const project = projectOf(answer);
        this.remember({ label, before: valuesOf(saved.state, keys), after: valuesOf(project.state, keys) });
        this.settle(project);
        this.changed(valuesOf(project.state, keys));
        return answer;
      } catch (error) {
        await this.catchUp(saved.id, error, attempt);
      }
    }
  }
}

/** A browser may refuse to store anything; then the history ends with the page. */
function stored(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

function store(key: string, text: string): void {
  try {
    sessionStorage.setItem(key, text);
  } catch {
    // see above
  }
}
