// Numbers and times as people read them.

const INTEGER = new Intl.NumberFormat("en-US");

export const count = (value: number): string => INTEGER.format(Math.round(value));

export const plural = (value: number, one: string, many = `${one}s`): string => `${count(value)} ${value === 1 ? one : many}`;

export function percent(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const hundred = value * 100;
  if (hundred > 0 && hundred < 0.1) return "<0.1 %";
  if (hundred < 100 && hundred > 99.9) return ">99.9 %";
  return `${hundred.toFixed(1)} %`;
}

export function short(value: number | null | undefined, digits = 3): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return value.toExponential(Math.max(0, digits - 1));
  if (size >= 1000) return INTEGER.format(Number(value.toFixed(1)));
  return String(Number(value.toPrecision(Math.max(digits, 3))));
}

export const score = (value: number | null | undefined): string =>
  value === null || value === undefined
    ? "–"
    : (Math.abs(value) < 0.005 ? 0 : value).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

export function bytes(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  if (value < 1000) return `${value} bytes`;
  const units = ["kB", "MB", "GB", "TB"];
  let rest = value;
  let unit = "";
  for (const next of units) {
    rest /= 1000;
    unit = next;
    if (rest < 1000) break;
  }
  return `${rest < 10 ? rest.toFixed(1) : Math.round(rest)} ${unit}`;
}

export function seconds(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  if (value < 0.01) return "under 0.01 s";
  if (value < 10) return `${value.toFixed(value < 1 ? 2 : 1)} s`;
  if (value < 120) return `${Math.round(value)} s`;
  if (value < 7200) return `${Math.round(value / 60)} min`;
  return `${(value / 3600).toFixed(1)} h`;
}

export function ago(iso: string, now = Date.now()): string {
  const passed = Math.max(0, (now - Date.parse(iso)) / 1000);
  if (passed < 60) return "just now";
  if (passed < 3600) return plural(Math.floor(passed / 60), "minute") + " ago";
  if (passed < 86400) return plural(Math.floor(passed / 3600), "hour") + " ago";
  return plural(Math.floor(passed / 86400), "day") + " ago";
}
