// Methods as text in Python notation, and the values of a form made from their options.
import type { Method, MethodOption } from "../api/types";

export type Values = Record<string, string>;

/** "HillClimb(max_parents=3, start='x')" -> its name and the text of each argument. */
export function parsed(text: string): { name: string; values: Values } {
  const open = text.indexOf("(");
  if (open < 0) return { name: text.trim(), values: {} };
  const values: Values = {};
  for (const part of split(text.slice(open + 1, text.lastIndexOf(")")))) {
    const equals = part.indexOf("=");
    if (equals > 0) values[part.slice(0, equals).trim()] = part.slice(equals + 1).trim();
  }
  return { name: text.slice(0, open).trim(), values };
}

/** Parts between commas that stand in no bracket and no quotes. */
function split(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quote = "";
  let part = "";
  for (let i = 0; i < text.length; i++) {
    const sign = text.charAt(i);
    if (quote) {
      if (sign === "\\") part += text.charAt(i++);
      else if (sign === quote) quote = "";
    } else if (sign === "'" || sign === '"') quote = sign;
    else if ("([{".includes(sign)) depth++;
    else if (")]}".includes(sign)) depth--;
    else if (sign === "," && depth === 0) {
      parts.push(part);
      part = "";
      continue;
    }
    part += text.charAt(i);
  }
  if (part.trim()) parts.push(part);
  return parts;
}

export const literal = (text: string): string => `'${text.replace(/\\/g, "\\\\").replace(/'/g, "\\'").replace(/\n/g, "\\n")}'`;

export function unquoted(text: string): string {
  const first = text.charAt(0);
  if ((first === "'" || first === '"') && text.endsWith(first) && text.length > 1)
    return text.slice(1, -1).replace(/\\n/g, "\n").replace(/\\(.)/g, "$1");
  return text;
}

export function pythonOf(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (typeof value === "string") return literal(value);
  if (Array.isArray(value)) return `[${value.map(pythonOf).join(", ")}]`;
  return String(value);
}

export const defaultText = (option: MethodOption): string =>
  option.type === "method" || option.type === "other"
    ? typeof option.default === "string"
      ? option.default
      : pythonOf(option.default)
    : pythonOf(option.default);

/** The method with the values that differ from their defaults. */
export function methodText(method: Method, values: Values): string {
  const set = method.options.flatMap((option) => {
    const value = values[option.name];
    return value === undefined || value === "" || value === defaultText(option) ? [] : [`${option.name}=${value}`];
  });
  return `${method.name}(${set.join(", ")})`;
}
