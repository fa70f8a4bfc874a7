/** Shared by all writes: command, keys, and the response to each outcome. */
import type { OperationName, OperationRow, operations, RequestOf, TransactionStatusCode } from "@titian/contract";
import type { Call, Handler, Reply } from "../interfaces/call.ts";
import type { Clock, Instant } from "../basics/clock.ts";
import type { Command, ConfirmedCommit, Context, Effect, Outcome } from "../engine/command.ts";
import type { LockedRows, Locks } from "../engine/rows/lock-order.ts";
import type { Engine } from "../engine/engine.ts";
import {
  requestFingerprint,
  externalIdKey,
  partnerReferenceKey,
  shortBodyHash,
  signatureKey,
} from "../engine/batch/idempotency-keys.ts";
import type { MerchantTerms, Reference } from "../ledger/reference/reference-data.ts";
import { rejectClosed } from "../ledger/reference/switches.ts";
import { newId } from "../basics/ids.ts";
import type { Decision, Rejection } from "../ledger/rejection.ts";
import type { Reads } from "../store/reads/reads.ts";
import { namesElsewhere } from "./accounts-elsewhere.ts";
import { addToReceived } from "./additional-info.ts";
import type { ParsedRequest } from "./parsed-request.ts";
import { parsePayload } from "./stored-payload.ts";
import { packFreeForm, unpackFreeForm } from "./free-form.ts";
import { lacksCustomerToken, merchantOf } from "./merchant.ts";
import type { PartnerShares } from "./partner-shares.ts";
import { decidedAs, noRepeat, type RepeatOnly } from "./repeat-only.ts";
import { ofAnotherSend, rejectionReply } from "./rejection-cases.ts";
import { type Original, repeatReply } from "./duplicate-reply.ts";

export interface WriteDeps extends RepeatOnly {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly reads: Reads;
  /** Number of the cell in which it is decided. Absent: home. */
  readonly cell?: number;
  /** For the reads of repeats. */
  readonly readShares: PartnerShares;
  readonly reference: () => Reference;
  /** Gets the payer's account number where a request for payment (19) met the bound of all partners. */
  readonly onFullPayer?: ((accountNo: string) => void) | undefined;
  /** Gets the free-form members that were stored with a write of the partner. */
  readonly onFreeForm?: ((partner: string, parts: Call["freeForm"]) => void) | undefined;
}

/** A valid request with its context. */
export interface Order<Name extends OperationName, Extra = undefined> {
  readonly request: RequestOf<Name>;
  /** Result of `read`. */
  readonly parsed: Extra;
  /** Id of the command: a journal's, a hold's, a number of ours. */
  readonly id: string;
  /** Internal id of the partner. */
  readonly partner: string;
  /** Account of the customer's token, if one was sent. */
  readonly customerAccountNo: string | undefined;
  /** The partner's merchant the request names, if it names one that exists. */
  readonly merchant: MerchantTerms | undefined;
}

/** Id and time of a decided command. */
export interface CommandRef {
  readonly id: string;
  /** Business time (epoch ms). */
  readonly at: Instant;
}

/** A request as it is kept. */
export type KeptRequest<Name extends OperationName> = Omit<RequestOf<Name>, KeptBeside>;
type KeptBeside = "additionalInfo" | "items" | "bulkObject";
type Fields = Readonly<Record<string, unknown>>;

export interface WriteSpec<Name extends OperationName, Payload, Extra = undefined, Rejected extends object = object> {
  /** Reads what the contract's row cannot: free-form fields, and fields that depend on each other. */
  read?(request: RequestOf<Name>, reference: Reference): ParsedRequest<Extra>;
  /**
   * Field of a bulk's number where it has none of its own: its first item's. Absent: the row says which field has it.
   */
  readonly number?: "bulkObject[0].partnerReferenceNo";
  /** Parts of the number's key, where it is more than the row says (spec D7). */
  keyParts?(order: Order<Name, Extra>): readonly string[];
  /** The content that spec D7 compares, in a fixed order. */
  fingerprint(order: Order<Name, Extra>): readonly (string | undefined)[];
  /** True when a request under the same number with another fingerprint has the same content; absent: never. */
  hasSameContent?(order: Order<Name, Extra>, first: Payload, reference: Reference): boolean;
  locks(order: Order<Name, Extra>): Locks;
  decide(order: Order<Name, Extra>, found: LockedRows, context: Context): Decision<Effect<Payload>>;
  /**
   * All fields of the successful response, from the stored payload alone: also for repeats. Its `additionalInfo` is added to
   * the request's.
   */
  response(
    payload: Payload,
    decided: CommandRef,
  ): Fields & { readonly additionalInfo?: Readonly<Record<string, string>> };
  /** Response of operations that wait for the rail. */
  awaitResult?(accepted: Accepted<Payload>): Promise<FirstResponse | "unknown">;
  /** First response of the same operations, from the record. */
  firstResponse?(payload: Payload, decided: CommandRef): Promise<FirstResponse>;
  /** Stored with a rejection, beside the request: for its response and later queries. */
  rejectionPayload?(order: Order<Name, Extra>, found: LockedRows, context: Context): Rejected;
  /** Fields of the response to a rejection beyond the echo, from the stored payload. */
  rejectionResponse?(payload: Rejected & { readonly request: KeptRequest<Name> }, decided: CommandRef): Fields;
  /** Called with each rejection that is answered. */
  onRejection?(rejection: Rejection, order: Order<Name, Extra>, deps: WriteDeps): void;
  /** Latest transaction status. */
  latestStatus(decided: CommandRef, deps: WriteDeps): TransactionStatusCode | Promise<TransactionStatusCode>;
}

export interface Accepted<Payload> extends CommandRef {
  readonly payload: Payload;
  /** Internal id of the partner. */
  readonly partner: string;
  readonly commit: ConfirmedCommit;
}

/** The response to an accepted write: a success, one that is still open, or 18's rejection by its rail. */
export interface FirstResponse extends Pick<Reply, "case" | "field" | "reason"> {
  /** All its fields; `additionalInfo` is added to the request's. */
  readonly fields: Fields & { readonly additionalInfo?: Readonly<Record<string, string>> };
}

/** Longest wait of a caller for its outcome. */
const commandTimeoutMs = 10_000;

export function write<
  Name extends keyof typeof operations,
  Payload,
  Extra = undefined,
  Rejected extends object = object,
>(
  operation: OperationRow & { readonly name: Name },
  spec: WriteSpec<Name, Payload, Extra, Rejected>,
): (deps: WriteDeps) => Handler {
  return (deps) => async (call) => {
    // The edge has read the request by this operation's row.
    const request = call.request as RequestOf<Name>;
    const read = spec.read ? spec.read(request, deps.reference()) : { ok: true as const, parsed: undefined as Extra };
    if (!read.ok) return read.reply;
    const order = orderOf<Name, Extra>(call, read.parsed, deps);
    if (lacksCustomerToken(call, order.merchant)) return { case: "customerTokenNotFound" };
    const command = commandOf(operation, spec, call, order, deps.clock);
    const outcome = await deps.engine.submit(decidedAs(command, deps));
    if (outcome.kind === "rejection") spec.onRejection?.(outcome.rejection, order, deps);
    if (outcome.kind === "effect") deps.onFreeForm?.(order.partner, call.freeForm);
    return outcome.kind === "effect" && spec.awaitResult
      ? replyToResult(spec.awaitResult, call, { ...outcome, partner: order.partner })
      : replyTo(operation, spec, call, outcome, deps);
  };
}

export const tryLater: Reply = { case: "serviceUnavailable", retryAfter: 1 };

/** A call whose request the edge has read by this operation's row, as an order. */
export function orderOf<Name extends OperationName, Extra>(
  call: Call,
  parsed: Extra,
  { reference, cell }: Pick<WriteDeps, "reference" | "cell">,
): Order<Name, Extra> {
  const request = call.request as RequestOf<Name>;
  const { partner, customerAccountNo } = call;
  return {
    id: newId(cell),
    request,
    parsed,
    partner: partner.key,
    customerAccountNo,
    merchant: merchantOf(call, reference()),
  };
}

export function commandOf<Name extends OperationName, Payload, Extra, Rejected extends object>(
  operation: OperationRow,
  spec: WriteSpec<Name, Payload, Extra, Rejected>,
  call: Call,
  order: Order<Name, Extra>,
  clock: Clock,
): Command<Payload> {
  const { request, partner } = order;
  const freeForm = packFreeForm(call.freeForm);
  const { hasSameContent } = spec;
  const locks = spec.locks(order);
  return {
    id: order.id,
    deadline: clock.real() + commandTimeoutMs,
    windowEndsAt: call.windowEndsAt,
    partner,
    keys: {
      partner,
      service: Number(operation.code),
      externalId: call.externalId,
      externalIdKey: externalIdKey(partner, call.externalId),
      partnerReferenceKey: partnerReferenceKey(partner, operation.code, ...keyPartsOf(operation, spec, order)),
      signatureKey: signatureKey(partner, call.signature),
      sentAt: call.sentAt,
      bodyHash: shortBodyHash(call.bodyHash),
      requestFingerprint: requestFingerprint(spec.fingerprint(order)),
    },
    ...(freeForm === undefined ? {} : { freeForm }),
    rejectionPayload: (found, context) =>
      JSON.stringify({ request: keptFields(request), ...spec.rejectionPayload?.(order, found, context) }),
    ...(hasSameContent && {
      hasSameContent: (payload, { reference }) => hasSameContent(order, parsePayload<Payload>(payload), reference),
    }),
    locks,
    // Behind the look-up of repeats, which are answered as ever.
    decide: (found, context) =>
      rejectClosed(context.reference.closed, operation.code, operation.about.rail) ??
      (namesElsewhere(call, locks, found, context.reference)
        ? { kind: "nothing" }
        : spec.decide(order, found, context)),
  };
}

function keyPartsOf<Name extends OperationName, Payload, Extra, Rejected extends object>(
  { about: { within, partnerNumber } }: OperationRow,
  spec: WriteSpec<Name, Payload, Extra, Rejected>,
  order: Order<Name, Extra>,
): readonly string[] {
  if (spec.keyParts) return spec.keyParts(order);
  const request = order.request as Readonly<Record<string, unknown>>;
  // Mandatory texts of the write's row.
  return [within, partnerNumber].flatMap((name) => (name === undefined ? [] : [String(request[name])]));
}

async function replyToResult<Payload>(
  awaitResult: (accepted: Accepted<Payload>) => Promise<FirstResponse | "unknown">,
  { freeForm }: Call,
  accepted: Accepted<Payload>,
): Promise<Reply> {
  const answer = await awaitResult(accepted);
  if (answer === "unknown") return { case: "generalError" };
  return { ...answer, echo: false, fields: withReceived(answer.fields, freeForm.get("additionalInfo")) };
}

/** A response's fields with the request's `additionalInfo`. */
function withReceived(fields: FirstResponse["fields"], received: Uint8Array | undefined): Fields {
  return { ...fields, additionalInfo: addToReceived(received, fields.additionalInfo) };
}

export async function replyTo<Name extends OperationName, Payload, Extra, Rejected extends object>(
  operation: OperationRow,
  spec: WriteSpec<Name, Payload, Extra, Rejected>,
  call: Call,
  outcome: Outcome<Payload>,
  deps: WriteDeps,
): Promise<Reply> {
  switch (outcome.kind) {
    case "effect":
      return {
        case: "success",
        echo: false,
        fields: withReceived(spec.response(outcome.payload, outcome), call.freeForm.get("additionalInfo")),
      };
    case "rejection":
      return {
        ...(outcome.isOfAnotherSend ? ofAnotherSend(outcome.rejection) : rejectionReply(outcome.rejection)),
        fields:
          outcome.payload === undefined ? {} : (spec.rejectionResponse?.(parsePayload(outcome.payload), outcome) ?? {}),
      };
    case "repeat": {
      const { id, at, payload, freeForm, isDetached } = outcome.original;
      if (outcome.repeat === "externalIdTaken" || isDetached) return repeatReply(outcome.repeat);
      const kept = parsePayload<Payload>(payload);
      const original = await deps.readShares.run(call.partner.key, async (): Promise<Original> => {
        // In this order: the first response never says more than the status beside it.
        const first: FirstResponse = (await spec.firstResponse?.(kept, { id, at })) ?? {
          case: "success",
          fields: spec.response(kept, { id, at }),
        };
        const fields = withReceived(first.fields, unpackFreeForm(freeForm, "additionalInfo"));
        return {
          operation,
          number: spec.number ?? operation.about.partnerNumber ?? "",
          first: { ...first, fields },
          latestStatus: await spec.latestStatus({ id, at }, deps),
        };
      });
      return original ? repeatReply(outcome.repeat, original, call.request) : tryLater;
    }
    // Where it was decided, another cell could not be asked about what it depends on, or decides on its account.
    case "nothing":
      return deps.isRepeatOnly ? noRepeat : tryLater;
    case "overloaded":
    case "unavailable":
      return tryLater;
    case "unknown":
    case "failed":
      return { case: "generalError" };
  }
}

/** The request's fields as they are kept: free-form parts are kept once, as received, beside them, and items as rows. */
export function keptFields<Request extends object>(request: Request): Omit<Request, KeptBeside> {
  const given: Request & Partial<Record<KeptBeside, unknown>> = request;
  const { additionalInfo: _, items: __, bulkObject: ___, ...kept } = given;
  return kept;
}
