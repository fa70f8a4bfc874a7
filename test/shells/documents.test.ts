/**
 * Every shell block of README, docs and package READMEs, pasted as a user does into bash, zsh and dash: what it is answered,
 * what its programs end with, and what is left behind. Each operation's curl program of the console, too. The sandbox is
 * started by the README's first block. `npm run torture -- docs` pastes all of it twice, with nothing in place of `titian`.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { checkShellText } from "../../scripts/docs/shell-rules.ts";
import { findPrograms, pasteOperation } from "./console-programs.ts";
import { findUnplanned, type Journey, journeys } from "./journeys.ts";
import { requirePrograms } from "./programs.ts";
import { differences, type JourneyRun, runJourney } from "./run-journey.ts";
import { openSession } from "./session.ts";
import { type ShellName, shellNames } from "./terminal.ts";
import type { Recorded } from "./titian-host.ts";
import { openRails, startWorld, type World } from "./world.ts";

const limitMs = 120_000;
let world: World;
before(async () => {
  requirePrograms(["bash", "zsh", "dash", "busybox", "script", "setpriv", "curl", "openssl"]);
  world = await startWorld("bash");
});
after(() => world?.[Symbol.asyncDispose]());

test("every block is pasted, by one journey", () => assert.deepEqual(findUnplanned(), []));

async function pasteEverywhere(journey: Journey): Promise<void> {
  const options = { times: 1, isShort: true };
  const paste = (shell: ShellName, first?: JourneyRun) =>
    runJourney(world, journey, { ...options, shell, ...(first && { replayed: first.recorded }) });
  const runs: JourneyRun[] = [];
  if (journey.isOfCommands) {
    const done = await paste("bash");
    runs.push(done, ...(await Promise.all([paste("zsh", done), paste("dash", done)])));
  } else if (journey.movesTheWorld) {
    for (const shell of shellNames) runs.push(await paste(shell));
  } else runs.push(...(await Promise.all(shellNames.map((shell) => paste(shell)))));
  const faults = runs.flatMap(({ shell, pasted }) =>
    pasted.flatMap(({ block, faults: found, output }) =>
      found.map((fault) => `${shell}: ${block} ${fault}\n${output}`),
    ),
  );
  assert.deepEqual([...faults, ...runs.slice(1).flatMap((run) => differences(runs[0] ?? run, run))], []);
}

for (const journey of journeys.filter(({ movesTheWorld }) => !movesTheWorld)) {
  test(`pasted into each shell: ${journey.name}`, { timeout: limitMs }, () => pasteEverywhere(journey));
}

test("each operation's curl program of the console, pasted", { timeout: limitMs }, async () => {
  await openRails(world);
  const sessions = await Promise.all(shellNames.map((shell) => openSession({ shell, dataDir: world.dataDir })));
  try {
    for (const [index, operation] of (await findPrograms(world)).entries()) {
      const session = sessions[index % sessions.length] ?? assert.fail();
      const { program, answered, leftBehind } = await pasteOperation(world, session, operation, "alpha");
      const found = [session.shell, operation.name, answered, leftBehind, checkShellText(program)];
      assert.deepEqual(found, [session.shell, operation.name, true, [], []]);
    }
  } finally {
    for (const session of sessions) await session[Symbol.asyncDispose]();
  }
});

for (const journey of journeys.filter(({ movesTheWorld }) => movesTheWorld)) {
  test(`pasted into each shell: ${journey.name}`, { timeout: limitMs }, () => pasteEverywhere(journey));
}

test("the calls with curl, with busybox's tools in place of GNU's", { timeout: limitMs }, async () => {
  const [curl = assert.fail()] = journeys;
  const { pasted } = await runJourney(world, curl, { shell: "dash", times: 1, isShort: true, busybox: true });
  assert.deepEqual(
    pasted.map(({ block, faults }) => [block, faults]),
    curl.steps.map(({ block }) => [block, []]),
  );
});

test("the words of a comment are arguments in zsh, which is seen", async () => {
  const recorded = await Promise.all(
    (["bash", "zsh"] as const).map(async (shell) => {
      const host = { recorded: [] as Recorded[], filled: new Map<string, string>(), standIns: true };
      await using session = await openSession({ shell, host });
      await session.paste("titian log # the newest");
      return host.recorded.map(({ line }) => line);
    }),
  );
  assert.deepEqual(recorded, [['["titian","log"]'], ['["titian","log","#","the","newest"]']]);
});

/** The first block of the signing page, as it was. */
const harmful = [
  "umask 077; echo '-----BEGIN PRIVATE KEY-----' > private-key.pem",
  "path=/v1.0/transfer-intrabank now=1",
  "set -e",
  "trap 'true' EXIT",
  "cd /",
].join("\n");

for (const shell of shellNames) {
  test(`what harms the user's ${shell} is seen`, async () => {
    await using session = await openSession({ shell });
    const { leftBehind } = await session.paste(harmful);
    const found = leftBehind.map((what) => what.split(/[: ]/)[0]);
    const always = ["umask", "directory", "options", "traps", ...(shell === "zsh" ? ["PATH"] : [])];
    for (const what of always) assert.ok(found.includes(what), `${what}: ${leftBehind.join("; ")}`);
    assert.ok(leftBehind.some((what) => /private key in .*private-key.pem/.test(what)));
  });
}
