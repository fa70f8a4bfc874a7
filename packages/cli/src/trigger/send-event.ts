/** The call that an event begins with: real, signed, from an account of the partner to those of the scenarios. */
import type { Client } from "@titian/client";
import { newId, toReferenceNo } from "@titian/server/admin";
import { CliError } from "../cli-error.ts";
import type { SandboxFile, SandboxPartner } from "../sandbox/sandbox-file.ts";
import { isBulk, type TriggerEvent } from "./events.ts";

export interface EventOrder {
  readonly event: TriggerEvent;
  readonly sourceAccountNo: string;
  /** Decimal text in IDR. */
  readonly amount: string;
  readonly beneficiaries: readonly Beneficiary[];
  /** ISO 8601, of the sandbox's clock. */
  readonly transactionDate: string;
}

export interface Beneficiary {
  readonly bankCode: string;
  readonly accountNo: string;
  /** Scenario of the account. */
  readonly outcome: string;
}

export interface SentEvent {
  /** Reference number; of a bulk its `bulkId`. */
  readonly referenceNo: string;
  /** Partner's number; of a bulk its `partnerBulkId`. */
  readonly partnerReferenceNo: string;
  readonly externalId: string;
  /** `partnerReferenceNo` of each item of a bulk. */
  readonly items?: readonly string[];
}

/** @throws CliError where the partner has no account that can pay. */
export function findSource({ accounts }: SandboxFile, { partnerId, sourceAccounts }: SandboxPartner): string {
  const active = new Set(accounts.filter(({ status }) => status === "active").map(({ accountNo }) => accountNo));
  const source = sourceAccounts.find((accountNo) => active.has(accountNo));
  if (source !== undefined) return source;
  throw new CliError(`sandbox.json has no active account that ${partnerId} may debit.`);
}

/** @throws CliError where the rails are not simulated. */
export function findBeneficiaries({ scenarios }: SandboxFile, { outcomes }: TriggerEvent): readonly Beneficiary[] {
  return outcomes.map((outcome) => {
    const found = scenarios.find((scenario) => scenario.outcome === outcome);
    if (found !== undefined) {
      return { bankCode: found.beneficiaryBankCode, accountNo: found.beneficiaryAccountNo, outcome };
    }
    throw new CliError(
      `sandbox.json has no scenario ${outcome}: the program that runs this sandbox has connected a rail of its own, and decides itself what becomes of a transfer.`,
    );
  });
}

const beneficiaryName = "Titian Trigger";
const newNumber = () => toReferenceNo(newId());
/** A resident, and a company. */
const party = { beneficiaryCustomerResidence: "1", beneficiaryCustomerType: "2" } as const;

/** @throws as the client does. */
export async function sendEvent(client: Client, order: EventOrder): Promise<SentEvent> {
  const { event, amount: value, sourceAccountNo, transactionDate } = order;
  const amount = { value, currency: "IDR" } as const;
  if (isBulk(event.operation)) return sendBulk(client, order, amount);
  const [beneficiary] = order.beneficiaries;
  if (beneficiary === undefined) throw new CliError(`The event ${event.name} has no beneficiary.`);
  const partnerReferenceNo = newNumber();
  const { referenceNo, externalId } = await client[event.operation]({
    partnerReferenceNo,
    amount,
    sourceAccountNo,
    transactionDate,
    beneficiaryAccountNo: beneficiary.accountNo,
    beneficiaryAccountName: beneficiaryName,
    beneficiaryBankCode: beneficiary.bankCode,
    ...party,
  });
  return { referenceNo: numberOf(referenceNo), partnerReferenceNo, externalId };
}

async function sendBulk(
  client: Client,
  { sourceAccountNo, transactionDate, beneficiaries }: EventOrder,
  amount: { readonly value: string; readonly currency: "IDR" },
): Promise<SentEvent> {
  const partnerBulkId = newNumber();
  const bulkObject = beneficiaries.map(({ bankCode, accountNo }) => ({
    partnerReferenceNo: newNumber(),
    bankCode,
    beneficiaryAccountNo: accountNo,
    beneficiaryAccountName: beneficiaryName,
    amount,
  }));
  const { bulkId, externalId } = await client.interbankBulkTransfer({
    customerReference: "TRIGGER",
    sourceAccountNo,
    transactionDate,
    partnerBulkId,
    bulkObject,
  });
  const items = bulkObject.map(({ partnerReferenceNo }) => partnerReferenceNo);
  return { referenceNo: numberOf(bulkId), partnerReferenceNo: partnerBulkId, externalId, items };
}

function numberOf(referenceNo: string | undefined): string {
  if (referenceNo !== undefined) return referenceNo;
  throw new CliError("The call was accepted, and its response has no reference number.");
}
