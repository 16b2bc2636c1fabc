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
