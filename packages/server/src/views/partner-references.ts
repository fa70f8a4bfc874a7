/** What a partner's number may name. */
import { nounOf } from "@titian/contract";
import { externalIdKey, partnerReferenceKey } from "../engine/batch/idempotency-keys.ts";
import type { RequestReferences } from "../store/reads/accepted-requests.ts";

/** @param code service code @param number a number of the partner's own, or an `X-EXTERNAL-ID` */
export function referencesOf(partner: string, code: string, number: string): readonly RequestReferences[] {
  const none = { id: undefined, externalIdKey: undefined, partnerReferenceKey: undefined };
  const one = { ...none, partner, service: Number(code) };
  // Of a bulk it is an item's number, or the bulk's own.
  const kinds = nounOf(code) === "bulk" ? [[], ["bulk"]] : [[]];
  return [
    ...kinds.map((kind) => ({ ...one, partnerReferenceKey: partnerReferenceKey(partner, code, ...kind, number) })),
    { ...one, externalIdKey: externalIdKey(partner, number) },
  ];
}

/** Without duplicates, oldest first. */
export function byId<Row extends { readonly id: string; readonly at: number }>(
  found: readonly (Row | undefined)[],
): readonly Row[] {
  const rows = new Map(found.filter((row) => row !== undefined).map((row) => [row.id, row]));
  return [...rows.values()].toSorted((a, b) => a.at - b.at);
}
