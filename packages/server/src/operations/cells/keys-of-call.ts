/** Keys by which repeats of a write are found (spec D7), and which no two cells may take. */
import { isObject } from "@titian/contract";
import { externalIdKey, partnerReferenceKey } from "../../engine/batch/idempotency-keys.ts";
import type { Call } from "../../interfaces/call.ts";
import { itemField } from "../../ledger/bulks/accept.ts";
import { inSlices } from "../bulks/read-items.ts";

export interface NumberKey {
  readonly key: string;
  /** Field of a bulk's item that has the number; undefined: the call's own. */
  readonly field?: string;
}

export interface KeysOfCall {
  readonly externalId: string;
  /** Its own number first. */
  readonly numbers: readonly NumberKey[];
}

/** A bulk without a number of its own is known by its items, whose numbers no other bulk has. */
export async function keysOfCall({ operation, partner, externalId, request }: Call): Promise<KeysOfCall> {
  const { code, about } = operation;
  const { within, partnerNumber = "" } = about;
  const keyOf = (...number: readonly string[]) => partnerReferenceKey(partner.key, code, ...number);
  const numbers: NumberKey[] = [];
  const own = request[partnerNumber];
  const isBulk = about.noun === "bulk";
  if (typeof own === "string") {
    const before = isBulk ? ["bulk"] : within === undefined ? [] : [String(request[within])];
    numbers.push({ key: keyOf(...before, own) });
  }
  const { bulkObject: items } = request;
  if (isBulk && Array.isArray(items)) {
    await inSlices(items.length, (from, to) => {
      for (let position = from; position < to; position += 1) {
        const item: unknown = items[position];
        if (!isObject(item)) continue;
        numbers.push({
          key: keyOf(String(item["partnerReferenceNo"])),
          field: itemField(position, "partnerReferenceNo"),
        });
      }
    });
  }
  return { externalId: externalIdKey(partner.key, externalId), numbers };
}
