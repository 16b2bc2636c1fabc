import svelte from "eslint-plugin-svelte";
import ts from "typescript-eslint";

export default ts.config(
  { ignores: ["node_modules/**"] },
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: [".svelte"] } },
  },
  {
    rules: {
      "no-eval": "error",
      "no-implied-eval": "error",
      "svelte/no-at-html-tags": "error", // names from the data are text, never markup
      "no-restricted-imports": ["error", { paths: [{ name: "@xyflow/svelte", message: "import it from canvas/flow.ts" }] }],
      "max-lines": ["error", 450],
      eqeqeq: "error",
      "svelte/no-useless-mustaches": "off", // {" "} is a space that the compiler keeps
    },
  },
  { files: ["src/canvas/flow.ts"], rules: { "no-restricted-imports": "off" } },
);
