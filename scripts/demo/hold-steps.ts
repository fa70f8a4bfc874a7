/** What the chapters about holds share: who is in them, and how money and sums are told and checked. */
import type { RequestOf } from "@titian/contract";
import type { ControlAccount, ControlHold } from "../support/control-api.ts";
import { codeOf, idr, type Stage } from "./stage.ts";

export interface Stay {
  readonly guest: ControlAccount;
  readonly merchantId: string;
  /** The hotel's account, where captured money goes. */
  readonly hotelAccountNo: string;
}

/** A hold as later calls name it. */
export interface PlacedHold {
  readonly referenceNo: string;
  readonly references: Pick<
    RequestOf<"authCapture">,
    "originalReferenceNo" | "originalPartnerReferenceNo" | "merchantId"
  >;
}

export interface Expected {
  /** Ledger and available balance of the guest, and the hotel's ledger balance. */
  readonly guest: readonly [string, string];
  readonly hotel: string;
  /** The parts of what was held that are not nothing, and the state. */
  readonly hold: string;
}

/** Places a hold on the guest's account that must succeed. */
export async function placeHold(
  { client, narrator }: Stage,
  { guest, merchantId }: Stay,
  partnerReferenceNo: string,
  value: string,
): Promise<PlacedHold> {
  const answer = client.authPayment({
    partnerReferenceNo,
    merchantId,
    title: "Room 12",
    amount: idr(value),
    additionalInfo: { sourceAccountNo: guest.accountNo },
  });
  narrator.expect(`hold ${partnerReferenceNo}`, "2006300", await codeOf(answer));
  const { referenceNo = "" } = await answer;
  narrator.tell(`Our number of it is ${referenceNo}.`);
  const references = {
    originalReferenceNo: referenceNo,
    originalPartnerReferenceNo: partnerReferenceNo,
    merchantId,
  };
  return { referenceNo, references };
}

/** Compares where the money is now, and so tells it. */
export async function expectMoney(
  { control, narrator }: Pick<Stage, "control" | "narrator">,
  { guest, hotelAccountNo }: Stay,
  { referenceNo }: Pick<PlacedHold, "referenceNo">,
  step: string,
  expected: Expected,
): Promise<void> {
  const payer = await control.account(guest.accountNo);
  const hotel = await control.account(hotelAccountNo);
  const found = tellBalances([payer.ledgerBalance, payer.availableBalance], hotel.ledgerBalance);
  narrator.expect(`money ${step}`, tellBalances(expected.guest, expected.hotel), found);
  narrator.expect(`hold ${step}`, expected.hold, tellHold(await control.hold(referenceNo)));
}

export function tellBalances([ledger, available]: readonly [string, string], hotel: string): string {
  return `guest ${ledger}, available ${available}; hotel ${hotel}`;
}

function tellHold({ captured, voided, expired, remaining, refunded, state }: ControlHold): string {
  const parts = { captured, voided, expired, remaining };
  const told = Object.entries(parts).filter(([, amount]) => amount !== "0.00");
  const sums = told.map(([name, amount]) => `${amount} ${name}`).join(" + ");
  return `${sums}${refunded === "0.00" ? "" : `; ${refunded} refunded`} (${state})`;
}
