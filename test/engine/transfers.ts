/** Transfers of the engine's tests: small commands whose keys a test can choose. */
import { homeAlone } from "../../packages/server/src/ledger/reference/directory.ts";
import type { Command } from "../../packages/server/src/engine/command.ts";
import type { Locks } from "../../packages/server/src/engine/rows/lock-order.ts";
import {
  requestFingerprint,
  externalIdKey,
  partnerReferenceKey,
  shortBodyHash,
  signatureKey,
} from "../../packages/server/src/engine/batch/idempotency-keys.ts";
import type { Reference } from "../../packages/server/src/ledger/reference/reference-data.ts";
import { newId } from "../../packages/server/src/basics/ids.ts";
import type { Account } from "../../packages/server/src/ledger/accounts/account.ts";
import { businessDay } from "../../packages/server/src/ledger/business-day.ts";
import { minor } from "../../packages/server/src/ledger/money.ts";
import { decideIntrabankTransfer } from "../../packages/server/src/ledger/transfers/intrabank.ts";
import { rails } from "../support/rails.ts";
import { paymentRequestLimits } from "../support/payment-request-limits.ts";

/** Internal id of the default partner. */
export const partner = "0190aaaa-0000-7000-8000-000000000001";

export interface Transfer {
  /** The command's id; by default a new one. */
  readonly id?: string;
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  /** By default also its number and its signature. */
  readonly externalId: string;
  readonly number?: string;
  readonly signature?: string;
  readonly body?: string;
  readonly currency?: string;
  readonly partner?: string;
  readonly service?: number;
  /** Time that its caller waits (ms); default 10 s. */
  readonly commandTimeoutMs?: number;
  readonly windowEndsAt?: number;
  /** By default later than that of every command before. */
  readonly sentAt?: number;
}

export interface TransferPayload {
  readonly from: string;
  readonly to: string;
  readonly amount: string;
}

let sendCount = 0;

const hashOf = (text: string) => Buffer.from(text).toString("hex").padEnd(32, "0");

/** The command of a transfer, as operation 17 makes it. */
export function transferCommand(transfer: Transfer): Command<TransferPayload> {
  const { from, to, amount, externalId, currency = "IDR", service = 17 } = transfer;
  const by = transfer.partner ?? partner;
  const locks: Locks = { accountNumbers: [from, to] };
  return {
    id: transfer.id ?? newId(),
    deadline: Date.now() + (transfer.commandTimeoutMs ?? 10_000),
    ...(transfer.windowEndsAt === undefined ? {} : { windowEndsAt: transfer.windowEndsAt }),
    partner: by,
    keys: {
      partner: by,
      service,
      externalId,
      externalIdKey: externalIdKey(by, externalId),
      partnerReferenceKey: partnerReferenceKey(by, String(service), transfer.number ?? externalId),
      signatureKey: signatureKey(by, transfer.signature ?? externalId),
      sentAt: transfer.sentAt ?? (sendCount += 1),
      bodyHash: shortBodyHash(hashOf(transfer.body ?? `${from}${to}${amount}`)),
      requestFingerprint: requestFingerprint([from, to, String(amount), currency]),
    },
    rejectionPayload: () => "{}",
    locks,
    decide: (found, { now }) => {
      const order = { partner: by, amount: minor(amount), currency, day: businessDay(now) };
      const decision = decideIntrabankTransfer(order, found.account(from), found.account(to));
      if (decision.kind !== "effect") return decision;
      return { kind: "effect", effect: { ...decision.effect, payload: { from, to, amount: String(amount) } } };
    },
  };
}

/** An active customer account of the partner; its id is made from the digits of its number. */
export function account(accountNo: string, changes: Partial<Account> = {}): Account {
  return {
    id: accountId(accountNo),
    accountNo,
    name: `holder of ${accountNo}`,
    currency: "IDR",
    purpose: "customer",
    type: "S",
    status: "active",
    partners: [partner],
    balance: minor(0n),
    held: minor(0n),
    version: 0,
    minimumBalance: minor(0n),
    limits: {},
    dailyUse: { day: 0, total: minor(0n), count: 0 },
    ...changes,
  };
}

export function accountId(accountNo: string): string {
  return `01900000-0000-7000-8000-${accountNo.replaceAll(/\D/g, "").padStart(12, "0")}`;
}

export function referenceWith(idempotencyWindowMs: number): Reference {
  return {
    version: 1,
    partners: new Map(),
    closed: new Set(),
    directory: homeAlone,
    merchants: new Map(),
    idempotencyWindowMs,
    holdEventsMax: 1_000,
    paymentRequests: paymentRequestLimits,
    rails,
  };
}
