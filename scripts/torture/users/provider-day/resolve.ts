/** The seventh step: a transfer that its rail is silent about gets its result by two operators, and an entry is corrected by two. */
import assert from "node:assert/strict";
import { accounts, type Day, timeUntil } from "./day.ts";
import { clientsOf } from "./closings.ts";
import { interbankTo, statusOf } from "./bodies.ts";
import { done } from "./people.ts";
import { silentAccountNo } from "./rail-side.ts";
import { expectCode } from "./shop.ts";

const partnerReferenceNo = "R-18";

export async function resolveAndCorrect(day: Day): Promise<string> {
  const { people, rail, staff } = day;
  const { operator, approver, support, viewer } = staff;
  const [first, second] = clientsOf(day);
  assert.ok(first && second);
  const sent = first.interbankTransfer(interbankTo(silentAccountNo, partnerReferenceNo, "25000.00"));
  const { referenceNo = "" } = await expectCode("2021800", sent);
  await timeUntil(10_000, async () => rail.seen.has(referenceNo));
  assert.match(done(await people.titian(viewer, "transfer", "list")), new RegExp(referenceNo));
  const reason = "as the rail's operator says, case 4711";
  const unmasked = await people.call(support, "POST", `records/${referenceNo}/unmask`, { reason });
  assert.equal(unmasked.status, 200, JSON.stringify(unmasked.body));

  const why = ["--reason", reason] as const;
  const resolution = await people.propose(operator, "transfer", "resolve", referenceNo, "settled", "--yes", ...why);
  await mayNotApprove(day, resolution.actId);
  await people.approve(approver, resolution.actId);
  const status = await expectCode("2003600", second.statusInquiryBank(statusOf(partnerReferenceNo)));
  assert.equal(status.latestTransactionStatus, "00");

  const entries = ["--debit", `${accounts.other}=500.00`, "--credit", `${accounts.payer}=500.00`];
  const correction = await people.propose(operator, "account", "correct", ...entries, "--reference", "R-1", ...why);
  await mayNotApprove(day, correction.actId);
  await people.approve(approver, correction.actId);
  const shown = done(await people.titian(operator, "account", "entries", accounts.payer, "--limit", "1"));
  assert.match(shown, /500\.00/);
  return "unknown (03) to settled (00), and an entry corrected, by two operators each; the proposer's own approval was rejected twice";
}

/** By the database's word, whatever roles he has. */
async function mayNotApprove({ people, staff: { operator } }: Day, actId: string): Promise<void> {
  const { exitCode, stdout, stderr } = await people.titian(operator, "act", "approve", actId, "--yes");
  assert.equal(exitCode, 1, stdout);
  assert.match(stderr, /approve/);
}
