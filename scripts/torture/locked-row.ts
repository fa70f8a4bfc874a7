/**
 * `npm run torture -- locked-row`: how fast 20 payers' transfers to one shared account are on two nodes (free), while
 * somebody has locked the rows of more payers in an open transaction (locked), and while a caller of each keeps calling
 * that payer, too (called). An open transaction alone makes hot rows slower: PostgreSQL cannot clear away their old
 * versions. What the engine answers for is called against locked. `npm run torture -- locked-row --rounds=3
 * --seconds=5 --locked=1900`.
 */
import { parseArgs } from "node:util";
import { Client } from "pg";
import { forkNode } from "../../test/engine/fork-node.ts";
import { accounts, seedAccounts } from "../../test/engine/seed-accounts.ts";
import { useDatabase } from "../../test/support/database/database.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "5" },
    locked: { type: "string", default: "1" },
  },
});
const [rounds, seconds, lockedCount] = [Number(values.rounds), Number(values.seconds), Number(values.locked)];

/** As the suspense account of a rail: its id comes before the payers'. */
const shared = "1";
const payers = Array.from({ length: 20 }, (_, index) => String(11 + index));
const lockedPayers = Array.from({ length: lockedCount }, (_, index) => String(31 + index));
const lockedPartner = "0190aaaa-0000-7000-8000-000000000002";
const callersOfPayer = 4;

await using database = await useDatabase();
const client = new Client({ connectionString: database.url });
await client.connect();
const [ours, theirs] = [accounts(30, 1_000_000_000n), accounts(30 + lockedCount, 1_000_000_000n).slice(30)];
await seedAccounts(client, [...ours, ...theirs.map((account) => ({ ...account, partners: [lockedPartner] }))]);
await using one = await forkNode(database.url);
await using other = await forkNode(database.url);

let calls = 0;
/** Calls for one payer until stopped, on both nodes in turn; how often it was answered with success. */
async function keepCalling(from: string, until: () => boolean, partner?: string): Promise<number> {
  let done = 0;
  while (!until()) {
    calls += 1;
    const node = calls % 2 === 0 ? one : other;
    const answer = await node.submit({
      from,
      to: shared,
      amount: 1n,
      externalId: `locked-row-${calls}`,
      ...(partner !== undefined && { partner }),
    });
    if (answer.kind === "effect") done += 1;
  }
  return done;
}

/** Transfers a second of the 20 payers. */
async function measure(): Promise<number> {
  const endsAt = performance.now() + seconds * 1_000;
  const isOver = () => performance.now() >= endsAt;
  const callers = payers.flatMap((payer) => Array.from({ length: callersOfPayer }, () => keepCalling(payer, isOver)));
  return (await Promise.all(callers)).reduce((sum, done) => sum + done, 0) / seconds;
}

/** The same while the rows of more payers are locked. */
async function measureLocked(isCalled: boolean): Promise<number> {
  await client.query("begin");
  await client.query("select from accounts where account_no = any($1) for update", [lockedPayers]);
  let isOver = false;
  const callers = isCalled ? lockedPayers : [];
  const calling = Promise.all(callers.map((payer) => keepCalling(payer, () => isOver, lockedPartner)));
  const perSecond = await measure();
  isOver = true;
  await client.query("rollback");
  await calling;
  return perSecond;
}

const windows = {
  free: measure,
  locked: () => measureLocked(false),
  called: () => measureLocked(true),
};

await measure();
const sums = { free: 0, locked: 0, called: 0 };
for (let round = 0; round < rounds; round += 1) {
  const names = Object.keys(windows) as (keyof typeof windows)[];
  // Each round begins with another one, so that none always follows the same.
  for (const name of [...names.slice(round % 3), ...names.slice(0, round % 3)]) {
    const perSecond = await windows[name]();
    sums[name] += perSecond;
    console.log(`${round + 1}: ${name.padEnd(6)} ${perSecond.toFixed(0)}/s`);
  }
}
const { free, locked, called } = sums;
console.log(`called / locked ${(called / locked).toFixed(2)}, called / free ${(called / free).toFixed(2)}`);
await client.end();
