/** What the chapters about other banks share: who pays, what is sent, and where the money is told and checked to be. */
import { setTimeout as sleep } from "node:timers/promises";
import { formatTimestamp, type RequestOf } from "@titian/contract";
import { idr, type Stage } from "./stage.ts";

export type Rail = "interbank" | "rtgs" | "skn";

export interface Payer {
  readonly accountNo: string;
  readonly name: string;
}

/** Where the money is: with the payer, waiting for the rail's result, with the rail, and our fees. */
export interface Whereabouts {
  readonly payer: string;
  readonly waiting: string;
  readonly carried: string;
  readonly fees: string;
}

/** Of a scenario of `sandbox.json`. */
export function beneficiaryOf({ scenarios }: Stage, outcome: string) {
  const scenario = scenarios.find((one) => one.outcome === outcome);
  if (scenario === undefined) throw new Error(`sandbox.json has no scenario ${outcome}.`);
  const { beneficiaryBankCode, beneficiaryAccountNo } = scenario;
  return { beneficiaryBankCode, beneficiaryAccountNo };
}

/** The request of 18, and what 22 and 23 share with it. */
export function transferTo(
  stage: Stage,
  { accountNo }: Payer,
  { outcome, number, value }: { readonly outcome: string; readonly number: string; readonly value: string },
): RequestOf<"interbankTransfer"> {
  return {
    partnerReferenceNo: number,
    amount: idr(value),
    ...beneficiaryOf(stage, outcome),
    beneficiaryAccountName: "Ratna Kusuma",
    sourceAccountNo: accountNo,
    transactionDate: formatTimestamp(Date.now()),
  };
}

/** Compares where the money is now, and so tells it. */
export async function expectWhereabouts(
  { control, narrator }: Stage,
  { accountNo }: Payer,
  rail: Rail,
  step: string,
  expected: Whereabouts,
): Promise<void> {
  const [payer, waiting, carried, fees] = await Promise.all(
    [accountNo, `suspense:${rail}:IDR`, `clearing:${rail}:IDR`, `fee:${rail}:IDR`].map((one) => control.balance(one)),
  );
  const found = { payer: payer ?? "", waiting: waiting ?? "", carried: carried ?? "", fees: fees ?? "" };
  narrator.expect(`money ${step}`, tell(expected), tell(found));
}

function tell({ payer, waiting, carried, fees }: Whereabouts): string {
  return `payer ${payer}; waiting ${waiting}; with the rail ${carried}; fees ${fees}`;
}

const askForMs = 5_000;
const askEveryMs = 50;

/** Asks for the status (36) until it is the expected one, or for five seconds. */
export async function expectStatus(
  { client, narrator }: Stage,
  serviceCode: "18" | "22" | "23",
  originalReferenceNo: string,
  expected: string,
): Promise<void> {
  const until = performance.now() + askForMs;
  for (;;) {
    const answer = await client.statusInquiryBank({ serviceCode, originalReferenceNo });
    const found = `${answer.latestTransactionStatus} ${answer.transactionStatusDesc ?? ""}`;
    if (found === expected || performance.now() > until) {
      narrator.expect("status inquiry (36)", expected, found);
      return;
    }
    await sleep(askEveryMs);
  }
}
