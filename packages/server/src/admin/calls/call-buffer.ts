/**
 * Calls that wait to be kept (ADR 0072): a few facts of each, in memory. Bounded, and parted between partners: where there is no
 * room, the partner with the most waiting calls loses one.
 */
import { type CaseName, type OperationName, type OperationRow, operations } from "@titian/contract";

/** A call as the edge shows it to its observer. */
export interface AnsweredCall {
  readonly id: string;
  readonly businessTime: number;
  readonly rawHeaders: readonly string[];
  readonly address: string;
  readonly body: Uint8Array | undefined;
  readonly fields: Readonly<Record<string, unknown>> | undefined;
  readonly operation: OperationName | undefined;
  readonly partnerId: string | undefined;
  readonly isAuthenticated: boolean;
  readonly rejection: { readonly case: CaseName } | undefined;
  readonly responseCode: string;
  readonly number: string | undefined;
}

export interface WaitingCall {
  /** `X-CORRELATION-ID` of its answer. */
  readonly correlationId: string;
  /** Business time (epoch ms). */
  readonly at: number;
  readonly partnerId: string;
  readonly operation: OperationRow;
  readonly responseCode: string;
  /** Undefined: it was answered with a success. */
  readonly rejection: CaseName | undefined;
  /** Our number of what it made, changed or asked about, as it was answered. */
  readonly number: string | undefined;
  /** Valid fields of the request that name a record. */
  readonly references: Readonly<Record<string, unknown>>;
  /** Undefined: the external id is not what it was rejected for. */
  readonly externalId: string | undefined;
  /** Address of its caller; undefined: its socket was gone. */
  readonly address: string | undefined;
  /** Start of the body of a rejected call that may name a record. */
  readonly body: Buffer | undefined;
}

export interface CallBuffer {
  /** Copies what is kept of a call; of most that say nothing of a record, nothing. */
  add(call: AnsweredCall): void;
  /** Takes so many, the same number of each partner as far as it has them. */
  take(limit: number): readonly WaitingCall[];
  size(): number;
  /** Calls that found no room, since the start. */
  dropped(): number;
}

/** So many seconds of the job's default work. */
const callsMax = 2_000;
/** Twice what is kept of a body: a secret that stands across the end of that is found and hidden whole. */
const bodyBytesMax = 8_192;

const noReferences: WaitingCall["references"] = {};

export function createCallBuffer(max = callsMax): CallBuffer {
  /** Oldest first, by `X-PARTNER-ID`; none is empty. */
  const queues = new Map<string, WaitingCall[]>();
  let size = 0;
  let dropped = 0;

  function makeRoom(partnerId: string): boolean {
    dropped += 1;
    const own = queues.get(partnerId)?.length ?? 0;
    // It has its part, whatever the others have.
    if (own >= max / queues.size) return false;
    let longest: WaitingCall[] = [];
    for (const queue of queues.values()) if (queue.length > longest.length) longest = queue;
    if (longest.length <= own + 1) return false;
    longest.pop();
    size -= 1;
    return true;
  }

  return {
    add(call) {
      const subject = subjectOf(call);
      if (subject === undefined) return;
      const { partnerId } = subject;
      // First: a call without room costs no copy of its body.
      if (size >= max && !makeRoom(partnerId)) return;
      const waiting = noteOf(call, subject);
      const queue = queues.get(partnerId);
      if (queue === undefined) queues.set(partnerId, [waiting]);
      else queue.push(waiting);
      size += 1;
    },
    take(limit) {
      const taken: WaitingCall[] = [];
      while (taken.length < limit && queues.size > 0) {
        const share = Math.max(1, Math.floor((limit - taken.length) / queues.size));
        for (const [partnerId, queue] of Array.from(queues)) {
          if (taken.length >= limit) break;
          taken.push(...queue.splice(0, share));
          // To the end: where there are more partners than calls are taken, the others are next.
          queues.delete(partnerId);
          if (queue.length > 0) queues.set(partnerId, queue);
        }
      }
      size -= taken.length;
      return taken;
    },
    size: () => size,
    dropped: () => dropped,
  };
}

interface Subject {
  readonly partnerId: string;
  readonly operation: OperationRow;
  /** Fields that may name a record; undefined: the operation is about none. */
  readonly names: readonly string[] | undefined;
}

/** Undefined: nothing of the call is kept. */
function subjectOf(call: AnsweredCall): Subject | undefined {
  const { partnerId, operation: name, rejection, responseCode } = call;
  if (!call.isAuthenticated || name === undefined || partnerId === undefined || responseCode === "") return undefined;
  const operation: OperationRow = operations[name];
  const names = referencesOf.get(operation);
  return rejection === undefined && names === undefined ? undefined : { partnerId, operation, names };
}

function noteOf(call: AnsweredCall, { partnerId, operation, names }: Subject): WaitingCall {
  const { rejection } = call;
  return {
    correlationId: call.id,
    at: call.businessTime,
    partnerId,
    operation,
    responseCode: call.responseCode,
    rejection: rejection?.case,
    number: call.number,
    references: names === undefined || call.fields === undefined ? noReferences : pick(call.fields, names),
    externalId: rejection?.case === "conflict" ? externalIdIn(call.rawHeaders) : undefined,
    address: call.address === "" ? undefined : call.address,
    body: rejection === undefined || names === undefined || call.body === undefined ? undefined : startOf(call.body),
  };
}

const originals = ["originalReferenceNo", "originalPartnerReferenceNo", "originalExternalId", "serviceCode"];

/** Fields by which an operation's requests name a record; an operation without any is about none. */
const referencesOf: ReadonlyMap<OperationRow, readonly string[]> = new Map(
  Object.values<OperationRow>(operations).flatMap((operation) => {
    const { kind, request, about } = operation;
    if (kind !== "write" && about.tells === undefined) return [];
    const names = [about.partnerNumber, about.within, ...originals].filter((field) => field !== undefined);
    return [[operation, [...new Set(names)].filter((field) => field in request)] as const];
  }),
);

function pick(fields: Readonly<Record<string, unknown>>, names: readonly string[]): Readonly<Record<string, unknown>> {
  const picked: Record<string, unknown> = {};
  for (const name of names) if (typeof fields[name] === "string") picked[name] = fields[name];
  return picked;
}

function externalIdIn(rawHeaders: readonly string[]): string | undefined {
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === "x-external-id");
  return at === -1 ? undefined : rawHeaders[at + 1];
}

/** A copy: the body's own memory may be a larger one's part. */
function startOf(body: Uint8Array): Buffer {
  return Buffer.from(body.subarray(0, bodyBytesMax));
}
