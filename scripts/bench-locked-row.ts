/**
 * `npm run bench:locked-row`: how fast 20 payers' transfers to one shared account are on two nodes, and how fast while
 * somebody has locked the row of one more payer whom one caller keeps calling. Free and locked windows take turns.
 * `npm run bench:locked-row -- --rounds=3 --seconds=5`.
 */
import { parseArgs } from "node:util";
import { Client } from "pg";
import { forkNode } from "../packages/server/test/engine/fork-node.ts";
import { accounts, seedAccounts } from "../packages/server/test/engine/seed-accounts.ts";
import { useDatabase } from "../packages/server/test/support/database.ts";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "3" }, seconds: { type: "string", default: "5" } },
});
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];

/** As the suspense account of a rail: its id comes before the payers'. */
const shared = "1";
const payers = Array.from({ length: 20 }, (_, index) => String(11 + index));
const lockedPayer = "31";
const callersOfPayer = 4;

await using database = await useDatabase();
const client = new Client({ connectionString: database.url });
await client.connect();
await seedAccounts(client, accounts(31, 1_000_000_000n));
await using one = await forkNode(database.url);
await using other = await forkNode(database.url);

let calls = 0;
/** Calls for one payer until told to stop, on both nodes in turn; how often it was answered with success. */
async function keepCalling(from: string, until: () => boolean): Promise<number> {
  let done = 0;
  while (!until()) {
    calls += 1;
    const node = calls % 2 === 0 ? one : other;
    const answer = await node.submit({ from, to: shared, amount: 1n, externalId: `locked-row-${calls}` });
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

/** The same while the row of one more payer is locked. */
async function measureLocked(): Promise<number> {
  await client.query("begin");
  await client.query("select from accounts where account_no = $1 for update", [lockedPayer]);
  let isOver = false;
  const calling = keepCalling(lockedPayer, () => isOver);
  const perSecond = await measure();
  isOver = true;
  await client.query("rollback");
  await calling;
  return perSecond;
}

await measure();
for (let round = 1; round <= rounds; round += 1) {
  const [free, locked] = [await measure(), await measureLocked()];
  console.log(
    `${round}: ${free.toFixed(0)}/s, with a locked row ${locked.toFixed(0)}/s, ratio ${(locked / free).toFixed(2)}`,
  );
}
await client.end();
