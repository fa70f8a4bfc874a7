/** Writes carried out as if a partner had called, without edge and signature: the records that a new sandbox begins with. */
import { hashBody, type OperationName, type OperationRow, operations, readJson, readRequest } from "@titian/contract";
import type { Clock } from "../basics/clock.ts";
import { newCorrelationId, newId } from "../basics/ids.ts";
import type { Core } from "./core.ts";
import type { Handlers } from "./extension.ts";

export interface CarryOutDeps extends Pick<Core, "reference"> {
  readonly clock: Clock;
  readonly handlers: Handlers;
}

export interface WriteOfPartner {
  readonly partnerId: string;
  readonly operation: OperationName;
  /** The idempotency key: of writes with the same one the first takes effect. */
  readonly externalId: string;
  readonly request: Readonly<Record<string, unknown>>;
}

type Fields = Readonly<Record<string, unknown>>;

const windowMs = 300_000;

/** The fields of its response; a repeat's are those of the first. @throws when it is rejected. */
export async function carryOut(
  { clock, reference, handlers }: CarryOutDeps,
  { partnerId, operation: name, externalId, request }: WriteOfPartner,
): Promise<Fields> {
  const operation: OperationRow = operations[name];
  const partner = reference.byPartnerId(partnerId);
  const handle = handlers[name];
  if (!partner || !handle) throw new Error(`There is no ${partner ? `handler of ${name}` : `partner ${partnerId}`}.`);
  const body = Buffer.from(JSON.stringify(request));
  const json = readJson(body, operation);
  const read = json.ok ? readRequest(operation, json.value) : json;
  if (!json.ok || !read.ok) throw new Error(`The request for ${name} cannot be read.`);
  const reply = await handle({
    operation,
    partner,
    externalId,
    // A signature is used once.
    signature: newId(),
    sentAt: clock.now(),
    windowEndsAt: clock.real() + windowMs,
    request: read.value,
    bodyHash: hashBody(body),
    freeForm: json.freeForm,
    correlationId: newCorrelationId(),
  });
  const { fields = {} } = reply;
  if (reply.case === "success") return fields;
  const { originalResponse } = (fields["additionalInfo"] ?? {}) as { readonly originalResponse?: Fields };
  if (reply.case === "conflict" && originalResponse) return originalResponse;
  throw new Error(`${name} of ${partnerId} was answered ${reply.case}.`);
}
