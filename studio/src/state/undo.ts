// What a person changed, so that each change can be taken back and done again.
import type { State } from "../api/types";

export interface Change {
  label: string;
  before: Partial<State>;
  after: Partial<State>;
  /** The name of the project, where the change is one of the name. */
  name?: { before: string; after: string };
  /** What else the server must do first, where the change is not in the state alone. */
  steps?: { undo: () => Promise<void>; redo: () => Promise<void> };
}

const MOST = 200;

export class UndoStack {
  private done: Change[] = [];
  private undone: Change[] = [];

  push(change: Change): void {
    this.done = [...this.done.slice(1 - MOST), change];
    this.undone = [];
  }

  /** Takes out a change that failed. */
  drop(change: Change): void {
    this.done = this.done.filter((other) => other !== change);
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

/** The values of the keys of a change as they are in a state. */
export function valuesBefore(state: State, change: Partial<State>): Partial<State> {
  return valuesOf(state, Object.keys(change) as (keyof State)[]);
}

export function valuesOf(state: State, keys: readonly (keyof State)[]): Partial<State> {
  return Object.fromEntries(keys.map((key) => [key, state[key]])) as Partial<State>;
}
