// Spec D7, row by row: what a call gets that shares an id, a number or a signature with one before it, whether that
// one lies in the database or earlier in the same batch.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  context,
  decide,
  loaded,
  now,
  type Past,
  pay,
  rowOf,
  kindOf,
  windowMs,
} from "../../../../../test/engine/decide.ts";
import { account, type Transfer, transferCommand } from "../../../../../test/engine/transfers.ts";
import { minor } from "../../ledger/money.ts";
import type { Command } from "../command.ts";
import type { LockedRows } from "../rows/lock-order.ts";
import { decideBatch } from "./decide.ts";

// the second call beside `pay`, what it is answered
const repeats: readonly (readonly [string, Partial<Transfer>, string])[] = [
  ["same id, same bytes", {}, "sameCall"],
  ["same id, number and content, other bytes", { body: "other" }, "sameCall"],
  ["same id and number, other content", { amount: 101n, number: "call-1" }, "externalIdTaken"],
  ["same id and bytes, another service", { service: 18 }, "externalIdTaken"],
  ["same id, another number", { number: "no-2", body: "other" }, "externalIdTaken"],
  ["same number, same content", { externalId: "call-2", number: "call-1", body: "other" }, "sameNumber"],
  ["same number, other content", { externalId: "call-2", number: "call-1", amount: 101n }, "numberTaken"],
  ["same number, another service", { externalId: "call-2", number: "call-1", service: 18 }, "effect"],
  ["id and number of another partner", { partner: "0190aaaa-0000-7000-8000-000000000002" }, "accountNotPermitted"],
  ["another id and number", { externalId: "call-2" }, "effect"],
];

for (const [name, change, expected] of repeats) {
  test(`in one batch: ${name} → ${expected}`, () => {
    const commands = [pay, { ...pay, ...change }].map(transferCommand);
    const { outcomes, writes } = decide(commands);
    assert.equal(outcomes[0]?.kind, "effect");
    assert.equal(kindOf(outcomes[1]), expected);
    assert.equal(writes.length, expected === "effect" ? 2 : 1);
  });

  test(`after an earlier batch: ${name} → ${expected}`, () => {
    const original = transferCommand(pay);
    const again = transferCommand({ ...pay, ...change });
    const row = rowOf(original, 1_000);
    const { outcomes, writes } = decide([again], {
      ...(again.keys?.externalIdKey === original.keys?.externalIdKey ? { byExternalIdKey: [[0, row]] } : {}),
      ...(again.keys?.partnerReferenceKey === original.keys?.partnerReferenceKey
        ? { byPartnerReferenceKey: [[0, row]] }
        : {}),
    });
    assert.equal(kindOf(outcomes[0]), expected);
    assert.equal(writes.length, expected === "effect" ? 1 : 0);
  });
}

test("a number whose content reads otherwise is the same if the command says that it means the same", () => {
  const said: string[] = [];
  const again = (means: boolean, change: Partial<Transfer> = { amount: 101n }): Command<unknown> => ({
    ...transferCommand({ ...pay, externalId: "call-2", number: "call-1", ...change }),
    hasSameContent: (payload, given) => {
      assert.equal(given, context);
      said.push(payload);
      return means;
    },
  });
  const row = rowOf(transferCommand(pay), 1_000);
  const tell = (command: Command<unknown>) =>
    decide([command], { byPartnerReferenceKey: [[0, row]] }).outcomes.map(kindOf);
  assert.deepEqual(tell(again(true)), ["sameNumber"]);
  assert.deepEqual(tell(again(false)), ["numberTaken"]);
  assert.deepEqual(decide([transferCommand(pay), again(true)]).outcomes.map(kindOf), ["effect", "sameNumber"]);
  assert.deepEqual(said, [row.payload, row.payload, row.payload]);
  // A request that reads the same needs no second look.
  assert.deepEqual(tell(again(false, {})), ["sameNumber"]);
  assert.equal(said.length, 3);
});

test("a repeat carries the row of the first call", () => {
  const first = transferCommand(pay);
  const { outcomes } = decide([transferCommand(pay)], { byExternalIdKey: [[0, rowOf(first, 5)]] });
  assert.ok(outcomes[0]?.kind === "repeat");
  assert.equal(outcomes[0].original.id, first.id);
});

test("an id is taken up to its window and free from then on; its old row gives the key up in the same batch", () => {
  const old = transferCommand({ ...pay, number: "old number" });
  const stillTaken = decide([transferCommand(pay)], { byExternalIdKey: [[0, rowOf(old, windowMs - 1)]] });
  assert.equal(kindOf(stillTaken.outcomes[0]), "sameCall");
  assert.deepEqual(stillTaken.releasedKeys, []);
  const [anew, copy] = [transferCommand(pay), transferCommand(pay)];
  const free = decide([anew, copy], { byExternalIdKey: [[0, rowOf(old, windowMs)]] });
  assert.deepEqual(free.outcomes.map(kindOf), ["effect", "sameCall"]);
  assert.deepEqual(free.releasedKeys, [{ key: old.keys?.externalIdKey, requestId: old.id }]);
  assert.deepEqual(
    free.writes.map((write) => write.id),
    [anew.id],
  );
});

test("an id whose request is still open is taken however old it is", () => {
  const old = rowOf(transferCommand({ ...pay, number: "old number" }), 10 * windowMs);
  const outcomeOf = (openUntil: number) =>
    decide([transferCommand(pay)], { byExternalIdKey: [[0, { ...old, openUntil }]] }).outcomes.map(kindOf);
  assert.deepEqual([Infinity, now + 1, now].map(outcomeOf), [["sameCall"], ["sameCall"], ["effect"]]);
});

test("an expired id does not free the number", () => {
  const old = transferCommand(pay);
  const past = rowOf(old, 10 * windowMs);
  const { outcomes, releasedKeys } = decide([transferCommand(pay)], {
    byExternalIdKey: [[0, past]],
    byPartnerReferenceKey: [[0, past]],
  });
  assert.deepEqual(outcomes.map(kindOf), ["sameNumber"]);
  assert.deepEqual(releasedKeys, []);
});

test("an expired id stays with its old row when the new call is rejected", () => {
  const old = transferCommand({ ...pay, number: "old number" });
  const { outcomes, releasedKeys } = decide([transferCommand({ ...pay, amount: 5_000n })], {
    byExternalIdKey: [[0, rowOf(old, windowMs)]],
  });
  assert.deepEqual(outcomes.map(kindOf), ["insufficientFunds"]);
  assert.deepEqual(releasedKeys, []);
});

test("a row dated in the future, by a node whose clock is ahead, is taken", () => {
  const { outcomes } = decide([transferCommand(pay)], { byExternalIdKey: [[0, rowOf(transferCommand(pay), -2_000)]] });
  assert.deepEqual(outcomes.map(kindOf), ["sameCall"]);
});

test("a command that finds its own row answers from it as a first answer, by id or by number", () => {
  const command = transferCommand(pay);
  const own = rowOf(command, 300);
  for (const past of [{ byExternalIdKey: [[0, own]] }, { byPartnerReferenceKey: [[0, own]] }] satisfies Past[]) {
    const { outcomes, writes, workingSet } = decide([command], past);
    assert.deepEqual(outcomes[0], {
      kind: "effect",
      id: command.id,
      payload: { from: "1", to: "2", amount: "100" },
      at: now - 300,
    });
    assert.equal(writes.length + workingSet.rows.accounts.entries.length + workingSet.rows.accounts.moved().length, 0);
  }
});

test("found rows go to their command when others of the batch have no keys", () => {
  const job: Command<unknown> = { ...transferCommand(pay), locks: {}, decide: () => ({ kind: "nothing" }) };
  const { keys: _, ...keyless } = job;
  const again = transferCommand(pay);
  const { outcomes } = decide([keyless, again], { byExternalIdKey: [[0, rowOf(transferCommand(pay), 1)]] });
  assert.deepEqual(outcomes.map(kindOf), ["nothing", "sameCall"]);
});

// Broken commands, none of which may do anything to its batch.
const broken: readonly (readonly [string, (found: LockedRows) => unknown])[] = [
  ["throws", () => assert.fail("a bug")],
  ["reads an account it did not declare", (found) => found.account("9")],
  ["returns no decision", () => undefined],
  ["returns a promise", () => Promise.resolve()],
  ["returns a payload that is no JSON", () => effectWith({ payload: { amount: 1n } })],
  ["moves nothing", () => effectWith({ postings: [posting("1", "2", 0n)] })],
  ["moves a negative amount", () => effectWith({ postings: [posting("1", "2", -1n)] })],
  ["fails at its second posting", () => effectWith({ postings: [posting("1", "2", 10n), posting("1", "7", 10n)] })],
  ["leaves a row's range", () => effectWith({ postings: [posting("2", "1", minor(9_000_000_000_000_000_000n))] })],
];

function posting(from: string, to: string, amount: bigint) {
  return { kind: "transfer", from: account(from).id, to: account(to).id, amount: minor(amount) };
}

function effectWith(parts: object): unknown {
  return { kind: "effect", effect: { payload: {}, postings: [posting("1", "2", 10n)], ...parts } };
}

for (const [name, decideBadly] of broken) {
  test(`a command that ${name} fails alone, and nothing of it is applied`, () => {
    const sound = transferCommand({ ...pay, externalId: "sound" });
    const bad = transferCommand({ ...pay, externalId: "bad" });
    // A decide of the wrong type is what this test is about.
    const decideWrong = decideBadly as typeof bad.decide;
    const { outcomes, workingSet, writes } = decide([
      sound,
      { ...bad, decide: decideWrong },
      transferCommand({ ...pay, externalId: "bad" }),
    ]);
    assert.deepEqual(outcomes.map(kindOf), ["effect", "failed", "effect"]);
    assert.deepEqual(
      workingSet.rows.accounts
        .moved()
        .map(({ account: { accountNo, balance, version } }) => [accountNo, balance, version]),
      [
        ["1", 800n, 6],
        ["2", 200n, 2],
      ],
    );
    assert.equal(workingSet.rows.accounts.entries.length, 4);
    assert.equal(writes.length, 2);
  });
}

test("who was answered meanwhile is passed over; who is late may only find that it was accepted", () => {
  const [answered, late, lateButAccepted, inTime] = ["a", "b", "c", "d"].map((externalId) =>
    transferCommand({ ...pay, externalId }),
  ) as [Command<unknown>, Command<unknown>, Command<unknown>, Command<unknown>];
  const waited = { isAnswered: (position: number) => position === 0, isLate: (position: number) => position < 3 };
  const past = loaded({ byExternalIdKey: [[2, rowOf(lateButAccepted, 50)]] });
  const { outcomes, writes } = decideBatch([answered, late, lateButAccepted, inTime], past, context, waited);
  assert.deepEqual(outcomes.map(kindOf), ["overloaded", "overloaded", "effect", "effect"]);
  assert.deepEqual(
    writes.map((write) => write.id),
    [inTime.id],
  );
});

test("a batch writes no more rows than it may: what would is given up, with nothing of it applied", () => {
  const commands = ["a", "b", "c", "c"].map((externalId) => transferCommand({ ...pay, externalId }));
  // A transfer writes five rows: the write, two entries, two balances.
  const { outcomes, workingSet, writes } = decideBatch(commands, loaded(), context, undefined, 14);
  assert.deepEqual(outcomes.map(kindOf), ["effect", "effect", "full", "full"]);
  assert.deepEqual(outcomes[2], { kind: "full", rows: 5 });
  assert.deepEqual([workingSet.rows.accounts.entries.length, writes.length], [4, 2]);
});

test("a command that needs a row that was passed over is given up, even where it would be rejected; a repeat is not", () => {
  const row = { id: "id of 2", alias: "2", lockedBy: "7" };
  const locked = new Map([
    ["id of 2", row],
    ["2", row],
  ]);
  const [lacking, accepted] = [
    { ...pay, from: "none" },
    { ...pay, externalId: "accepted" },
  ].map(transferCommand);
  assert.ok(lacking && accepted);
  const past = loaded({ byExternalIdKey: [[1, rowOf(accepted, 50)]] });
  const free = transferCommand({ ...pay, from: "1", to: "none", externalId: "free" });
  const { outcomes, rejections } = decideBatch([lacking, accepted, free], { ...past, locked }, context);
  assert.deepEqual(outcomes.map(kindOf), ["locked", "effect", "unknownBeneficiary"]);
  assert.deepEqual(outcomes[0], { kind: "locked", row: "id of 2" });
  assert.equal(rejections.length, 1);
});
