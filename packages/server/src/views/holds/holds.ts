/** Holds with their amounts and events. A hold past its expiry counts as expired before the job has run. */
import { operations } from "@titian/contract";
import { fromReferenceNo, toReferenceNo } from "../../basics/ids.ts";
import { type HoldEventKind, holdAt, remaining } from "../../ledger/holds/hold.ts";
import { type HoldState, holdState, holdStates } from "../../ledger/holds/states.ts";
import { findAccountsById } from "../../store/reads/accounts.ts";
import { findHoldOfChange, listHoldEvents as readHoldEvents } from "./hold-events.ts";
import { findHold as readHold, type FoundHold } from "../../store/reads/holds.ts";
import { type AccountSummary, summarizeAccount } from "../accounts/accounts.ts";
import { partnerIdOf, type QueryDeps } from "../query-deps.ts";

export interface HoldSummary {
  readonly referenceNo: string;
  readonly partnerReferenceNo: string;
  readonly merchantId: string;
  readonly payerAccountNo: string;
  readonly settlementAccountNo: string;
  /** ISO 4217. */
  readonly currency: string;
  /** Amounts in minor units: held = captured + voided + expired + remaining. */
  readonly held: bigint;
  readonly captured: bigint;
  readonly voided: bigint;
  readonly expired: bigint;
  /** What may still be captured or voided. */
  readonly remaining: bigint;
  /** Of what was captured. */
  readonly refunded: bigint;
  readonly state: HoldState;
  /** Business time (epoch ms). */
  readonly placedAt: number;
  readonly expiresAt: number;
}

export interface HoldDetails extends HoldSummary {
  /** `X-PARTNER-ID`. */
  readonly partnerId: string;
  readonly subMerchantId: string | undefined;
  readonly externalStoreId: string | undefined;
  readonly payer: AccountSummary | undefined;
  readonly settlement: AccountSummary | undefined;
  /** `latestTransactionStatus` of service 64. */
  readonly status: string;
  /** Of the state, as a sentence. */
  readonly meaning: string;
  /** Number of its events. */
  readonly events: number;
}

export interface HoldEventSummary {
  /** Position in the hold, numbered from 1. */
  readonly sequence: number;
  readonly kind: HoldEventKind;
  /** Whether a last capture (65) released the remaining amount. */
  readonly isOfLastCapture: boolean;
  /** Minor units. */
  readonly amount: bigint;
  /** Business time (epoch ms). */
  readonly at: number;
  /** captureNo, voidNo or refundNo; undefined for an expiry. */
  readonly referenceNo: string | undefined;
  /** Account credited; undefined when no money moved. */
  readonly toAccountNo: string | undefined;
  /** captureNo of the capture that a refund debits. */
  readonly captureNo: string | undefined;
}

/** @param now business time (epoch ms). */
export function summarizeHold({ hold, payerAccountNo, settlementAccountNo }: FoundHold, now: number): HoldSummary {
  const present = holdAt(hold, now);
  const { held, captured, voided, expired, refunded, currency, partnerReferenceNo, merchantId } = present;
  return {
    referenceNo: toReferenceNo(hold.id),
    partnerReferenceNo,
    merchantId,
    payerAccountNo,
    settlementAccountNo,
    currency,
    held,
    captured,
    voided,
    expired,
    refunded,
    remaining: remaining(present),
    state: holdState(present),
    placedAt: hold.at,
    expiresAt: hold.expiresAt,
  };
}

/** The hold of this referenceNo. */
export async function findHoldSummary(
  { pool, clock }: Pick<QueryDeps, "pool" | "clock">,
  referenceNo: string,
): Promise<HoldSummary | undefined> {
  const id = fromReferenceNo(referenceNo);
  const found = id === undefined ? undefined : await readHold(pool, id);
  return found && summarizeHold(found, clock.now());
}

/** The hold of this referenceNo, or of the captureNo, voidNo or refundNo of one of its events. */
export async function findHold(deps: QueryDeps, number: string): Promise<HoldDetails | undefined> {
  const { pool, clock } = deps;
  const id = fromReferenceNo(number);
  const found = id === undefined ? undefined : ((await readHold(pool, id)) ?? (await findByChange(deps, id)));
  if (!found) return undefined;
  const { hold } = found;
  const accounts = await findAccountsById(pool, [hold.payer, hold.settlement]);
  const [payer, settlement] = [accounts.get(hold.payer), accounts.get(hold.settlement)];
  const summary = summarizeHold(found, clock.now());
  const { status, meaning } = holdStates[summary.state];
  return {
    ...summary,
    partnerId: partnerIdOf(deps, hold.partner),
    subMerchantId: hold.subMerchantId,
    externalStoreId: hold.externalStoreId,
    payer: payer && summarizeAccount(payer),
    settlement: settlement && summarizeAccount(settlement),
    status,
    meaning,
    events: hold.eventCount,
  };
}

async function findByChange({ pool }: QueryDeps, id: string): Promise<FoundHold | undefined> {
  const hold = await findHoldOfChange(pool, id);
  return hold === undefined ? undefined : readHold(pool, hold);
}

const captureService = Number(operations.authCapture.code);

/** A page of the events of a hold, newest first. */
export async function listHoldEvents(
  { pool }: Pick<QueryDeps, "pool">,
  referenceNo: string,
  page: { readonly before: number; readonly limit: number },
): Promise<readonly HoldEventSummary[]> {
  const id = fromReferenceNo(referenceNo);
  const events = id === undefined ? [] : await readHoldEvents(pool, id, page);
  return events.map(({ sequence, kind, amount, command, service, toAccountNo, captureCommand, at }) => ({
    sequence: sequence,
    kind,
    isOfLastCapture: kind === "void" && service === captureService,
    amount,
    at,
    referenceNo: service === undefined ? undefined : toReferenceNo(command),
    toAccountNo: kind === "void" ? undefined : toAccountNo,
    captureNo: captureCommand === undefined ? undefined : toReferenceNo(captureCommand),
  }));
}
