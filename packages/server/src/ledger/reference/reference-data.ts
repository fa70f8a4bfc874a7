/** Reference data as `decide` sees it: a versioned copy, refreshed by every node within 2 s, never money. */
import type { Minor } from "../money.ts";
import type { PaymentRequestLimits } from "../payment-requests/payment-request.ts";
import type { Directory } from "./directory.ts";
import type { RailData } from "../rails/terms.ts";
import type { Closed } from "./switches.ts";

export interface PartnerTerms {
  readonly key: string;
  readonly partnerId: string;
  readonly status: "active" | "suspended" | "retired";
  /** Cells in which it may have accounts, the first it had first. Absent: home alone. */
  readonly cells?: readonly PartnerCell[];
}

export interface PartnerCell {
  readonly cell: number;
  /** From when it takes calls (epoch ms, real): it was added to a partner that had others. Absent: from the beginning. */
  readonly since?: number;
}

const homeAlone: readonly PartnerCell[] = [{ cell: 0 }];

/** The first it had first; home alone of one that is unknown. */
export function cellsOfPartner(partner: Pick<PartnerTerms, "cells"> | undefined): readonly PartnerCell[] {
  return partner?.cells ?? homeAlone;
}

export interface MerchantTerms {
  readonly key: string;
  /** Internal id of its partner. */
  readonly partner: string;
  readonly merchantId: string;
  readonly status: "active" | "suspended";
  /** Account id its money goes to, and the currency of that account. */
  readonly settlementAccount: string;
  readonly currency: string;
  /** Account id that pays where a call names no payer (spec D10). */
  readonly payerAccount?: string;
  /** Amount that is held where a call names none; minor units of the settlement account's currency. */
  readonly defaultHoldAmount?: Minor;
  /** True: 63-69 need `Authorization-Customer` (spec D2, step 12). */
  readonly customerTokenRequired: boolean;
  /** Duration of a hold where a call does not say (ms); spec D10. */
  readonly holdMs: number;
  /** For how long after a capture it may be refunded (ms); spec D10. */
  readonly refundMs: number;
}

/** Settings of the service for decisions. */
export interface ServiceTerms {
  /** Time for which an external id stays taken after its first use (ms); spec D7. */
  readonly idempotencyWindowMs: number;
  /** Largest number of captures of one hold, also of its voids and of its refunds; spec D10. */
  readonly holdEventsMax: number;
  /** Limits of requests for payment (19); spec D12. */
  readonly paymentRequests: PaymentRequestLimits;
  /** Rails, holidays and banks: the same for as long as the process runs (spec D11). */
  readonly rails: RailData;
}

export interface Reference extends ServiceTerms {
  readonly version: number;
  /** By internal id. */
  readonly partners: ReadonlyMap<string, PartnerTerms>;
  /** By `merchantKeyOf`. */
  readonly merchants: ReadonlyMap<string, MerchantTerms>;
  /** Names of the switches that are closed. */
  readonly closed: Closed;
  readonly directory: Directory;
}

/** Key of a merchant: internal id of its partner, and the partner's id of it. */
export function merchantKeyOf(partner: string, merchantId: string): string {
  return `${partner}/${merchantId}`;
}
