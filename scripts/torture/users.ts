/**
 * `npm run torture -- users`: what each kind of user does, run as that user does it, and a table of what came of it.
 * `npm run torture -- users --only=minimal,versions` runs the rows whose names contain one of these texts.
 */
import { createWriteStream, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fail } from "./command-line.ts";
import { runRow, type RowEnd } from "./users/run-row.ts";
import { rows } from "./users/rows.ts";

// The running parts are ended with us.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(2));
const { values } = parseArgs({ options: { only: { type: "string", default: "" } } });
const wanted = values.only.split(",");
const chosen = rows.filter(({ name }) => wanted.some((text) => name.includes(text)));
if (chosen.length === 0) fail(`No row is called ${values.only}: there are ${rows.map(({ name }) => name).join(", ")}`);

const logs = mkdtempSync(join(tmpdir(), "titian-users-"));
console.log(`What each run prints is kept in ${logs}`);
const ends: RowEnd[] = [];
for (const [index, row] of chosen.entries()) {
  const log = createWriteStream(join(logs, `${row.name}.log`));
  console.log(`\n[${index + 1}/${chosen.length}] ${row.name}: ${row.user}`);
  ends.push(await runRow(row, log));
  log.end();
}

const widths = [Math.max(...chosen.map(({ name }) => name.length)), Math.max(...chosen.map(({ user }) => user.length))];
console.log("");
for (const [index, { name, user }] of chosen.entries()) {
  const { failure, tookMs } = ends[index] ?? { tookMs: 0, failure: "did not run" };
  const cells = [failure === undefined ? "ok    " : "FAILED", name.padEnd(widths[0] ?? 0), user.padEnd(widths[1] ?? 0)];
  console.log(
    `${cells.join("  ")}  ${String(Math.round(tookMs / 1_000)).padStart(5)} s${failure ? `  ${failure}` : ""}`,
  );
}
const failed = ends.filter(({ failure }) => failure !== undefined).length;
console.log(
  `${ends.length - failed} of ${chosen.length} kinds of users were served${failed > 0 ? `, ${failed} were not` : ""}`,
);
if (failed > 0) process.exitCode = 1;
