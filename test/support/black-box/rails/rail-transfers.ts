/** Transfers over rails as a partner's system sends them (18, 22, 23), and their status as 36 tells it. */
import assert from "node:assert/strict";
import { type Answer, type Caller, type Json, newNumber } from "../caller.ts";
import { eventually } from "../answers.ts";
import type { RailService } from "./rail-services.ts";
import { idr, statusPath } from "../transfers.ts";

/** A valid body of 18, 22 or 23, to an account that no scenario is about. */
export function railBody({ service, value }: RailService, from: string, more: Json = {}): Json {
  return {
    partnerReferenceNo: newNumber(),
    amount: idr(value),
    beneficiaryAccountNo: "7001001001",
    beneficiaryAccountName: "Siti Nur Aini",
    beneficiaryBankCode: "014",
    sourceAccountNo: from,
    transactionDate: "2026-11-21T10:00:00+07:00",
    ...(service !== "18" && { beneficiaryCustomerResidence: "1", beneficiaryCustomerType: "2" }),
    ...more,
  };
}

/** Asks 36 about the transfer of a response of 18, 22 or 23. */
export function inquire(caller: Caller, { service }: RailService, { body }: Answer): Promise<Answer> {
  const { partnerReferenceNo } = body;
  return caller.call(statusPath, { serviceCode: service, originalPartnerReferenceNo: partnerReferenceNo });
}

/** Asserts the status that 36 tells of it. */
export async function expectStatus(
  caller: Caller,
  service: RailService,
  answer: Answer,
  status: string,
): Promise<Answer> {
  const found = await inquire(caller, service, answer);
  assert.equal(found.body["latestTransactionStatus"], status, found.text);
  return found;
}

/** Waits until 36 tells the status: what happens behind a response takes a moment. */
export async function untilStatus(caller: Caller, service: RailService, answer: Answer, status: string): Promise<void> {
  await eventually(async () => (await inquire(caller, service, answer)).body["latestTransactionStatus"] === status);
}
