/** Outcomes of repeated calls (spec D7), from the requests that were found and those of the same batch. */
import { isFence } from "../../basics/ids.ts";
import type { AcceptedRequest, FoundAcceptedRequests } from "../../store/tables/requests/accepted-requests.ts";
import type { FoundRejectedRequests, RejectedRequest } from "../../store/tables/requests/rejected-requests.ts";
import type { Command, Context, DuplicateKeys, RepeatKind, Unconfirmed } from "../command.ts";

/** Requests found for the commands of a batch, by the position of their keys. */
export interface FoundRequests {
  readonly writes: FoundAcceptedRequests;
  readonly rejections: FoundRejectedRequests;
}

export interface RequestIndex {
  readonly byExternalIdKey: Map<string, AcceptedRequest>;
  readonly byPartnerReferenceKey: Map<string, AcceptedRequest>;
  readonly rejectionBySignature: Map<string, RejectedRequest>;
  /** By each of their orders, as they were sent. */
  readonly rejectionsInOrder: Map<string, RejectedRequest[]>;
}

/** The orders that a send stands in: that of its external id, and that of its number with its content. */
export function ordersOf({
  externalIdKey,
  partnerReferenceKey,
  requestFingerprint,
}: Pick<DuplicateKeys, "externalIdKey" | "partnerReferenceKey" | "requestFingerprint">): readonly [string, string] {
  return [externalIdKey, `${partnerReferenceKey} ${requestFingerprint}`];
}

export interface KnownRequests extends RequestIndex {
  readonly context: Context;
}

export function indexKnown(keys: readonly DuplicateKeys[], { writes, rejections }: FoundRequests): RequestIndex {
  const keysAt = (position: number) => keys[position] as DuplicateKeys;
  const index: RequestIndex = {
    byExternalIdKey: new Map(),
    byPartnerReferenceKey: new Map(),
    rejectionBySignature: new Map(),
    rejectionsInOrder: new Map(),
  };
  for (const [position, row] of writes.byExternalIdKey) {
    index.byExternalIdKey.set(keysAt(position).externalIdKey, row);
  }
  for (const [position, row] of writes.byPartnerReferenceKey) {
    index.byPartnerReferenceKey.set(keysAt(position).partnerReferenceKey, row);
  }
  for (const [position, row] of rejections.bySignature) {
    index.rejectionBySignature.set(keysAt(position).signatureKey, row);
  }
  for (const [place, found] of [rejections.nextSent, rejections.nextOfIntent].entries()) {
    for (const [position, row] of found) {
      addRejection(index, ordersOf(keysAt(position))[place] as string, row);
    }
  }
  return index;
}

/** Behind those that were sent no later. */
export function addRejection({ rejectionsInOrder: all }: RequestIndex, order: string, row: RejectedRequest): void {
  const sent = all.get(order) ?? [];
  const place = sent.findIndex((one) => one.sentAt > row.sentAt);
  sent.splice(place === -1 ? sent.length : place, 0, row);
  all.set(order, sent);
}

/**
 * Spec D7: a call that was sent no later than a rejected one of its external id, or of its number and content, gets that
 * rejection: of several that of the one sent next.
 */
export function nextRejected(
  { rejectionsInOrder }: RequestIndex,
  { keys, restores }: Command<unknown>,
): RejectedRequest | undefined {
  // The rail has carried a request that is restored, whatever was answered since.
  if (rejectionsInOrder.size === 0 || keys === undefined || restores === true) return undefined;
  const next = ordersOf(keys).flatMap(
    (order) => rejectionsInOrder.get(order)?.find((row) => row.sentAt >= keys.sentAt) ?? [],
  );
  return next.toSorted((a, b) => a.sentAt - b.sentAt)[0];
}

/** Spec D7: the external id first, then the partner's number; then a copy of a rejected call. */
export function findRepeat(
  known: KnownRequests,
  command: Command<unknown>,
  keys: DuplicateKeys,
): Unconfirmed<unknown> | undefined {
  const { id } = command;
  const byExternal = standing(command, known.byExternalIdKey.get(keys.externalIdKey));
  const byNumber = standing(command, known.byPartnerReferenceKey.get(keys.partnerReferenceKey));
  if (byExternal && command.restores !== true && isReserved(known, byExternal)) {
    if (byExternal.id === id) return first(byExternal);
    return repeat(isSameRequest(known, command, keys, byExternal) ? "sameCall" : "externalIdTaken", byExternal);
  }
  const copied = known.rejectionBySignature.get(keys.signatureKey);
  // Its own rejection, committed before: later requests under its number do not change it.
  if (copied?.id === id) return rejectedBefore(copied, keys);
  if (byNumber) {
    if (byNumber.id === id) return first(byNumber);
    // Its content cannot be compared any more: only its own external id says that it is the same. One fence may have the keys of several calls.
    if (byNumber.isDetached) {
      const isSame = byExternal?.id === byNumber.id && !isFence(byNumber.id);
      return repeat(isSame ? "sameCall" : "numberTaken", byNumber);
    }
    return repeat(hasSameContent(known, command, keys, byNumber) ? "sameNumber" : "numberTaken", byNumber);
  }
  // The rail has carried it, whatever was answered since.
  if (command.restores === true) return undefined;
  return copied && rejectedBefore(copied, keys);
}

/** Undefined: the key does not count as taken for the command. */
function standing({ passesFences }: Command<unknown>, row: AcceptedRequest | undefined): AcceptedRequest | undefined {
  return row !== undefined && passesFences === true && isFence(row.id) ? undefined : row;
}

/** Many callers build a body anew: other bytes ask for the same where service, number and content are. */
function isSameRequest(
  known: KnownRequests,
  command: Command<unknown>,
  keys: DuplicateKeys,
  row: AcceptedRequest,
): boolean {
  if (row.service !== keys.service) return false;
  if (row.bodyHash === keys.bodyHash) return true;
  return row.partnerReferenceKey === keys.partnerReferenceKey && hasSameContent(known, command, keys, row);
}

/** Compares the content with that of a write of the same service and number. */
function hasSameContent(
  known: KnownRequests,
  command: Command<unknown>,
  keys: DuplicateKeys,
  row: AcceptedRequest,
): boolean {
  return (
    row.requestFingerprint === keys.requestFingerprint || command.hasSameContent?.(row.payload, known.context) === true
  );
}

/** The recorded payload of another service does not apply. */
export function rejectedBefore(
  { id, service, kind, field, payload, at, ofAnotherSend }: RejectedRequest,
  keys: DuplicateKeys,
): Extract<Unconfirmed<unknown>, { readonly kind: "rejection" }> {
  const rejection = field === undefined ? { kind } : { kind, field };
  const own = service === keys.service ? payload : undefined;
  const rejected = { kind: "rejection", id, rejection, payload: own, at } as const;
  return ofAnotherSend === undefined ? rejected : { ...rejected, id: ofAnotherSend, isOfAnotherSend: true };
}

/** An external id stays taken for its window, and while its request is pending; after that the newest use counts. */
function isReserved({ context }: KnownRequests, { at, openUntil = 0 }: AcceptedRequest): boolean {
  return openUntil > context.now || context.now - at < context.reference.idempotencyWindowMs;
}

/** A command that met its own row: its commit went through and only the response was lost. */
function first(row: AcceptedRequest): Unconfirmed<unknown> {
  return { kind: "effect", id: row.id, payload: JSON.parse(row.payload), at: row.at };
}

function repeat(kind: RepeatKind, original: AcceptedRequest): Unconfirmed<unknown> {
  return { kind: "repeat", repeat: kind, original };
}
