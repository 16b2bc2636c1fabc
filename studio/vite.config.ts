import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// One script and one style sheet, named by their content. The build does not depend on the machine, so that the
// committed page can be compared with a fresh one. DAGWRIGHT_PAGE names another folder to build into.
export default defineConfig({
  plugins: [svelte()],
  base: "/",
  build: {
    outDir: process.env["DAGWRIGHT_PAGE"] ?? "../src/dagwright/studio/page",
    emptyOutDir: true,
    target: "es2022",
    cssCodeSplit: false,
    modulePreload: false,
    sourcemap: false,
    assetsInlineLimit: 0,
    rollupOptions: { output: { codeSplitting: false } },
  },
  resolve: process.env["VITEST"] ? { conditions: ["browser"] } : {},
  test: { environment: "happy-dom", include: ["tests/**/*.test.ts"], restoreMocks: true, css: false },
});
