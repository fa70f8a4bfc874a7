/** Records that calls name: by our number, or by the keys of a partner's own (spec D7). */
import { operationRows } from "@titian/contract";
import { fromReferenceNo } from "../../basics/ids.ts";
import { externalIdKey, partnerReferenceKey } from "../../engine/batch/idempotency-keys.ts";
import type { StatementPool } from "../../store/postgres/connect.ts";
import { readRequestKeys } from "../../store/tables/requests/request-keys.ts";
import { findPartnersOf } from "../../store/tables/search/kept-calls.ts";
import type { WaitingCall } from "./call-buffer.ts";

/** A waiting call, and the internal id of its partner. */
export interface OwnCall {
  readonly call: WaitingCall;
  readonly partner: string;
}

export interface NamedRecord {
  /** Id of the accepted request; undefined: there is none of its partner's. */
  readonly record: string | undefined;
  /** Key of the number that it names, in `request_keys` where a request has it. */
  readonly number: string | undefined;
}

interface Names {
  /** Id that we answered. */
  readonly answered?: string | undefined;
  /** Id that the call asks for: it may be another partner's. */
  readonly asked?: string | undefined;
  /** Keys of a number, and of an external id. */
  readonly number?: string | undefined;
  readonly externalId?: string | undefined;
}

/** In the order of the calls. */
export async function findNamedRecords(
  pool: StatementPool,
  calls: readonly OwnCall[],
): Promise<readonly NamedRecord[]> {
  const names = calls.map(namesOf);
  const asked = names.flatMap((name) => (name.answered === undefined ? (name.asked ?? []) : []));
  const keys = [...new Set(names.flatMap(({ number, externalId }) => [number ?? [], externalId ?? []].flat()))];
  const [owners, found] = await Promise.all([findPartnersOf(pool, asked), readRequestKeys(pool, keys)]);
  const byKey = new Map([...found].map(([position, id]) => [keys[position], id]));
  return names.map(({ answered, asked: claimed, number, externalId }, position) => {
    const isOwn = claimed !== undefined && owners.get(claimed) === calls[position]?.partner;
    return { record: answered ?? (isOwn ? claimed : (byKey.get(number) ?? byKey.get(externalId))), number };
  });
}

function namesOf({ call, partner }: OwnCall): Names {
  const { kind, about } = call.operation;
  if (about.noun === "hold" && (kind !== "write" || about.within !== undefined)) return namesOfHold(call, partner);
  if (kind === "write") return namesOfWrite(call, partner);
  return about.tells === undefined ? {} : namesOfInquiry(call, partner);
}

function namesOfWrite({ operation, number, references, externalId }: WaitingCall, partner: string): Names {
  const { code, about } = operation;
  const answered = idIn(number);
  // Most calls end here: their keys need not be hashed again.
  if (answered !== undefined) return { answered };
  return {
    number: keyOf(partner, code, references[about.partnerNumber ?? ""], about.noun === "bulk" ? ["bulk"] : []),
    externalId: externalId === undefined ? undefined : externalIdKey(partner, externalId),
  };
}

const placesHold = operationRows.find(
  ({ kind, about }) => kind === "write" && about.noun === "hold" && about.within === undefined,
);

const tellsHold = operationRows.find(({ about }) => about.tells?.number === "originalReferenceNo");

/** A capture, void or refund is a call on its hold, and so are all inquiries about these. */
function namesOfHold({ operation, number, references, rejection }: WaitingCall, partner: string): Names {
  // The number of a hold, in whichever cell; other inquiries are answered with that of a change.
  const isOfHold = operation.kind === "write" || operation === tellsHold;
  return {
    answered: rejection === undefined && isOfHold ? idIn(number) : undefined,
    asked: idIn(references["originalReferenceNo"]),
    number: keyOf(partner, placesHold?.code, references["originalPartnerReferenceNo"]),
  };
}

function namesOfInquiry({ number, references, rejection }: WaitingCall, partner: string): Names {
  const { serviceCode, originalPartnerReferenceNo, originalExternalId } = references;
  const code = typeof serviceCode === "string" ? serviceCode : undefined;
  return {
    answered: rejection === undefined ? idIn(number) : undefined,
    asked: idIn(references["originalReferenceNo"]),
    number: keyOf(partner, code, originalPartnerReferenceNo),
    externalId: typeof originalExternalId === "string" ? externalIdKey(partner, originalExternalId) : undefined,
  };
}

function idIn(number: unknown): string | undefined {
  return typeof number === "string" ? fromReferenceNo(number) : undefined;
}

function keyOf(partner: string, code: string | undefined, number: unknown, kind: readonly string[] = []) {
  if (code === undefined || typeof number !== "string") return undefined;
  return partnerReferenceKey(partner, code, ...kind, number);
}
