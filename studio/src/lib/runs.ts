// Runs beside results, newest first: what failed before the newest result stands below it.
import type { Job } from "../api/types";

const OPEN: readonly string[] = ["queued", "running", "stopping"];

export const isOpen = (job: Job): boolean => OPEN.includes(job.state);

/** Runs that have not ended well: above a result those that are open or came after it, below it the others. */
export function besideResults(jobs: readonly Job[], newest: string | null): { above: Job[]; below: Job[] } {
  const told = jobs.filter((job) => job.state !== "done");
  const after = (job: Job): boolean => isOpen(job) || newest === null || (job.ended ?? job.created) > newest;
  return { above: told.filter(after), below: told.filter((job) => !after(job)) };
}
