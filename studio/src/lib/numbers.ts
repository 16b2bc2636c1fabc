// Numbers of the data as people read and type them; dates are days, times are seconds since 1970.
import { plural, short } from "./format";

export type Scale = "number" | "date" | "datetime";

const STEP: Record<Scale, number> = { number: 0, date: 86_400_000, datetime: 1000 };

export function numberText(value: number, scale: Scale, digits = 4): string {
  if (scale === "number") return short(value, digits);
  const when = new Date(value * STEP[scale]);
  if (Number.isNaN(when.getTime())) return short(value, digits);
  const text = when.toISOString();
  return scale === "date" ? text.slice(0, 10) : text.slice(0, 19).replace("T", " ");
}

export function spreadText(value: number, scale: Scale): string {
  if (scale === "number") return short(value);
  const days = scale === "date" ? value : value / 86_400;
  return days >= 10 ? plural(Math.round(days), "day") : `${short(days)} days`;
}

/** The number that a text stands for; null for anything else. */
export function typedNumber(text: string, scale: Scale): number | null {
  const plain = text.trim().replace(",", ".");
  if (plain === "") return null;
  const value = Number(plain);
  if (Number.isFinite(value)) return value;
  if (scale === "number") return null;
  const when = Date.parse(plain.includes("T") || plain.length <= 10 ? plain : `${plain.replace(" ", "T")}Z`);
  return Number.isFinite(when) ? when / STEP[scale] : null;
}

/** A number as a field shows it: every digit that counts, and nothing between thousands. */
export const fieldText = (value: number, scale: Scale): string => (scale === "number" ? String(Number(value.toPrecision(12))) : numberText(value, scale));

/** Numbers with commas or semicolons between; null where a part is none. Dates may have spaces before the time. */
export function typedNumbers(text: string, scale: Scale): number[] | null {
  const parts = text.split(scale === "number" ? /[\s,;]+/ : /[,;]+/).filter((part) => part.trim() !== "");
  const values = parts.map((part) => typedNumber(part, scale));
  return values.some((value) => value === null) ? null : [...new Set(values as number[])].sort((a, b) => a - b);
}

/** A number between two others, to a thousandth of the way or better; dates and times are whole days and seconds. */
export function rounded(value: number, low: number, high: number, scale: Scale): number {
  const step = 10 ** Math.floor(Math.log10((high - low) / 1000 || 1));
  if (scale !== "number" && step < 1) return Math.round(value);
  return step < 1 ? Number(value.toFixed(Math.min(100, Math.round(-Math.log10(step))))) : Math.round(value / step) * step;
}
