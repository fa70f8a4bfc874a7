/**
 * Status of a bulk (20) while its items settle, are rejected, resolved and returned (spec D13): true at every moment.
 */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { eventually } from "../../support/black-box/answers.ts";
import { bulkBody, bulkItem, bulkPath, inquireBulk, numberOf } from "../../support/black-box/bulks.ts";
import type { Answer, Json } from "../../support/black-box/caller.ts";
import { readOutbox } from "../../support/black-box/outbox.ts";
import { startRailFixture } from "../../support/black-box/rails/rail-fixture.ts";
import type { RailMoney } from "../../support/black-box/rails/rail-money.ts";
import { expectCode } from "../../support/black-box/transfers.ts";

const fixture = await startRailFixture();
after(() => fixture[Symbol.asyncDispose]());
const { alpha, control, sandbox } = fixture;

const [amount, fee] = [1_000_000n, 250_000n];
const taken = amount + fee;
const outcomes = ["success", "rejected", "limbo", "slowSuccess", "returnedAfterSettlement", "unknownBeneficiary"];
const each = 20;
const count = each * outcomes.length;
const payer = await fixture.newPayer();
const items = Array.from({ length: count }, (_, position) =>
  bulkItem({ beneficiaryAccountNo: fixture.accountOf(outcomes[position % outcomes.length] ?? "") }),
);
const body = bulkBody(payer, items);
const moved = await fixture.watch("interbank", payer);
const numbersOf = (outcome: string) =>
  items.filter((_, at) => outcomes[at % outcomes.length] === outcome).map(numberOf);

interface Counts {
  readonly settled: number;
  readonly rejected: number;
  readonly returned: number;
  readonly open: number;
}

function countsIn({ body: { additionalInfo } }: Answer): Counts {
  const told = additionalInfo as Record<string, string>;
  const [settled = 0, rejected = 0, returned = 0, open = 0, itemCount] = [
    "settledCount",
    "rejectedCount",
    "returnedCount",
    "openCount",
    "itemCount",
  ].map((name) => Number(told[name]));
  assert.deepEqual([settled + rejected + returned + open, itemCount], [count, count]);
  return { settled, rejected, returned, open };
}

/** Statuses of a few items now. */
const sample = () =>
  Promise.all(
    outcomes.map(async (one, at) => {
      const found = await inquireBulk(alpha, { originalPartnerReferenceNo: numbersOf(one)[at] });
      return String(found.body["latestTransactionStatus"]);
    }),
  );

const among = (statuses: readonly string[], ...wanted: readonly string[]) =>
  statuses.filter((status) => wanted.includes(status)).length;

/** Checks the money against the counts of that moment: it was there before or after it. */
function expectMoney(before: RailMoney, { settled, rejected, returned, open }: Counts, now: RailMoney): void {
  const payerThen = BigInt(rejected) * taken + BigInt(returned) * amount - BigInt(count) * taken;
  assert.ok(before.payer <= payerThen && payerThen <= now.payer, `${before.payer} ${payerThen} ${now.payer}`);
  const suspenseThen = BigInt(open) * taken;
  assert.ok(before.suspense >= suspenseThen && suspenseThen >= now.suspense, `${before.suspense} ${suspenseThen}`);
  const feeThen = BigInt(settled + returned) * fee;
  assert.ok(before.fee <= feeThen && feeThen <= now.fee, `${before.fee} ${feeThen} ${now.fee}`);
}

/** Asks without a pause until it is told to stop; returns how often it asked. */
async function poll(originalReferenceNo: unknown, isOver: () => boolean): Promise<number> {
  let last: Counts = { settled: 0, rejected: 0, returned: 0, open: count };
  let polls = 0;
  for (; !isOver(); polls += 1) {
    const [before, earlier] = [await moved(), await sample()];
    const answer = await inquireBulk(alpha, { originalReferenceNo });
    expectCode(answer, "2003600");
    const counts = countsIn(answer);
    const [later, now] = [await sample(), await moved()];
    expectMoney(before, counts, now);
    assert.equal(answer.body["latestTransactionStatus"], counts.open > 0 ? "03" : "00");
    assert.equal(answer.body["transactionStatusDesc"], `Settled ${counts.settled} of ${count}`);
    // A count falls only where another rises for it.
    assert.ok(counts.settled + counts.returned >= last.settled + last.returned && counts.returned >= last.returned);
    assert.ok(counts.rejected >= last.rejected && counts.open <= last.open);
    assert.ok(among(earlier, "00", "04") <= counts.settled + counts.returned, earlier.join());
    assert.ok(among(earlier, "06") <= counts.rejected && among(earlier, "04") <= counts.returned, earlier.join());
    assert.ok(among(later, "01", "02", "03") <= counts.open, later.join());
    last = counts;
  }
  return polls;
}

const referenceOf = async (number: string | undefined) =>
  String((await inquireBulk(alpha, { originalPartnerReferenceNo: number })).body["referenceNumber"]);
const decide = async (number: string | undefined, verb: string, decision?: Json) =>
  control.call("POST", `transfers/${await referenceOf(number)}/${verb}`, decision);

test("whoever asks while items settle, are rejected, resolved and returned, is told counts, statuses and balances that agree", async (t) => {
  await fixture.setMode("interbank", "limbo");
  const accepted = await alpha.call(bulkPath, body);
  expectCode(accepted, "2002000");
  const originalReferenceNo = accepted.body["bulkId"];
  let isOver = false;
  const polling = Promise.all([0, 1].map(() => poll(originalReferenceNo, () => isOver)));
  // Whatever goes wrong below, the pollers end.
  polling.catch(() => undefined);
  const until = (reached: (counts: Counts) => boolean) =>
    eventually(async () => reached(countsIn(await inquireBulk(alpha, { originalReferenceNo }))));
  try {
    await control.call("POST", "rails/interbank/settle");
    await fixture.setMode("interbank", "normal");
    // Slow ones and limbo are left.
    await until(({ open }) => open <= 2 * each);
    await fixture.advance(15);
    await until(({ open }) => open === each);
    const limbo = numbersOf("limbo");
    for (const [at, number] of limbo.entries()) {
      if (at === each / 2) for (const one of numbersOf("success").slice(0, 5)) await decide(one, "return");
      await decide(number, "resolve", { result: at % 2 === 0 ? "settled" : "refused" });
    }
    await fixture.advance(60);
    await until(({ returned }) => returned === each + 5);
  } finally {
    isOver = true;
  }
  t.diagnostic(`${(await polling).join(" and ")} polls`);
});

test("at the end all is exact: counts, balances, an empty suspense account, one notification", async () => {
  const found = await inquireBulk(alpha, { originalPartnerReferenceNo: body["partnerBulkId"] });
  const [settled, rejected, returned] = [each * 2 - 5 + each / 2, each * 2 + each / 2, each + 5];
  assert.deepEqual(countsIn(found), { settled, rejected, returned, open: 0 });
  assert.deepEqual(await moved(), {
    payer: BigInt(rejected) * taken + BigInt(returned) * amount - BigInt(count) * taken,
    suspense: 0n,
    clearing: BigInt(settled) * amount,
    fee: BigInt(settled + returned) * fee,
  });
  const outbox = await readOutbox(sandbox.file);
  assert.deepEqual([...outbox], [[body["partnerBulkId"], ["21 00"]]]);
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});
