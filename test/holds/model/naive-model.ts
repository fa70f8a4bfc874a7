/**
 * The service of 63 to 69 as a child would keep it: it predicts the whole answer to every call from the text of the
 * decisions (D6 answers, D7 repeats, D8 fields, D10 holds), and only asks which number of ours a new one got.
 */
import { findHold, isUnapplied } from "./naive-changes.ts";
import { merchantOf } from "./naive-payments.ts";
import { answerQuery } from "./naive-queries.ts";
import {
  type Done,
  doneOf,
  type Fields,
  hasSameContent,
  isSameNumber,
  toldOf,
  type Write,
  writes,
} from "./naive-replies.ts";
import { type ModelCall, type ModelHold, statusOf, type World } from "./naive-world.ts";

export interface ModelReply {
  readonly case: string;
  readonly field?: string | undefined;
  readonly fields?: Fields;
}

/** A write that was accepted, or rejected in step 14. */
export interface Kept {
  readonly call: ModelCall;
  /** Our number of it; of rejections only refunds have one. */
  readonly no: string | undefined;
  readonly at: number;
  readonly reply: ModelReply;
  /** In which order it came. */
  readonly turn: number;
}

export interface KeptDone extends Kept {
  readonly done: Done;
}

export interface Archive {
  readonly accepted: KeptDone[];
  readonly rejected: Kept[];
}

export interface Asked {
  readonly call: ModelCall;
  readonly now: number;
  readonly turn: number;
  /** The number of ours the service gave: the model cannot know it, but knows where it must stand. */
  readonly no: string | undefined;
  /** Whether the service already knows that it needs the unclaimed account: it is then asked for the second time. */
  readonly isSecondTime: boolean;
}

export interface HoldModel {
  readonly world: World;
  readonly archive: Archive;
  /**
   * The answer; asked for when it is to be read, because a repeat tells the present status. `later`: nothing was done,
   * because the call must come again behind the others it was sent with.
   */
  answer(asked: Asked): (() => ModelReply) | "later";
  /** Whether it is rejected before anything is locked for it: such a call waits for nobody. */
  isRejectedEarly(call: ModelCall): boolean;
  query(call: ModelCall, now: number): ModelReply;
}

const dayMs = 24 * 3_600_000;

export function createHoldModel(world: World): HoldModel {
  const archive: Archive = { accepted: [], rejected: [] };
  return {
    world,
    archive,
    isRejectedEarly: (call) => rejectEarly(world, call) !== undefined,
    query: (call, now) => answerQuery(world, archive, call, now),
    answer: (asked) => {
      const early = rejectEarly(world, asked.call) ?? findRepeat(world, archive, asked);
      if (early) return early;
      return decide(world, archive, asked);
    },
  };
}

/** Spec D2, steps 11 and 12: nothing is kept of it. */
function rejectEarly(world: World, call: ModelCall): (() => ModelReply) | undefined {
  const { voidAmount, voidRemainingAmount } = call.request;
  if (call.name === "authVoid" && voidAmount === undefined && voidRemainingAmount === "false") {
    return () => ({ case: "invalidMandatoryField", field: "voidAmount" });
  }
  const isMissing = merchantOf(world, call)?.needsToken === true && call.customerAccountNo === undefined;
  return isMissing ? () => ({ case: "customerTokenNotFound" }) : undefined;
}

function decide(world: World, archive: Archive, asked: Asked): (() => ModelReply) | "later" {
  const { call, now, turn, no } = asked;
  const write = writeOf(call);
  const rejection = write.reject(world, call, now);
  const told = toldOf(world, call, now, no);
  if (rejection) {
    const reply = { ...rejection, fields: write.rejected(call, told) };
    archive.rejected.push({ call, no, at: now, reply, turn });
    return locksNothing(world, call) ? () => findSameId(world, archive, asked)?.() ?? reply : () => reply;
  }
  if (write.change && isUnapplied(world, call, write.change) && !asked.isSecondTime) return "later";
  const reply = { case: "success", fields: write.answer(call, told) };
  archive.accepted.push({ call, no, at: now, reply, turn, done: doneOf(world, call, now) });
  write.carryOut(world, call, now, no ?? "a number of ours");
  return () => reply;
}

/** Whether none of the rows exist that a call locks: rejected, it is run again when those sent with it were decided. */
function locksNothing(world: World, call: ModelCall): boolean {
  if (call.name === "authPayment") return !merchantOf(world, call);
  if (call.name === "authRefund") return !findHold(world, call);
  return world.holds.every(({ no }) => no !== call.request["originalReferenceNo"]);
}

function findSameId(world: World, { accepted }: Archive, { call, now }: Asked): (() => ModelReply) | undefined {
  const sameId = accepted.findLast(
    (one) => one.call.partner === call.partner && one.call.externalId === call.externalId && now - one.at < dayMs,
  );
  if (!sameId) return undefined;
  const isSameRequest = isSameNumber(sameId.call, call) && hasSameContent(world, sameId.done, call);
  const isSame = JSON.stringify(sameId.call.request) === JSON.stringify(call.request) || isSameRequest;
  if (!isSame || sameId.call.name !== call.name) return () => ({ case: "conflict" });
  return tellAgain(world, "conflict", sameId, call, now);
}

function findRepeat(world: World, archive: Archive, asked: Asked): (() => ModelReply) | undefined {
  const { call, now } = asked;
  const sameId = findSameId(world, archive, asked);
  if (sameId) return sameId;
  const sameNumber = archive.accepted.find((one) => isSameNumber(one.call, call));
  if (sameNumber) {
    const isSame = hasSameContent(world, sameNumber.done, call);
    return tellAgain(world, isSame ? "duplicatePartnerReferenceNo" : "inconsistentRequest", sameNumber, call, now);
  }
  const rejected = archive.rejected.filter((one) => one.call.partner === call.partner);
  const copied = rejected.find((one) => one.call.signature === call.signature);
  if (copied) return () => copied.reply;
  // Sends are ordered: the first one of this id that was rejected and not sent before this call.
  const ofId = rejected.filter((one) => one.call.externalId === call.externalId && one.call.sentAt >= call.sentAt);
  const [next] = ofId.toSorted((a, b) => a.call.sentAt - b.call.sentAt);
  return next && (() => (next.call.name === call.name ? next.reply : { ...next.reply, fields: {} }));
}

/** The first answer again, with what has become of it meanwhile; mandatory fields the request lacks are the first's. */
function tellAgain(world: World, as: string, first: Kept, call: ModelCall, now: number): () => ModelReply {
  const { code, mandatory } = writeOf(first.call);
  const fields = first.reply.fields ?? {};
  const byTheOriginal = ["originalReferenceNo", "originalCaptureNo"].filter(() => call.name === "authRefund");
  const lacking = [...mandatory.filter((name) => call.request[name] === undefined), ...byTheOriginal];
  const originalResponse = { responseCode: `200${code}00`, responseMessage: "Successful", ...fields };
  const hold = (): ModelHold | undefined => world.holds.find((one) => one.no === first.no);
  return () => {
    const placed = hold();
    const latestTransactionStatus = placed ? statusOf(placed, now) : "00";
    const additionalInfo = { originalResponse, latestTransactionStatus };
    return {
      case: as,
      fields: { ...Object.fromEntries(lacking.map((name) => [name, fields[name]])), additionalInfo },
    };
  };
}

export function writeOf(call: ModelCall): Write {
  const write = writes[call.name];
  if (!write) throw new Error(`${call.name} is no write`);
  return write;
}
