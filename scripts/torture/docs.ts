/**
 * `npm run torture -- docs`: every shell block of the documents, pasted twice into each shell, against a fresh sandbox of each,
 * and with busybox's tools in place of GNU's; then the console's programs, every language with every operation.
 * `--shells=zsh,dash+busybox --only=payroll --languages=php,go --minutes=90`; `--languages=none` leaves the programs out.
 */
import { parseArgs } from "node:util";
import type { CodeLanguage } from "../../packages/sandbox/src/types.ts";
import { journeys } from "../../test/shells/journeys.ts";
import { type MatrixRow, pastePrograms, runPrograms } from "../../test/shells/program-matrix.ts";
import { requirePrograms } from "../../test/shells/programs.ts";
import { differences, type JourneyRun, runJourney } from "../../test/shells/run-journey.ts";
import { type ShellName, shellNames } from "../../test/shells/terminal.ts";
import { startWorld } from "../../test/shells/world.ts";
import { fail, readCount } from "./command-line.ts";

const allLanguages: readonly CodeLanguage[] = ["curl", "sdk", "php", "go", "java", "python"];
const variants = [...shellNames, "bash+busybox", "zsh+busybox", "dash+busybox"];

const { values } = parseArgs({
  options: {
    shells: { type: "string", default: variants.join() },
    only: { type: "string", default: "" },
    languages: { type: "string", default: allLanguages.join() },
    minutes: { type: "string", default: "90" },
  },
});
const minutes = readCount("minutes", values.minutes);
const shells = values.shells.split(",");
for (const name of shells) if (!variants.includes(name)) fail(`--shells is one or more of ${variants.join()}`);
const chosen = journeys.filter(({ name }) => name.includes(values.only));
if (chosen.length === 0) fail(`--only is a part of one of: ${journeys.map(({ name }) => name).join("; ")}`);
const languages = allLanguages.filter((language) => values.languages.split(",").includes(language));
requirePrograms(["bash", "zsh", "dash", "busybox", "script", "setpriv", "curl", "openssl"]);

interface Row extends MatrixRow {
  readonly seconds: number;
}

const rows: Row[] = [];
const startedAt = performance.now();

/** Measures, prints a line of progress, and keeps it for the table; an error is a fault like others. */
async function add(name: string, work: () => Promise<MatrixRow>): Promise<void> {
  const from = performance.now();
  const done = await work().catch((error: unknown) => ({ name, programs: 0, faults: [String(error)] }));
  const row = { ...done, seconds: (performance.now() - from) / 1_000 };
  rows.push(row);
  console.log(`${row.faults.length === 0 ? "ok    " : "FAULT "} ${row.name} (${row.seconds.toFixed(1)} s)`);
  for (const fault of row.faults) console.log(`  ${fault}`);
}

function end(): never {
  console.log(`\n${"".padEnd(58)}  pasted or run  faults  seconds`);
  for (const { name, programs, faults, seconds } of rows) {
    const figures = [String(programs).padStart(13), String(faults.length).padStart(6), seconds.toFixed(1).padStart(7)];
    console.log(`${name.padEnd(58)}  ${figures.join("  ")}`);
  }
  const faults = rows.reduce((sum, row) => sum + row.faults.length, 0);
  const took = ((performance.now() - startedAt) / 60_000).toFixed(1);
  console.log(faults === 0 ? `docs: all as shown, in ${took} minutes` : `docs: ${faults} faults`);
  process.exit(faults === 0 ? 0 : 1);
}

setTimeout(() => {
  rows.push({ name: `ended after ${minutes} minutes`, programs: 0, faults: ["--minutes"], seconds: minutes * 60 });
  end();
}, minutes * 60_000).unref();

/** The runs of the first shell, by journey: the others are compared with them. */
const first = new Map<string, JourneyRun>();

for (const variant of shells) {
  const [shell, tools] = variant.split("+") as [ShellName, string?];
  await using world = await startWorld(shell);
  // Commands of titian are the same, whoever made the other tools.
  for (const journey of chosen.filter(({ isOfCommands }) => tools === undefined || !isOfCommands)) {
    await add(`${variant}: ${journey.name}`, async () => {
      const busybox = tools === "busybox";
      const run = await runJourney(world, journey, { shell, times: 2, isShort: false, busybox });
      const before = first.get(journey.name) ?? run;
      first.set(journey.name, before);
      const faults = run.pasted.flatMap(({ block, turn, faults: found, output }) =>
        found.map((fault) => `${block}, paste ${turn}: ${fault}\n${output}`),
      );
      const name = `${variant}: ${journey.name}`;
      return { name, programs: run.pasted.length, faults: [...faults, ...differences(before, run)] };
    });
  }
}

if (languages.length > 0) {
  await using world = await startWorld("bash");
  if (languages.includes("curl")) {
    const pasted = await pastePrograms(world);
    for (const row of pasted) await add(row.name, async () => row);
  }
  for (const language of languages) await add(`${language} programs`, () => runPrograms(world, language));
}
end();
