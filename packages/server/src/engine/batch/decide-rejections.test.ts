// Spec D7 on what was rejected: copies, older sends, and what outranks a rejection.
import assert from "node:assert/strict";
import { test } from "node:test";
import { decide, now, type Past, pay, rowOf, kindOf } from "../../../../../test/engine/decide.ts";
import { type Transfer, transferCommand } from "../../../../../test/engine/transfers.ts";
import type { RejectedRequest } from "../../store/tables/requests/rejected-requests.ts";

test("a copy of a rejected call, by its signature, gets its rejection; a newly signed one is decided afresh", () => {
  const rejected = { ...pay, from: "2", to: "1", signature: "signed at 10:00:00" };
  const funding = { ...pay, externalId: "funding" };
  const { outcomes, rejections } = decide(
    [rejected, funding, rejected, { ...rejected, signature: "signed at 10:00:01" }].map(transferCommand),
  );
  assert.deepEqual(outcomes.map(kindOf), ["insufficientFunds", "effect", "insufficientFunds", "effect"]);
  assert.equal(rejections.length, 1);
});

const rejectedRow: RejectedRequest = {
  id: "x",
  service: 17,
  kind: "insufficientFunds",
  field: undefined,
  payload: "{}",
  at: now - 7,
  sentAt: 5_000,
  ofAnotherSend: undefined,
};

test("a recorded rejection is repeated with its field and its time", () => {
  const command = transferCommand(pay);
  const row: RejectedRequest = { ...rejectedRow, id: command.id, kind: "accountDormant", field: "sourceAccountNo" };
  const { outcomes, rejections } = decide([command], { copied: [[0, row]] });
  const rejection = { kind: "accountDormant", field: "sourceAccountNo" };
  assert.deepEqual(outcomes, [{ kind: "rejection", id: command.id, rejection, payload: "{}", at: now - 7 }]);
  assert.deepEqual(rejections, []);
});

test("a call that was sent no later than a rejected one of its id gets that rejection, whatever it is about", () => {
  const told = (change: Partial<Transfer>) => {
    const command = transferCommand({ ...pay, ...change });
    return { command, ...decide([command], { nextSent: [[0, rejectedRow]] }) };
  };
  for (const change of [
    { sentAt: 4_999 },
    { sentAt: 5_000 },
    { sentAt: 1, body: "other" },
    { sentAt: 1, service: 18 },
  ]) {
    const { command, outcomes, rejections } = told(change);
    const payload = "service" in change ? undefined : "{}";
    const rejection = { kind: "insufficientFunds" };
    const rejected = { kind: "rejection", id: "x", rejection, payload, at: now - 7, isOfAnotherSend: true };
    assert.deepEqual(outcomes, [rejected]);
    // Its copies find it by its signature, older sends by its own keys.
    const { sentAt, partner, externalIdKey, partnerReferenceKey, requestFingerprint, signatureKey } =
      command.keys ?? assert.fail();
    const keys = { partner, externalIdKey, partnerReferenceKey, requestFingerprint, signatureKey };
    assert.deepEqual(rejections, [{ ...rejectedRow, ...keys, id: command.id, sentAt, ofAnotherSend: "x" }]);
  }
  assert.deepEqual(told({ sentAt: 5_001 }).outcomes.map(kindOf), ["effect"]);
});

test("in one batch: an older send behind its rejected repeat is rejected, a newer one decided afresh and then repeated", () => {
  const sent = (sentAt: number): Transfer => ({ ...pay, from: "2", to: "1", signature: `sent at ${sentAt}`, sentAt });
  const funding = { ...pay, externalId: "funding" };
  const calls = [sent(1), sent(3), funding, sent(2), sent(3), sent(4), sent(2)];
  const { outcomes, rejections } = decide(calls.map(transferCommand));
  const short = "insufficientFunds";
  assert.deepEqual(outcomes.map(kindOf), [short, short, "effect", short, short, "effect", "sameCall"]);
  assert.deepEqual(
    rejections.map(({ sentAt }) => sentAt),
    [1, 3, 2],
  );
});

test("a copy of a call that got another send's rejection gets it again, whichever is the next send since", () => {
  const command = transferCommand({ ...pay, sentAt: 1 });
  const copied = { ...rejectedRow, id: "y", kind: "accountDormant", ofAnotherSend: "x" } as const;
  const { outcomes, rejections } = decide([command], { copied: [[0, copied]], nextSent: [[0, rejectedRow]] });
  const rejection = { kind: "accountDormant" };
  const again = { kind: "rejection", id: "x", rejection, payload: "{}", at: now - 7, isOfAnotherSend: true };
  assert.deepEqual(outcomes, [again]);
  assert.deepEqual(rejections, []);
});

test("a send of the number and content of one that got another send's rejection gets it, too, unless it is newer", () => {
  const short = { ...pay, from: "2", to: "1", signature: "sent at 9", number: "another intent", sentAt: 9 };
  const funding = { ...pay, externalId: "funding" };
  const intent = { ...pay, number: "one intent" };
  const told = { ...intent, signature: "sent at 5", sentAt: 5 };
  const sent = (sentAt: number): Transfer => ({
    ...intent,
    externalId: `sent at ${sentAt}`,
    signature: `sent at ${sentAt}`,
    sentAt,
  });
  const { outcomes, rejections } = decide([short, funding, told, sent(4), sent(6)].map(transferCommand));
  const rejected = "insufficientFunds";
  assert.deepEqual(outcomes.map(kindOf), [rejected, "effect", rejected, rejected, "effect"]);
  const [first, ...others] = rejections.map(({ id, ofAnotherSend }) => ofAnotherSend ?? id);
  assert.deepEqual(others, [first, first]);
});

test("a call gets the rejection of the next send", () => {
  const sent = (sentAt: number) => transferCommand({ ...pay, signature: `sent at ${sentAt}`, sentAt });
  const at = (sentAt: number): RejectedRequest => ({ ...rejectedRow, field: `sent at ${sentAt}`, sentAt });
  const short = transferCommand({ ...pay, from: "2", to: "1", signature: "sent at 5", sentAt: 5 });
  const commands = [short, sent(3), sent(1), sent(4), sent(2)];
  const nextSent = [
    [1, at(4)],
    [2, at(2)],
    [3, at(4)],
    [4, at(2)],
  ] as const;
  const { outcomes } = decide(commands, { nextSent });
  const sends = outcomes.map((outcome) => outcome.kind === "rejection" && outcome.rejection.field);
  assert.deepEqual(sends, [undefined, "sent at 4", "sent at 2", "sent at 4", "sent at 2"]);
});

test("in one batch: sends of one number and content are ordered whatever the id of each; other content is not", () => {
  const sent = (sentAt: number, more: Partial<Transfer> = {}): Transfer => {
    const id = `sent at ${sentAt}`;
    return { ...pay, from: "2", to: "1", externalId: id, signature: id, number: "one intent", sentAt, ...more };
  };
  const funding = { ...pay, externalId: "funding" };
  const other = { externalId: "other", signature: "other" };
  const calls = [
    sent(3),
    funding,
    sent(2),
    sent(3, other),
    sent(1, { externalId: "fresh", number: "another intent" }),
    sent(1, { amount: 1n }),
    sent(4, { number: "later" }),
  ];
  const { outcomes } = decide(calls.map(transferCommand));
  const short = "insufficientFunds";
  assert.deepEqual(outcomes.map(kindOf), [short, "effect", short, short, "effect", short, short]);
});

test("a call sent no later than a rejected one of its number and content gets it; of its id's, too, that of the next send", () => {
  const command = transferCommand({ ...pay, sentAt: 5_000 });
  const at = (sentAt: number): RejectedRequest => ({ ...rejectedRow, field: `sent at ${sentAt}`, sentAt });
  const sendOf = (past: Past) => {
    const [outcome] = decide([command], past).outcomes;
    return outcome?.kind === "rejection" ? outcome.rejection.field : outcome?.kind;
  };
  assert.equal(sendOf({ nextOfIntent: [[0, at(5_000)]] }), "sent at 5000");
  assert.equal(sendOf({ nextOfIntent: [[0, at(6_000)]], nextSent: [[0, at(7_000)]] }), "sent at 6000");
  assert.equal(sendOf({ nextOfIntent: [[0, at(7_000)]], nextSent: [[0, at(6_000)]] }), "sent at 6000");
  assert.equal(sendOf({}), "effect");
});

test("an accepted call outranks a rejection of the same signature, of the same id, and its own in a lost commit", () => {
  const again = transferCommand(pay);
  for (const row of [
    rejectedRow,
    { ...rejectedRow, id: again.id },
    { ...rejectedRow, sentAt: Number.MAX_SAFE_INTEGER },
  ]) {
    const { outcomes } = decide([again], {
      byExternalIdKey: [[0, rowOf(transferCommand(pay), 1)]],
      copied: [[0, row]],
      nextSent: [[0, row]],
    });
    assert.deepEqual(outcomes.map(kindOf), ["sameCall"]);
  }
});

test("a command's own rejection outranks what another call took since under its number", () => {
  const again = transferCommand(pay);
  const { outcomes } = decide([again], {
    byPartnerReferenceKey: [[0, rowOf(transferCommand({ ...pay, externalId: "other" }), 1)]],
    copied: [[0, { ...rejectedRow, id: again.id }]],
  });
  assert.deepEqual(outcomes.map(kindOf), ["insufficientFunds"]);
});

test("a rejection, also a repeated one, says when none of its rows was there to be locked", () => {
  const [absent, short] = [
    { ...pay, from: "8", to: "9" },
    { ...pay, amount: 5_000n, externalId: "short" },
  ];
  const { outcomes } = decide([absent, absent, short].map(transferCommand));
  assert.deepEqual(
    outcomes.map((outcome) => outcome.kind === "rejection" && outcome.lockedNothing === true),
    [true, true, false],
  );
});
