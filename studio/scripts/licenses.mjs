// Writes the licenses of the packages whose code is in the built page beside it.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const STARTS = ["svelte", "@xyflow/svelte"];
const BUILD_ONLY = new Set(["acorn", "magic-string", "zimmerframe", "locate-character", "is-reference", "axobject-query", "aria-query", "esrap", "@jridgewell/remapping", "@jridgewell/sourcemap-codec", "@sveltejs/acorn-typescript", "@types/estree", "@types/trusted-types", "devalue"]);
const seen = new Map();
const visit = (name) => {
  const folder = join("node_modules", name);
  if (seen.has(name) || BUILD_ONLY.has(name) || name.startsWith("@types/") || !existsSync(folder)) return;
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  seen.set(name, `${name} ${about.version} (${about.license})\n\n${file ? readFileSync(join(folder, file), "utf8").trim() : ""}\n`);
  for (const next of Object.keys(about.dependencies ?? {}).sort()) visit(next);
};
STARTS.forEach(visit);
const text = [...seen.keys()].sort().map((name) => seen.get(name)).join(`\n${"-".repeat(80)}\n\n`);
writeFileSync(join(process.env.DAGWRIGHT_PAGE ?? "../src/dagwright/studio/page", "licenses.txt"), text);
