/** The rules a machine can keep: the design's import table and its "Never" list, and the traps of the language. */
import { defineConfig } from "oxlint";
import {
  restrictedImports,
  restrictedImportsOfRandomFiles,
  restrictedImportsOfModels,
  sentences,
} from "./scripts/lint/restricted-imports.ts";

const production = ["packages/*/src/**/*.{ts,tsx}"];
const tests = ["packages/*/src/**/*.test.ts", "packages/*/test/**", "test/**"];
const clockProperties = [
  { object: "Date", property: "now", message: sentences.clock },
  { object: "performance", property: "now", message: sentences.clock },
];
const otherProperties = [
  { object: "process", property: "env", message: sentences.environment },
  { object: "process", property: "hrtime", message: sentences.clock },
];

const untyped = {
  "typescript/no-base-to-string": "off",
  "typescript/no-unsafe-argument": "off",
  "typescript/no-unsafe-assignment": "off",
  "typescript/no-unsafe-call": "off",
  "typescript/no-unsafe-member-access": "off",
  "typescript/no-unsafe-return": "off",
  "typescript/restrict-template-expressions": "off",
} as const;

export default defineConfig({
  plugins: ["eslint", "typescript", "unicorn", "oxc", "import", "promise", "node"],
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: "error" },
  ignorePatterns: ["**/dist/**", "vectors/**"],
  categories: { correctness: "error" },
  rules: {
    eqeqeq: ["error", "always", { null: "ignore" }],
    "import/no-cycle": "error",
    "import/no-default-export": "error",
    "max-lines": ["error", { max: 300 }],
    "max-lines-per-function": ["error", { max: 70 }],
    "max-depth": ["error", { max: 4 }],
    "no-console": "error",
    "no-param-reassign": "error",
    "no-var": "error",
    "no-shadow": "error",
    "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    "prefer-const": "error",
    "preserve-caught-error": "error",
    "promise/no-multiple-resolved": "error",
    "typescript/ban-ts-comment": "error",
    "typescript/consistent-type-imports": "error",
    "typescript/no-explicit-any": "error",
    "typescript/no-floating-promises": [
      "error",
      {
        allowForKnownSafeCalls: [{ from: "package", package: "node:test", name: ["test", "it", "suite", "describe"] }],
      },
    ],
    "typescript/no-misused-promises": "error",
    "typescript/no-non-null-assertion": "error",
    "typescript/no-unnecessary-type-assertion": "error",
    "typescript/no-unsafe-argument": "error",
    "typescript/no-unsafe-assignment": "error",
    "typescript/no-unsafe-call": "error",
    "typescript/no-unsafe-member-access": "error",
    "typescript/no-unsafe-return": "error",
    // A bigint of a brand is a bigint.
    "typescript/no-unsafe-unary-minus": "off",
    "typescript/only-throw-error": "error",
    "typescript/restrict-plus-operands": "error",
    "typescript/return-await": ["error", "in-try-catch"],
    // Our interfaces are records of functions closed over what they need: there is no `this` to lose.
    "typescript/unbound-method": "off",
    "typescript/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
    "unicorn/filename-case": ["error", { case: "kebabCase" }],
    "unicorn/no-abusive-eslint-disable": "error",
    "unicorn/prefer-node-protocol": "error",
  },
  overrides: [
    {
      files: production,
      rules: {
        "import/no-cycle": ["error", { ignoreTypes: false }],
        "no-restricted-properties": ["error", ...clockProperties, ...otherProperties],
      },
    },
    ...restrictedImports(),
    ...restrictedImportsOfRandomFiles(),
    {
      files: tests,
      // A test looks into answers and rows as they came; that they have the shape is what it asserts.
      rules: { "no-restricted-imports": "off", "no-restricted-properties": "off", ...untyped },
    },
    // Plain JavaScript: what runs before anything is installed, in the first file without new syntax, and what is run
    // as those run it who have no TypeScript.
    { files: ["**/*.{cjs,mjs}"], rules: { "no-var": "off", ...untyped } },
    // Scripts read files of our own making.
    { files: ["scripts/**"], rules: untyped },
    restrictedImportsOfModels(),
    {
      files: ["packages/cli/src/**", "packages/*/test/**", "test/**", "scripts/**", "bench/**", "examples/**"],
      rules: { "no-console": "off" },
    },
    {
      files: ["packages/server/src/config/{config,npm-parent}.ts"],
      rules: { "no-restricted-properties": ["error", ...clockProperties] },
    },
    {
      files: ["packages/*/src/clock.ts", "packages/server/src/basics/{clock,ids}.ts"],
      rules: { "no-restricted-properties": "off" },
    },
    { files: ["oxlint.config.ts", "scripts/test/send-events.ts"], rules: { "import/no-default-export": "off" } },
  ],
});
