/**
 * The record of the newest calls of this node, in memory: all, and the refused ones, which stay longer. Under load only
 * some calls of each second are recorded; all are counted.
 */
import type { CallObserver, ObservedCall } from "@titian/server";
import { createMinutes, type Minutes } from "./minutes.ts";
import { createRing } from "./ring.ts";

/** A call as it is kept: with the secrets in it, because an explanation needs them. What is shown of it is masked. */
export interface RecordedCall extends Omit<ObservedCall, "fields" | "number"> {
  /** Counts up from 1 on this node. */
  readonly sequence: number;
  /** Length of the whole body; `body` is its start. */
  readonly bodyBytes: number;
  readonly isBodyCut: boolean;
  readonly isResponseCut: boolean;
}

export interface CallRecord {
  readonly observer: CallObserver;
  readonly minutes: Minutes;
  /** Newest first. */
  all(): Iterable<RecordedCall>;
  /** Newest first: those that a check of steps 1 to 12 refused. */
  refused(): Iterable<RecordedCall>;
  find(id: string): RecordedCall | undefined;
  /** Sequence of the newest call; 0 when there is none. */
  lastSequence(): number;
  /** Calls that were counted and not recorded, since the start. */
  unrecorded(): number;
}

const callsMax = 1_000;
const bytesMax = 16_777_216;
const partBytesMax = 65_536;
/** Number of accepted calls, and of rejected ones, each second. */
const recordedEachSecond = 200;
/** Bytes that a call takes beside its texts. */
const fixedBytes = 1_024;

export function createCallRecord(): CallRecord {
  const all = createRing<RecordedCall>(callsMax, bytesMax);
  const refused = createRing<RecordedCall>(callsMax, bytesMax);
  const minutes = createMinutes();
  const room = { second: 0, accepted: 0, refused: 0 };
  let sequence = 0;
  let unrecorded = 0;

  function takeRoom(at: number, kind: "accepted" | "refused"): boolean {
    const second = Math.floor(at / 1_000);
    if (second !== room.second) Object.assign(room, { second, accepted: 0, refused: 0 });
    room[kind] += 1;
    return room[kind] <= recordedEachSecond;
  }

  return {
    minutes,
    observer: {
      answered(call) {
        minutes.count(call);
        const isRefused = call.rejectedAt !== undefined;
        if (!takeRoom(call.at, isRefused ? "refused" : "accepted")) {
          unrecorded += 1;
          return;
        }
        sequence += 1;
        const recorded = copyCall(call, sequence);
        const bytes = sizeOf(recorded);
        all.add(recorded, bytes);
        if (isRefused) refused.add(recorded, bytes);
      },
    },
    all: () => all.newest(),
    refused: () => refused.newest(),
    find(id) {
      for (const ring of [all, refused]) {
        for (const call of ring.newest()) if (call.id === id) return call;
      }
      return undefined;
    },
    lastSequence: () => sequence,
    unrecorded: () => unrecorded,
  };
}

function copyCall({ fields: _, number: __, ...call }: ObservedCall, sequence: number): RecordedCall {
  const { body, response, rejection } = call;
  const bodyBytes = body?.length ?? 0;
  return {
    ...call,
    sequence,
    body: body && startOf(body),
    bodyBytes,
    isBodyCut: bodyBytes > partBytesMax,
    response: response.length > partBytesMax ? cutText(response) : response,
    isResponseCut: response.length > partBytesMax,
    rejection: rejection && { case: rejection.case, ...namedIn(rejection) },
  };
}

function namedIn({ field, reason }: NonNullable<ObservedCall["rejection"]>) {
  return { ...(field !== undefined && { field }), ...(reason !== undefined && { reason }) };
}

/** A copy, unless its memory holds little else. */
function startOf(body: Uint8Array): Uint8Array {
  const isKept = body.length <= partBytesMax && body.buffer.byteLength < 2 * body.length;
  return isKept ? body : Uint8Array.prototype.slice.call(body, 0, partBytesMax);
}

/** A copy: a part of a text keeps the whole of it in memory. */
function cutText(text: string): string {
  return Buffer.from(text.slice(0, partBytesMax)).toString();
}

function sizeOf({ rawHeaders, target, body, response }: RecordedCall): number {
  let size = fixedBytes + target.length + (body?.length ?? 0) + response.length;
  for (const text of rawHeaders) size += text.length + 16;
  return size;
}
