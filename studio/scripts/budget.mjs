// States the size of the built page and fails above the budget.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const BUDGET = 200_000;
const folder = join(process.env.DAGWRIGHT_PAGE ?? "../src/dagwright/studio/page", "assets");
const sizes = { js: 0, css: 0 };
for (const name of readdirSync(folder)) {
  const kind = name.endsWith(".js") ? "js" : name.endsWith(".css") ? "css" : null;
  if (kind) sizes[kind] += gzipSync(readFileSync(join(folder, name)), { level: 9 }).length;
}
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
console.log(`script ${kilobytes(sizes.js)} gzipped of ${kilobytes(BUDGET)} allowed, style ${kilobytes(sizes.css)}`);
if (sizes.js > BUDGET) {
  console.error("the script is larger than the budget allows");
  process.exit(1);
}
