// Goal: which response ends an attempt, for every case of the standard's table and every write: first send and repeat.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type CaseName,
  type OperationRow,
  operationRows,
  operations,
  responseCases,
  transactionStatusCodes,
} from "@titian/contract";
import { makeAttempt } from "../../src/attempt.ts";
import { decideNext } from "../../src/settling/decide-next.ts";
import { inquiryOf } from "../../src/settling/inquiry.ts";
import {
  type End,
  type Known,
  learnFromInquiry,
  learnFromSend,
  neverSent,
  withSend,
} from "../../src/settling/known.ts";
import { seeInquiry } from "../../src/settling/see-inquiry.ts";
import { seeSend } from "../../src/settling/see-send.ts";
import { answer, repeated, silence, success } from "../helpers/answers.ts";

const caseNames = Object.keys(responseCases) as CaseName[];
const writes = operationRows.filter(({ kind }) => kind === "write");

type Outcome = Parameters<typeof seeSend>[1];

/** Known behind a send at second 2; `before`: whether one at second 1 had no response. */
function behind(row: OperationRow, outcome: Outcome, before: "first" | "repeat"): Known {
  const sentAt = (known: Known, signedAt: number, result: Outcome): Known =>
    learnFromSend(withSend(known, signedAt, signedAt), seeSend(row, result), {
      signedAt,
      before: known,
      isAskable: row.about.inquiry !== undefined,
      now: signedAt,
    });
  return sentAt(before === "first" ? neverSent : sentAt(neverSent, 1_000, silence), 2_000, outcome);
}

const endOf = (...call: Parameters<typeof behind>): End["state"] | undefined => behind(...call).end?.state;

/** Rejections before anything is looked up: they say nothing of another send. */
const keptOut = (name: CaseName) =>
  [400, 401, 405, 429].includes(responseCases[name].status) || name === "featureNotAllowed";
const passing: readonly CaseName[] = ["invalidToken", "tooManyRequests"];
const repeats: readonly CaseName[] = ["conflict", "duplicatePartnerReferenceNo", "inconsistentRequest"];

for (const row of writes) {
  test(`${row.name}: a rejection ends a first send unless it may pass, and a repeat only if it was looked up`, () => {
    for (const name of caseNames.filter((one) => responseCases[one].status >= 400)) {
      const { status } = responseCases[name];
      const isOpen = status >= 500 || repeats.includes(name);
      const first = isOpen || passing.includes(name) ? undefined : "rejected";
      assert.equal(endOf(row, answer(row, name), "first"), first, `${name}, first`);
      assert.equal(endOf(row, answer(row, name), "repeat"), isOpen || keptOut(name) ? undefined : "rejected", name);
    }
  });

  test(`${row.name}: what was accepted ends as its row says of the status`, () => {
    const { doneAt = [], failedAt = [], inquiry } = row.about;
    for (const status of transactionStatusCodes) {
      const known = behind(row, repeated(row, status), "repeat");
      assert.equal(known.end?.state, doneAt.includes(status) ? "done" : undefined, status);
      if (failedAt.includes(status)) assert.ok(inquiry !== undefined && known.next === "ask", "asks why");
      if (known.end === undefined) assert.equal(known.isAccepted, status !== "07", status);
    }
  });

  test(`${row.name}: success is its end, unless a notification has its result; in progress is none`, () => {
    const known = behind(row, success(row), "first");
    assert.equal(known.end?.state, row.about.notifiedBy === undefined ? "done" : undefined);
    assert.equal(endOf(row, answer(row, "requestInProgress"), "first"), undefined);
    assert.equal(endOf(row, silence, "first"), undefined);
  });

  test(`${row.name}: a rejection that was signed before another send does not decide that one`, () => {
    const before = withSend(neverSent, 9_000, 1_000);
    const sent = { signedAt: 2_000, before, isAskable: true, now: 2_000 };
    const seen = seeSend(row, answer(row, "insufficientFunds"));
    assert.equal(learnFromSend(withSend(before, 2_000, 2_000), seen, sent).end, undefined);
  });
}

const at = 1_000_000_000;
const open: Known = withSend(neverSent, at, at);
const limits = { windowMs: 300_000, now: at };
const nothing = { seen: "notFound", responseCode: "4043601", reason: "Transaction Not Found" } as const;

test("nothing found ends an attempt only when no send can arrive by the provider's clock, and its records are there", () => {
  const endAt = (known: Known, upTo: number | undefined) => learnFromInquiry(known, { ...nothing, upTo }, limits).end;
  for (const upTo of [undefined, at, at + 300_000, at + 360_000, at + 86_400_000]) assert.ok(!endAt(open, upTo));
  assert.equal(endAt(open, at + 360_001)?.state, "rejected");
  // The last of two sends that may arrive counts, and for the records the first.
  const twice = withSend(open, at + 60_000, at);
  assert.ok(!endAt(twice, at + 360_001));
  assert.equal(endAt(twice, at + 420_001)?.state, "rejected");
  for (const known of [
    { ...open, isAccepted: true },
    { ...open, isTaken: true },
  ])
    assert.ok(!endAt(known, at + 360_001));
});

test("what was accepted is asked for again where it is not found, and never rejected by a rule", () => {
  const known = { ...open, isAccepted: true };
  assert.equal(learnFromInquiry(known, { ...nothing, upTo: at }, limits).next, "ask");
  const sent = { signedAt: at, before: open, isAskable: true, now: at };
  const seen = { seen: "rejected", responseCode: "4031714", reason: "Insufficient Funds" } as const;
  for (const before of [known, { ...open, isTaken: true }]) assert.ok(!learnFromSend(before, seen, sent).end);
});

test("a send is signed later than every one that may arrive, unless that was signed far ahead", () => {
  assert.deepEqual(decideNext(neverSent, at), { step: "send", earliest: 0 });
  assert.deepEqual(decideNext(open, at), { step: "send", earliest: at + 1_000 });
  assert.deepEqual(decideNext(withSend(neverSent, at + 239_000, at), at), { step: "send", earliest: at + 240_000 });
  assert.deepEqual(decideNext(withSend(neverSent, at + 240_000, at), at), { step: "send", earliest: 0 });
  const waiting = { ...open, since: at, pauseMs: 500 };
  assert.deepEqual(decideNext(waiting, at + 499), { step: "wait", until: at + 500 });
  assert.equal(decideNext(waiting, at + 500).step, "send");
  assert.equal(decideNext(waiting, at - 1).step, "send", "the clock was set back");
});

test("an inquiry is believed about this attempt alone: not of another amount, nor of another external id", () => {
  const row: OperationRow = operations.intrabankTransfer;
  const attempt = makeAttempt("intrabankTransfer", "1", JSON.stringify(row.example.request));
  const inquiry = inquiryOf(row, attempt) ?? assert.fail();
  const { originalExternalId: _, amount: __, ...told } = operations.statusInquiryBank.example.response;
  const seenOf = (fields: object) =>
    seeInquiry(
      { row, attempt, inquiry, timeoutMs: 1_000 },
      answer(inquiry.row, "success", { fields: { ...told, ...fields }, at }),
    ).seen;
  const { value, currency } = operations.intrabankTransfer.example.request.amount;
  const unnumbered = { referenceNumber: "", latestTransactionStatus: "06" };
  assert.deepEqual([{}, { originalExternalId: "1" }, { amount: { value: `0${value}`, currency } }].map(seenOf), [
    "done",
    "done",
    "done",
  ]);
  assert.deepEqual([{ originalExternalId: "2" }, { amount: { value: "1.00", currency } }].map(seenOf), [
    "nothing",
    "nothing",
  ]);
  // Rejected before it was accepted, it has no number: a later send of it may be accepted yet.
  assert.deepEqual([unnumbered, { latestTransactionStatus: "06" }].map(seenOf), ["notFound", "failed"]);
});

test("a used number of an item rejects its bulk, whatever became of that item", () => {
  const row = operationRows.find(({ name }) => name === "interbankBulkTransfer") ?? assert.fail();
  const fields = { additionalInfo: { originalResponse: row.example.response, latestTransactionStatus: "00" } };
  for (const name of ["duplicatePartnerReferenceNo", "inconsistentRequest"] as const) {
    const outcome = answer(row, name, { field: "bulkObject[3].partnerReferenceNo", fields });
    assert.equal(endOf(row, outcome, "repeat"), "rejected");
  }
});
