/**
 * `npm run torture -- moves`: 1,000 accounts moved to another cell, and half of them back, while 16 callers pay with them over two nodes, of
 * which one is killed 10 times. Only calls of an account that is moving are answered 503; each number is one payment, also repeated behind a
 * move, or rejected before one and corrected behind it; afterwards all money is there, and both databases are audited and compared.
 * `npm run torture -- moves --accounts=200 --kills=3 --callers=8 --seed=7`.
 */
import { parseArgs } from "node:util";
import { useOwnCluster } from "../../test/support/database/database.ts";
import { movingRounds } from "../../test/torture/cells/moving-rounds.ts";
import { newSeed, readCount, report } from "./command-line.ts";

const { values } = parseArgs({
  options: {
    accounts: { type: "string", default: "1000" },
    callers: { type: "string", default: "16" },
    kills: { type: "string", default: "10" },
    seed: { type: "string", default: newSeed() },
  },
});

const accounts = readCount("accounts", values.accounts);
const callers = readCount("callers", values.callers);
const kills = readCount("kills", values.kills);
const seed = readCount("seed", values.seed);
console.log(`Torture with seed ${seed}: ${accounts} accounts moved under load, ${kills} kills`);
await using home = await useOwnCluster();
await using cell = await useOwnCluster();
const onProgress = (text: string) => console.log(`  ${text}`);
report(
  "moves",
  await movingRounds({ home, cell, accounts, callers, kills, seed, onProgress }),
  "each account is where it was moved to, with all its money, and no other call was disturbed",
);
