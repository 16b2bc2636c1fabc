// Short messages for the person, and the count of what is under way.
import { untrack } from "svelte";
import { ApiError } from "../api/client";

export interface Notice {
  id: number;
  kind: "error" | "info";
  text: string;
  detail: string[];
}

export class Notices {
  notices = $state.raw<Notice[]>([]);
  busy = $state(0);
  private made = 0;

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
    const id = ++this.made;
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
}
