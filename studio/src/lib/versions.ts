// Networks that were edited by hand: the versions of one session of edits are one entry of the results.
import type { ResultEntry, State } from "../api/types";
import { valueOf } from "./records";

interface Version {
  id: string;
  session?: string | null;
}

/** What the versions of an entry have in common: the session, or the only version itself. */
export const keyOf = (one: Version): string => one.session ?? one.id;

export function versionsOf<T extends Version>(results: readonly T[], id: string): T[] {
  const key = keyOf(results.find((one) => one.id === id) ?? { id });
  return results.filter((one) => keyOf(one) === key);
}

/** The networks among the results, of each entry the version on the canvas, else the one last worked on, else the newest. */
export function entriesOf(results: readonly ResultEntry[], state: Pick<State, "shown" | "view"> | null): ResultEntry[] {
  const entries: Record<string, ResultEntry> = {};
  for (const one of results) {
    if (one.kind !== "learned" && one.kind !== "network") continue;
    const key = `entry ${keyOf(one)}`; // a key of digits alone would not keep its place
    const last = valueOf(state?.view.versions ?? {}, keyOf(one));
    if (!entries[key] || one.id === state?.shown || (one.id === last && entries[key].id !== state?.shown)) entries[key] = one;
  }
  return Object.values(entries);
}
