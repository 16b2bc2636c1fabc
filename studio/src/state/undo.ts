// What a person changed, so that each change can be taken back and done again.
import type { State } from "../api/types";

export interface Change {
  label: string;
  before: Partial<State>;
  after: Partial<State>;
}

const MOST = 200;

export class UndoStack {
  private done: Change[] = [];
  private undone: Change[] = [];

  push(change: Change): void {
    this.done = [...this.done.slice(1 - MOST), change];
    this.undone = [];
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
  return Object.fromEntries(Object.keys(change).map((key) => [key, state[key as keyof State]])) as Partial<State>;
}
