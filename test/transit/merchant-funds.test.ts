// A merchant's money in three cells: drawn for a refund from all others, swept home, and left alone where a cell is silent or behind.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { internalAccountNo } from "../../packages/server/src/ledger/accounts/internal-accounts.ts";
import { type Minor, minor } from "../../packages/server/src/ledger/money.ts";
import { drawFunds, type FundsDeps, moveFunds } from "../../packages/server/src/transit/merchant-funds.ts";
import { createMerchantSweeper } from "../../packages/server/src/transit/sweep-merchants.ts";
import { eventually } from "../support/black-box/answers.ts";
import { testPartnerShares } from "../support/partner-shares.ts";
import { accounts as seeded } from "../engine/seed-accounts.ts";
import type { TransitShipper } from "../../packages/server/src/transit/ship-transit.ts";
import { joinCells } from "./joined-cells.ts";
import { asOwner, spoil } from "./transit-fixture.ts";

const clock = createClock();
const numbers = [0, 1, 2] as const;
const merchant = newId();
const settlementNo = "1";
const merchantNo = internalAccountNo("merchant", "IDR", merchant);

let settlement = "";
const cells = await joinCells(numbers.length, {
  findSettlement: async (key) => (key === merchant ? settlement : undefined),
});
after(() => cells[Symbol.asyncDispose]());
settlement = await asOwner(cells.of(0).ownerUrl, async (client) => {
  const { rows } = await client.query<{ id: string }>("select id from accounts where account_no = $1", [settlementNo]);
  return rows[0]?.id ?? "";
});

const silent = new Set<number>();
const readShares = testPartnerShares();
const deps: FundsDeps = {
  clock,
  cells: () => numbers,
  cell: (number) => (silent.has(number) ? undefined : { ...cells.of(number), readShares }),
  stream: cells.stream,
};
const of = { merchant, currency: "IDR", settlementAccount: settlement, partner: "of the merchant" };
const draw = (to: number, amount: bigint, has = 0n) =>
  drawFunds(deps, to, of, { amount: minor(amount), needed: minor(amount + has) });

const { balanceIn } = cells;
const balances = async () => [
  await balanceIn(0, settlementNo),
  await balanceIn(1, merchantNo),
  await balanceIn(2, merchantNo),
];
const opening = Number(seeded(1, 1_000_000n)[0]?.balance);

test("a refund in a cell draws on home first, then on the other cell", async () => {
  // Opened by the first money of the merchant in the cell, as by a payment.
  for (const number of [1, 2])
    await asOwner(cells.of(number).ownerUrl, (client) =>
      client.query(
        `insert into accounts (id, account_no, name, currency, purpose, type, status, minimum_balance, opened_at)
         values ($1, $2, $2, 'IDR', 'merchant', 'D', 'active', 0, now())`,
        [newId(number), merchantNo],
      ),
    );
  assert.equal(await draw(2, 300n), "drawn");
  assert.deepEqual(await balances(), [opening - 300, 0, 300]);
  assert.equal(await draw(1, BigInt(opening) - 100n), "drawn");
  assert.deepEqual(await balances(), [0, opening - 100, 100]);
});

test("nothing is drawn where all together have less", async () => {
  const before = await balances();
  assert.equal(await draw(0, BigInt(opening) + 1n), "short");
  assert.deepEqual(await balances(), before);
});

test("a silent cell may have what the others lack, and is not asked for what they have", async () => {
  silent.add(2);
  const before = await balances();
  assert.equal(await draw(0, BigInt(opening)), "silent");
  assert.deepEqual(await balances(), before);
  assert.equal(await draw(0, 50n), "drawn");
  assert.deepEqual(await balances(), [50, opening - 150, 100]);
  silent.clear();
});

test("a draw from two cells takes of each what is there", async () => {
  assert.equal(await draw(0, BigInt(opening) - 100n), "drawn");
  assert.deepEqual(await balances(), [opening - 50, 0, 50]);
});

test("all that is left over is swept home, by two nodes at once and once", async () => {
  const sweepers = [createMerchantSweeper(deps, 2), createMerchantSweeper(deps, 2)];
  const swept = await Promise.all(sweepers.map((sweeper) => sweeper.sweepAll()));
  assert.equal(
    swept.reduce((sum, count) => sum + count, 0),
    1,
  );
  assert.deepEqual(await balances(), [opening, 0, 0]);
  assert.equal(await sweepers[0]?.sweepAll(), 0);
});

test("money of a merchant opens its account in a cell, and of one that home does not know goes to unapplied funds there", async () => {
  const stranger = { ...of, merchant: newId() };
  const unclaimed = await balanceIn(0, "unclaimed:IDR");
  assert.equal(await moveFunds(deps, { from: 0, to: 1, of: stranger, amount: minor(25n) }), 25n as Minor);
  assert.equal(await balanceIn(1, internalAccountNo("merchant", "IDR", stranger.merchant)), 25);
  assert.equal(await createMerchantSweeper(deps, 1).sweepAll(), 1);
  assert.equal(await balanceIn(0, "unclaimed:IDR"), unclaimed + 25);
  assert.equal(await balanceIn(1, "unclaimed:IDR"), 0);
});

test("what refunds are about to take stays, and a currency that cannot be moved holds up no other", async () => {
  assert.equal(await draw(1, 30n), "drawn");
  const keeping = createMerchantSweeper(deps, 1, () => minor(20n));
  assert.equal(await keeping.sweepAll(), 1);
  assert.equal(await balanceIn(1, merchantNo), 20);
  assert.equal(await createMerchantSweeper(deps, 1).sweepAll(), 1);
  assert.equal(await balanceIn(1, merchantNo), 0);
});

test("money that is on its way is not taken for none", async () => {
  const [home, stopped] = [await balanceIn(0, settlementNo), new Set(["0 1"])];
  const held: FundsDeps = {
    ...deps,
    stream: (from, to) => {
      const stream = cells.stream(from, to) as TransitShipper;
      return stopped.has(`${from} ${to}`) ? { ...stream, waitForMirror: async () => false } : stream;
    },
  };
  assert.equal(await drawFunds(held, 1, of, { amount: minor(BigInt(home)), needed: minor(BigInt(home)) }), "silent");
  assert.equal(await drawFunds(held, 2, of, { amount: minor(1n << 60n), needed: minor(1n << 60n) }), "silent");
  // Not before it has arrived.
  await eventually(async () => (await draw(2, 1n << 60n)) === "short");
  // A cell that answers what it has sent, and not what the merchant has.
  let reads = 0;
  const shy = {
    run: async <Result>(_: string, read: () => Promise<Result>) => {
      reads += 1;
      return reads === 3 ? read() : undefined;
    },
  };
  const halfSilent = {
    ...deps,
    cell: (number: number) => ({ ...cells.of(number), readShares: number === 2 ? shy : readShares }),
  };
  const all = { amount: minor(1n << 60n), needed: minor(1n << 60n) };
  assert.equal(await drawFunds(halfSilent, 0, of, all), "silent");
  assert.equal(reads, 4);
  assert.equal(await createMerchantSweeper(deps, 1).sweepAll(), 1);
  assert.equal(await balanceIn(0, settlementNo), home);
});

test("a partner whose turns are all taken keeps neither another one's refunds nor sweeps waiting", async () => {
  const busy = {
    run: async <Result>(owner: string, read: () => Promise<Result>) => (owner === "busy" ? undefined : read()),
  };
  const shared: FundsDeps = { ...deps, cell: (number) => ({ ...cells.of(number), readShares: busy }) };
  const wanted = { amount: minor(5n), needed: minor(5n) };
  assert.equal(await drawFunds(shared, 1, { ...of, partner: "busy" }, wanted), "silent");
  assert.equal(await drawFunds(shared, 1, of, wanted), "drawn");
  const owners = new Set<string>();
  const noted = {
    run: <Result>(owner: string, read: () => Promise<Result>) => {
      owners.add(owner);
      return read();
    },
  };
  const sweeping: FundsDeps = { ...deps, cell: (number) => ({ ...cells.of(number), readShares: noted }) };
  assert.equal(await createMerchantSweeper(sweeping, 1).sweepAll(), 1);
  assert.deepEqual([owners.size, owners.has(of.partner)], [1, false]);
});

test("nothing leaves a cell that lost what was mirrored, or whose stream has stopped", async () => {
  const [before, out] = [await balances(), internalAccountNo("transit", "IDR", "out", 1)];
  const stopped = { isStopped: () => true, waitForMirror: async () => true };
  assert.equal(
    await drawFunds({ ...deps, stream: () => stopped }, 1, of, { amount: minor(10n), needed: minor(10n) }),
    "silent",
  );
  await spoil(cells.of(0).ownerUrl, `update accounts set version = version - 1 where account_no = '${out}'`);
  assert.equal(await draw(1, 10n), "silent");
  assert.deepEqual(await balances(), before);
});
