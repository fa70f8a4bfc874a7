/** What every write shares: its command, its keys, and the answer to each outcome. An operation adds only its own. */
import type { OperationName, OperationRow, operations, RequestOf, TransactionStatusCode } from "@titian/contract";
import type { Call, Handler, Reply } from "../call.ts";
import type { Clock } from "../clock.ts";
import type { Command, Context, Effect, Found, Locks, Outcome } from "../engine/command.ts";
import type { Engine } from "../engine/engine.ts";
import { contentHash, externalKey, numberKey, shortBodyHash, signatureKey } from "../engine/keys.ts";
import { newId } from "../ids.ts";
import type { Decision } from "../ledger/refusal.ts";
import { parseFacts } from "./facts.ts";
import { packFreeForm, unpackFreeForm } from "./free-form.ts";
import { refusalReply } from "./refusal-cases.ts";
import { repeatReply } from "./repeat.ts";

export interface WriteDeps {
  readonly engine: Engine;
  readonly clock: Clock;
}

/** A valid request with the partner who sent it. */
export interface Order<Name extends OperationName> {
  readonly request: RequestOf<Name>;
  /** Internal id of the partner. */
  readonly partner: string;
}

export interface WriteSpec<Name extends OperationName, Facts> {
  /** The partner's own number for this write: `partnerReferenceNo`, `partnerCaptureNo`… */
  number(request: RequestOf<Name>): string;
  /** What decision D7 compares under a number used twice, in a fixed order. */
  content(request: RequestOf<Name>): readonly (string | undefined)[];
  /** Rows it may write. */
  readonly weight: number;
  locks(request: RequestOf<Name>): Locks;
  decide(order: Order<Name>, found: Found, context: Context): Decision<Effect<Facts>>;
  /** All fields of the successful answer, from the stored facts alone: first answer and repeats come from here. */
  answer(facts: Facts, id: string): Readonly<Record<string, unknown>>;
  latestStatus(facts: Facts): TransactionStatusCode;
}

/** How long a caller waits for its outcome at most. */
const patienceMs = 10_000;

export function write<Name extends keyof typeof operations, Facts>(
  operation: OperationRow & { readonly name: Name },
  spec: WriteSpec<Name, Facts>,
): (deps: WriteDeps) => Handler {
  return ({ engine, clock }) =>
    async (call) => {
      const command = commandOf(operation, spec, call, clock);
      return replyTo(operation, spec, call, await engine.submit(command));
    };
}

function commandOf<Name extends OperationName, Facts>(
  operation: OperationRow,
  spec: WriteSpec<Name, Facts>,
  call: Call,
  clock: Clock,
): Command<Facts> {
  // The edge has read the request by this operation's row.
  const request = call.request as RequestOf<Name>;
  const partner = call.partner.key;
  const freeForm = packFreeForm(call.freeForm);
  return {
    id: newId(),
    weight: spec.weight,
    deadline: clock.real() + patienceMs,
    windowEndsAt: call.windowEndsAt,
    partner,
    keys: {
      partner,
      service: Number(operation.code),
      externalId: call.externalId,
      externalKey: externalKey(partner, call.externalId),
      numberKey: numberKey(partner, operation.code, spec.number(request)),
      signatureKey: signatureKey(partner, call.signature),
      bodyHash: shortBodyHash(call.bodyHash),
      contentHash: contentHash(spec.content(request)),
    },
    ...(freeForm === undefined ? {} : { freeForm }),
    refusalFacts: () => JSON.stringify({ request: withoutFreeForm(request) }),
    locks: spec.locks(request),
    decide: (found, context) => spec.decide({ request, partner }, found, context),
  };
}

function replyTo<Name extends OperationName, Facts>(
  operation: OperationRow,
  spec: WriteSpec<Name, Facts>,
  call: Call,
  outcome: Outcome<Facts>,
): Reply {
  switch (outcome.kind) {
    case "effect":
      return {
        case: "success",
        echo: false,
        fields: { ...spec.answer(outcome.facts, outcome.id), additionalInfo: call.freeForm.get("additionalInfo") },
      };
    case "refusal":
      return refusalReply(outcome.refusal);
    case "repeat":
      return repeatReply(outcome.repeat, () => {
        const { id, facts: text, freeForm } = outcome.original;
        const facts = parseFacts<Facts>(text);
        const fields = { ...spec.answer(facts, id), additionalInfo: unpackFreeForm(freeForm, "additionalInfo") };
        return { operation, case: "success", fields, latestStatus: spec.latestStatus(facts) };
      });
    case "overloaded":
      return { case: "serviceUnavailable", retryAfter: 1 };
    case "unknown":
    case "failed":
      return { case: "generalError" };
    case "nothing":
      throw new Error(`${operation.name} decided nothing`);
  }
}

/** The request's fields as they are kept: free-form parts are kept once, as received, beside them. */
export function withoutFreeForm<Request extends object>(request: Request): Omit<Request, "additionalInfo" | "items"> {
  const { additionalInfo: _, items: __, ...kept } = request as Request & { additionalInfo?: unknown; items?: unknown };
  return kept;
}
