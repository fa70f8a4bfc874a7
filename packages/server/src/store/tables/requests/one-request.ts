/** A short batch of one request that moves money between two accounts: plain values instead of arrays (0052-short-batches.sql). */
import type { Statement, StatementValue } from "../../postgres/session.ts";
import { rangeOfRejections } from "./rejected-requests.ts";
import type { ShortBatch } from "./short-batch.ts";

const accountTypes = ["uuid", "xid", "bigint", "bigint", "bigint", "bigint", "int", "bigint", "int", "bigint"];
const callTypes = ["timestamptz", "uuid", "uuid", "uuid"];
const requestTypes = ["uuid", "uuid", "int", "uuid", "uuid", "uuid", "uuid", "text", "text", "text"];
const types = ["timestamptz", ...accountTypes, ...accountTypes, "int", "text", ...callTypes, ...requestTypes];

export const oneRequest: Statement = {
  name: "write-one-request",
  text: `select write_one_request_v1(${types.map((type, position) => `$${position + 1}::${type}`).join(", ")})`,
};

/** Undefined: it is another batch. */
export function valuesOfOneRequest(batch: ShortBatch): readonly StatementValue[] | undefined {
  const { at, read, calls, requests, entries } = batch;
  const [request] = requests;
  const [call] = calls;
  const [entry, entryOfOther] = entries;
  if (!request || !call || requests.length > 1 || read.length !== 2) return undefined;
  if (!entry || !entryOfOther || entries.length > 2) return undefined;
  // Both are written with one: the check of a journal would not see two currencies.
  if (entry.currency !== entryOfOther.currency || entry.kind !== entryOfOther.kind) return undefined;
  // With an external id that stays another's it has one key.
  if (request.isExternalIdTaken) return undefined;
  const one = valuesOfAccount(batch, 0);
  const other = valuesOfAccount(batch, 1);
  if (!one || !other) return undefined;
  return [
    at,
    ...one,
    ...other,
    entry.kind,
    entry.currency,
    new Date(call.sentAt).toISOString(),
    call.signatureKey,
    ...rangeOfRejections(calls),
    request.id,
    request.partner,
    request.service,
    request.externalIdKey,
    request.partnerReferenceKey,
    request.bodyHash,
    request.requestFingerprint,
    request.externalId,
    request.payload,
    request.freeForm ?? null,
  ];
}

/** The account as it is remembered, and as its one entry leaves it; undefined: it does not have one entry. */
function valuesOfAccount(
  { read, entries, updates }: ShortBatch,
  position: number,
): readonly StatementValue[] | undefined {
  const { account, xmin } = read[position] as ShortBatch["read"][number];
  const entry = entries.find(({ accountId }) => accountId === account.id);
  const left = updates.find((update) => update.account.id === account.id)?.account;
  if (!entry || !left) return undefined;
  const { day, total, count } = left.dailyUse;
  return [
    account.id,
    xmin,
    account.version,
    account.balance.toString(),
    left.balance.toString(),
    left.held.toString(),
    day,
    total.toString(),
    count,
    entry.amount.toString(),
  ];
}
