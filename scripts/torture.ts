/** `npm run torture -- <what>`: the long runs whose short forms are in the tests; `--help` behind it says what one does. */
import { readFileSync } from "node:fs";
import { printRowAtEnd } from "./torture/last-runs.ts";
import { subjects } from "./torture/subjects.ts";

const [what = ""] = process.argv.splice(2, 1);
if (!Object.keys(subjects).includes(what)) {
  const lines = Object.entries(subjects).map(([name, text]) => `  ${name.padEnd(16)}  ${text}`);
  console.error(`npm run torture -- <what>, and its options (npm run torture -- <what> --help)\n${lines.join("\n")}`);
  process.exitCode = 2;
} else if (process.argv.includes("--help")) console.log(usageOf(what));
else {
  printRowAtEnd(what);
  await import(`./torture/${what}.ts`).catch((error: unknown) => {
    if (!isOptionError(error)) throw error;
    console.error(`${error.message}\n\n${usageOf(what)}`);
    process.exitCode = 2;
  });
}

/** The comment at the head of its file. */
function usageOf(subject: string): string {
  const [comment = ""] =
    /^\/\*\*.*?\*\//s.exec(readFileSync(new URL(`torture/${subject}.ts`, import.meta.url), "utf8")) ?? [];
  return comment
    .replaceAll(/^(\/\*\*| \*\/?) ?/gm, "")
    .replace(/\*\/$/, "")
    .trim();
}

function isOptionError(error: unknown): error is Error {
  return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}
