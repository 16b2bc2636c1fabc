// What a file is, by the ending of its name.

const PACKED = /\.(gz|zst)$/i;
const KNOWLEDGE = /\.(toml|json|csv|txt|knowledge)$/i;

export const KNOWLEDGE_ENDINGS = ".toml,.json,.csv,.txt,.knowledge";

/** The name without its ending, and the ending in small letters; that of a compressed file is the one before. */
export function splitName(name: string): [string, string] {
  const plain = name.replace(PACKED, "");
  const at = plain.lastIndexOf(".");
  return at > 0 ? [plain.slice(0, at), plain.slice(at).toLowerCase()] : [plain, ""];
}

/** The endings for the browser's dialog, compressed files too. */
export const accepted = (endings: readonly string[], ...packed: string[]): string => (endings.length ? [...endings, ...packed].join(",") : "");

/** What can be said about how a file of data is read: a spreadsheet has sheets, a text has separators. */
export function formOf(name: string): "spreadsheet" | "text" | "binary" {
  const [, ending] = splitName(name);
  if (/^\.xlsx?$/.test(ending)) return "spreadsheet";
  return /^\.(csv|tsv|txt)$/.test(ending) ? "text" : "binary";
}

/** Among `networks`, the endings of network files; on the Knowledge step an ending that fits several kinds is knowledge. */
export function kindOfFile(name: string, networks: readonly string[], knowledge = false): "project" | "network" | "knowledge" | "data" {
  const [, ending] = splitName(name);
  if (ending === ".dwproj") return "project";
  if (knowledge ? KNOWLEDGE.test(name) : /\.(toml|knowledge)$/i.test(name)) return "knowledge";
  return networks.includes(ending) ? "network" : "data";
}
