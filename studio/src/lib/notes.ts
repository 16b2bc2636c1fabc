// The notes of a result as lines of text.
import { count, short } from "./format";

const MOST = 40;

function text(value: unknown): string {
  if (typeof value === "number") return Number.isInteger(value) ? count(value) : short(value, 6);
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" ? value : value === null || value === undefined ? "" : JSON.stringify(value);
}

/** A list has a line for each entry, an object a line for each field; long ones end with how many follow. */
export function noteLines(value: unknown): string[] {
  const all = Array.isArray(value)
    ? value.map(text)
    : typeof value === "object" && value !== null
      ? Object.entries(value).map(([name, inner]) => `${name}: ${text(inner)}`)
      : [text(value)];
  const lines = all.filter(Boolean);
  return lines.length > MOST ? [...lines.slice(0, MOST), `and ${count(lines.length - MOST)} more`] : lines;
}
