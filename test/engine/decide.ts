/** Decides batches over given rows, without a database. */
import assert from "node:assert/strict";
import type { Command, Context, GivenUp, Unconfirmed } from "../../packages/server/src/engine/command.ts";
import { decideBatch, type Loaded } from "../../packages/server/src/engine/batch/decide.ts";
import { minor } from "../../packages/server/src/ledger/money.ts";
import type { RejectedRequest } from "../../packages/server/src/store/tables/requests/rejected-requests.ts";
import type { AcceptedRequest } from "../../packages/server/src/store/tables/requests/accepted-requests.ts";
import { account, partner, referenceWith, type Transfer } from "./transfers.ts";

export const windowMs = 86_400_000;
export const now = Date.UTC(2026, 10, 21, 3);
export const context: Context = { now, reference: referenceWith(windowMs) };
const rich = account("1", { balance: minor(1_000n), version: 4 });
const poor = account("2");
export const pay: Transfer = { from: "1", to: "2", amount: 100n, externalId: "call-1" };

export interface Past {
  readonly byExternalIdKey?: readonly (readonly [number, AcceptedRequest])[];
  readonly byPartnerReferenceKey?: readonly (readonly [number, AcceptedRequest])[];
  /** Rejections found by signature, by external id, and by number and content. */
  readonly copied?: readonly (readonly [number, RejectedRequest])[];
  readonly nextSent?: readonly (readonly [number, RejectedRequest])[];
  readonly nextOfIntent?: readonly (readonly [number, RejectedRequest])[];
}

export function loaded(past: Past = {}): Loaded {
  return {
    accounts: [rich, poor],
    holds: [],
    captures: new Map(),
    transfers: [],
    paymentRequests: [],
    openRequests: new Map(),
    bulks: [],
    writes: {
      byExternalIdKey: new Map(past.byExternalIdKey),
      byPartnerReferenceKey: new Map(past.byPartnerReferenceKey),
    },
    rejections: {
      bySignature: new Map(past.copied),
      nextSent: new Map(past.nextSent),
      nextOfIntent: new Map(past.nextOfIntent),
    },
    locked: new Map(),
  };
}

export function decide(commands: readonly Command<unknown>[], past?: Past) {
  return decideBatch(commands, loaded(past), context);
}

/** The row of a command accepted `agoMs` before now. */
export function rowOf(command: Command<unknown>, agoMs: number): AcceptedRequest {
  const { keys } = command;
  assert.ok(keys);
  const { externalId, partnerReferenceKey, service, bodyHash, requestFingerprint } = keys;
  const payload = JSON.stringify({ from: "1", to: "2", amount: "100" });
  const at = now - agoMs;
  return {
    id: command.id,
    partner,
    service,
    externalId,
    partnerReferenceKey,
    bodyHash,
    requestFingerprint,
    payload,
    freeForm: undefined,
    at,
  };
}

export const kindOf = (outcome: Unconfirmed<unknown> | GivenUp | undefined): string | undefined =>
  outcome?.kind === "repeat" ? outcome.repeat : outcome?.kind === "rejection" ? outcome.rejection.kind : outcome?.kind;
