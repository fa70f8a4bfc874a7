/** Rejected calls that no accepted request belongs to, as records that the search finds: their words are those of their bodies. */
import { isObject, operationByCode, type OperationRow, parseResponseCode } from "@titian/contract";
import { type KeptCall, listKeptCalls } from "../../store/tables/search/kept-calls.ts";
import type { SearchedRequest } from "../../store/tables/search/search-words.ts";
import type { StatementPool } from "../../store/postgres/connect.ts";
import { createBodySeal } from "./kept-body.ts";
import { monthOf } from "./search-keys.ts";

export interface RejectedCall extends SearchedRequest {
  /** Internal id of its partner. */
  readonly partner: string;
  readonly call: KeptCall;
}

/**
 * Those of these ids that are rejected requests whose body can be read: it was kept whole, and the key of its month was not
 * ended. An inquiry is none.
 */
export async function listRejectedCalls(
  pool: StatementPool,
  ids: readonly string[],
  keys: ReadonlyMap<string, Buffer>,
): Promise<readonly RejectedCall[]> {
  if (ids.length === 0) return [];
  const calls = await listKeptCalls(pool, ids);
  return calls.flatMap((call) => {
    const { partner, record, body, correlationId } = call;
    const key = keys.get(monthOf(record));
    const operation = operationByCode(parseResponseCode(call.responseCode)?.serviceCode ?? "");
    if (partner === undefined || body === undefined || key === undefined || operation?.kind !== "write") return [];
    const payload = payloadOf(operation, createBodySeal(key).open(body, correlationId));
    if (payload === undefined) return [];
    const service = Number(operation.code);
    return [{ id: record, partner, service, externalId: "", payload, at: call.at, call }];
  });
}

/**
 * As the payload of an accepted request: with the operation's own members, and the count by which a bulk is none of its items.
 * Undefined: the body was cut off, or is no JSON.
 */
function payloadOf(operation: OperationRow, body: string | undefined): string | undefined {
  const received = body === undefined ? undefined : parse(body);
  if (!isObject(received)) return undefined;
  const request = Object.fromEntries(Object.entries(received).filter(([name]) => name in operation.request));
  const { additionalInfo: info } = received;
  const [, amount] = Object.entries(request).find(([name, value]) => /amount$/i.test(name) && isObject(value)) ?? [];
  return JSON.stringify({ request, amount, payer: isObject(info) ? info["sourceAccountNo"] : undefined, itemCount: 0 });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
