// What a person changed, so that each change can be taken back and done again.
import type { Positions, State } from "../api/types";
import { same } from "../lib/merge";

/** What the server does besides a change of the state: a result gets another name, or goes until it is brought back. */
export type Step = { do: "rename"; result: string; before: string; after: string } | { do: "forget"; result: string };

export interface Change {
  label: string;
  before: Partial<State>;
  after: Partial<State>;
  /** The name of the project, where the change is one of the name. */
  name?: { before: string; after: string };
  step?: Step;
}

const MOST = 200;
/** Characters of the history that a tab keeps over a reload. */
const MOST_KEPT = 1_000_000;

export class UndoStack {
  private done: Change[] = [];
  private undone: Change[] = [];
  private readonly texts = new WeakMap<Change, string>();

  /** The history that a tab kept; an empty one where there is none that can be read. */
  static from(kept: string | null): UndoStack {
    const stack = new UndoStack();
    try {
      const { done, undone } = JSON.parse(kept ?? "{}") as { done?: Change[]; undone?: Change[] };
      stack.done = (done ?? []).slice(-MOST);
      stack.undone = undone ?? [];
    } catch {
      // begins anew
    }
    return stack;
  }

  /** The history as text, without its oldest changes where they would make it too long. */
  get kept(): string {
    let left = MOST_KEPT;
    const fitting = (changes: readonly Change[]): string => {
      const parts: string[] = [];
      for (const change of changes.toReversed()) {
        const text = this.textOf(change);
        left -= text.length;
        if (left < 0) break;
        parts.unshift(text);
      }
      return `[${parts.join(",")}]`;
    };
    const done = fitting(this.done);
    return `{"done":${done},"undone":${fitting(this.undone)}}`;
  }

  /** Changes do not change: each is written once. */
  private textOf(change: Change): string {
    const known = this.texts.get(change) ?? JSON.stringify(change);
    this.texts.set(change, known);
    return known;
  }

  push(change: Change): void {
    this.done = [...this.done.slice(1 - MOST), change];
    this.undone = [];
  }

  /** Takes out a change that failed. */
  drop(change: Change): void {
    this.done = this.done.filter((other) => other !== change);
    this.undone = this.undone.filter((other) => other !== change);
  }

  undo(): Change | undefined {
    const change = this.done.pop();
    if (change) this.undone.push(change);
    return change;
  }

  redo(): Change | undefined {
    const change = this.undone.pop();
    if (change) this.done.push(change);
    return change;
  }

  get next(): { undo: string | null; redo: string | null } {
    return { undo: this.done.at(-1)?.label ?? null, redo: this.undone.at(-1)?.label ?? null };
  }
}

/** A change with the places of those nodes only that it moves. */
export function slim(change: Change): Change {
  const [before, after] = [change.before.positions, change.after.positions];
  if (!before || !after) return change;
  const moved = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => !same(before[name], after[name]));
  const only = (places: Positions): Positions => Object.fromEntries(moved.flatMap((name) => (places[name] ? [[name, places[name]] as const] : [])));
  return { ...change, before: { ...change.before, positions: only(before) }, after: { ...change.after, positions: only(after) } };
}

/** The values of the keys of a change as they are in a state. */
export function valuesBefore(state: State, change: Partial<State>): Partial<State> {
  return valuesOf(state, Object.keys(change) as (keyof State)[]);
}

export function valuesOf(state: State, keys: readonly (keyof State)[]): Partial<State> {
  return Object.fromEntries(keys.map((key) => [key, state[key]])) as Partial<State>;
}
