/** Payment requests (19) as a partner's system sends them, and the payer's answers over the control API of any node. */
import assert from "node:assert/strict";
import { type Answer, type Caller, type Json, newNumber } from "./caller.ts";
import { createControl } from "./control.ts";
import { eventually } from "./answers.ts";
import type { RailFixture } from "./rails/rail-fixture.ts";
import type { SandboxFile } from "./sandbox-file.ts";
import { withClient } from "../database/with-client.ts";
import { expectCode, idr, statusPath } from "./transfers.ts";

export const paymentRequestPath = "transfer-request-for-payment";

/** A valid body to an account at another bank that no scenario is about; it expires at the end of the fixture's week. */
export function paymentRequestBody({ at }: Pick<RailFixture, "at">, payer: string, more: Json = {}): Json {
  return {
    partnerReferenceNo: newNumber(),
    bankCode: "014",
    beneficiaryAccountNo: "7001001001",
    beneficiaryAccountName: "Siti Nur Aini",
    expiredDatetime: at(7, "00:00:00"),
    sourceAccountNo: payer,
    sourceAccountName: "A payer",
    amount: idr("10000.00"),
    ...more,
  };
}

/** Sends a payment request by alpha that must be accepted. */
export async function requestPayment(fixture: RailFixture, payer: string, more: Json = {}): Promise<Answer> {
  const answer = await fixture.alpha.call(paymentRequestPath, paymentRequestBody(fixture, payer, more));
  expectCode(answer, "2001900");
  return answer;
}

/** Counts the payment requests of a payer's account, in every state, as they stand in the sandbox's database. */
export async function countPaymentRequests({ databaseUrl }: SandboxFile, payer: string): Promise<number> {
  const text = `select count(*)::int as found from payment_requests join accounts on accounts.id = payer_account_id
    where account_no = $1`;
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ readonly found: number }>(text, [payer]);
    return rows[0]?.found ?? 0;
  });
}

export const referenceOf = ({ body }: Answer): string => String(body["referenceNo"]);

/** Asks 36 about a payment request. */
export function inquireRequest(caller: Caller, answer: Answer): Promise<Answer> {
  return caller.call(statusPath, { serviceCode: "19", originalReferenceNo: referenceOf(answer) });
}

export async function expectRequestStatus(caller: Caller, answer: Answer, status: string): Promise<Answer> {
  const found = await inquireRequest(caller, answer);
  assert.equal(found.body["latestTransactionStatus"], status, found.text);
  return found;
}

export async function untilRequestStatus(caller: Caller, answer: Answer, status: string): Promise<void> {
  await eventually(async () => (await inquireRequest(caller, answer)).body["latestTransactionStatus"] === status);
}

export interface Payer {
  approve(request: Answer, body?: Json): Promise<Json>;
  decline(request: Answer): Promise<Json>;
}

/** The payer's answers by a node; absent: the fixture's first. Each is rejected as the control API rejects it. */
export function payerAt({ sandbox }: RailFixture, baseUrl = sandbox.file.baseUrl): Payer {
  const { call } = createControl({ ...sandbox.file, baseUrl }, sandbox.agent);
  const path = (request: Answer, verb: string) => `payment-requests/${referenceOf(request)}/${verb}`;
  return {
    approve: (request, body) => call("POST", path(request, "approve"), body),
    decline: (request) => call("POST", path(request, "decline")),
  };
}
