// What the chains of a posterior tell about themselves, in words.
import { count, percent, short } from "./format";

const NAMES: Record<string, string> = {
  rhat_arcs: "R-hat of the edges, largest",
  rhat_log_weight: "R-hat of the log score",
  effective_samples: "effective samples",
  effective_samples_log_weight: "effective samples of the log score",
  acceptance: "accepted proposals",
  chains: "chains",
  samples: "samples per chain",
  thin: "moves between samples",
  burn_in: "burn-in, visits per chain",
  candidate_parents: "candidate parents of a variable",
};

function valueText(name: string, value: unknown): string {
  if (typeof value !== "number") return String(value);
  if (name === "acceptance") return percent(value);
  return name.startsWith("rhat") ? value.toFixed(3) : Number.isInteger(value) || value > 100 ? count(value) : short(value);
}

/** Name and value of each diagnostic; the best known ones first. */
export function diagnosticsOf(values: Record<string, unknown>): [string, string][] {
  const order = Object.keys(NAMES);
  const place = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return Object.entries(values)
    .filter(([, value]) => value !== null && value !== undefined)
    .sort(([a], [b]) => place(a) - place(b))
    .map(([name, value]) => [NAMES[name] ?? name.replaceAll("_", " "), valueText(name, value)]);
}
