/**
 * Whether answers that were given at once, on whichever node, can be told one after the other: the lines of the hold are
 * the order of what was done, and everything else must fit somewhere between two of them (spec D7, D8, D10).
 */
import { isDeepStrictEqual } from "node:util";
import type { Reply } from "../../../packages/server/src/call.ts";
import { type HoldRecord, lineKinds, type RecordedLine } from "./hold-record.ts";
import { answerQuery } from "../model/naive-queries.ts";
import {
  type Done,
  doneOf,
  type Fields,
  hasSameContent,
  isSameNumber,
  toldOf,
  type Write,
  writes,
} from "../model/naive-replies.ts";
import { type ModelCall, type ModelHold, refundedOf, sum, sweep, type World } from "../model/naive-world.ts";
import { plain } from "../model/plain-reply.ts";

export interface Asked {
  readonly call: ModelCall;
  readonly reply: Reply;
}

/** The world before the first call, with the hold as it was placed. */
export interface Start {
  readonly world: World;
  readonly hold: ModelHold;
  /** Whether its time may have passed for some node by the end. */
  readonly mayBePast: boolean;
}

export function explain(start: Start, record: HoldRecord, asked: readonly Asked[]): readonly string[] {
  const { world, hold, mayBePast } = start;
  const faults: string[] = [];
  const told = new Map(asked.filter(isSuccess).map((one) => [numberIn(one.reply), one]));
  const rejected = asked.filter((one) => !isSuccess(one) && !isRepeat(one));
  const open = new Set(rejected.filter((one) => !isRejectionOfLater(one, rejected)));
  const done = new Map<Asked, Done>();
  const times = mayBePast ? [hold.at, hold.expiresAt] : [hold.at];
  const close = () => {
    for (const one of open) if (times.some((now) => isExplained(world, one, now))) open.delete(one);
  };
  close();
  for (const [first] of effectsOf(record)) {
    const one = told.get(first?.no ?? "");
    if (one) {
      const late = [...open].filter(({ call }) => isTakenBy(one.call, call));
      const now = first?.isLate === true ? hold.expiresAt : hold.at;
      done.set(one, doneOf(world, one.call, now));
      faults.push(...carryOut(world, one, now));
      faults.push(...late.map((other) => `rejected after its id or number was taken: ${tell(other)}`));
    } else if (first?.kind === lineKinds.expiry) sweep(world, hold.expiresAt);
    else faults.push(`nobody was told of ${first?.no}`);
    close();
  }
  faults.push(...[...open].map((one) => `no order explains ${tell(one)}`), ...compareLines(hold, record));
  return [...faults, ...asked.filter(isRepeat).flatMap((one) => explainRepeat(one, asked, world, done))];
}

const repeatCases = ["conflict", "duplicatePartnerReferenceNo", "inconsistentRequest"];
const isSuccess = ({ call, reply }: Asked) => reply.case === "success" && call.name in writes;
export const isRepeat = ({ reply }: Asked) => repeatCases.includes(reply.case);
const tell = ({ call, reply }: Asked) => JSON.stringify({ call, reply: plain(reply) });
const numberIn = ({ fields = {} }: Reply) => String(fields["captureNo"] ?? fields["voidNo"] ?? fields["refundNo"]);

const writeOf = (call: ModelCall) => writes[call.name] as Write;

/** The lines of each call, in their order. */
function effectsOf({ lines }: HoldRecord): readonly (readonly RecordedLine[])[] {
  const effects: RecordedLine[][] = [];
  for (const line of lines) {
    const last = effects.at(-1);
    if (last?.[0]?.no === line.no) last.push(line);
    else effects.push([line]);
  }
  return effects;
}

/** Does in the model what was done, when the model would do it, too, and would tell the same. */
function carryOut(world: World, { call, reply }: Asked, now: number): readonly string[] {
  const write = writeOf(call);
  const rejection = write.reject(world, call, now);
  if (rejection) return [`done, though ${JSON.stringify(rejection)}: ${JSON.stringify(call)}`];
  const no = numberIn(reply);
  const told = withoutTime(write.answer(call, toldOf(world, call, now, no)));
  write.carryOut(world, call, now, no);
  const found = withoutTime(reply.fields ?? {});
  return isDeepStrictEqual(found, told) ? [] : [`told ${JSON.stringify(found)}, expected ${JSON.stringify(told)}`];
}

/** Whether the model, as it is now, would answer this. */
function isExplained(world: World, { call, reply }: Asked, now: number): boolean {
  if (!(call.name in writes)) {
    const expected = answerQuery(world, { accepted: [], rejected: [] }, call, now);
    return isDeepStrictEqual(plain(reply), plain(expected));
  }
  const write = writeOf(call);
  const rejection = write.reject(world, call, now);
  if (!rejection || rejection.case !== reply.case || rejection.field !== reply.field) return false;
  const expected = write.rejected(call, toldOf(world, call, now, undefined));
  return isDeepStrictEqual(withoutTime(reply.fields ?? {}, true), withoutTime(expected, true));
}

const timeFields = new Set(["captureTime", "voidTime", "refundTime"]);

function withoutTime(fields: Fields, isRejected = false): Fields {
  const kept = Object.entries(fields).filter(([name, value]) => {
    return value !== undefined && !timeFields.has(name) && !(isRejected && name === "refundNo");
  });
  return Object.fromEntries(kept);
}

/** Spec D7: a call gets the rejection of one of its external id that was sent no earlier. */
function isRejectionOfLater({ call, reply }: Asked, asked: readonly Asked[]): boolean {
  return asked.some(
    (other) =>
      other.call.externalId === call.externalId &&
      other.call.signature !== call.signature &&
      other.call.sentAt >= call.sentAt &&
      isDeepStrictEqual(plain(other.reply), plain(reply)),
  );
}

/** Whether a call comes too late because another took its external id or its number. */
function isTakenBy(first: ModelCall, late: ModelCall): boolean {
  return first.externalId === late.externalId || isSameNumber(first, late);
}

/** Spec D7: the first use of the id or number, what it was told, and how this one differs from it. */
function explainRepeat(
  one: Asked,
  asked: readonly Asked[],
  world: World,
  dones: ReadonlyMap<Asked, Done>,
): readonly string[] {
  const first = asked.find((other) => isSuccess(other) && isTakenBy(other.call, one.call));
  if (!first) return [`a repeat of nothing: ${tell(one)}`];
  const write = writeOf(one.call);
  const isSameId = first.call.externalId === one.call.externalId;
  const done = dones.get(first);
  const isSame = done !== undefined && isSameNumber(first.call, one.call) && hasSameContent(world, done, one.call);
  const isSameBytes = first.call.name === one.call.name && isDeepStrictEqual(first.call.request, one.call.request);
  const isSameCall = isSameBytes || isSame;
  const expected = isSameId ? "conflict" : isSame ? "duplicatePartnerReferenceNo" : "inconsistentRequest";
  const { originalResponse } = (plain(one.reply).fields["additionalInfo"] ?? {}) as { originalResponse?: Fields };
  const code = { responseCode: `200${write.code}00`, responseMessage: "Successful" };
  const told = isSameId && !isSameCall ? undefined : { ...plain(first.reply).fields, ...code };
  if (one.reply.case === expected && isDeepStrictEqual(originalResponse, told)) return [];
  return [`expected ${expected} of ${tell(first)}: ${tell(one)}`];
}

/** What the model's hold has become by the same order. */
function compareLines(hold: ModelHold, { lines }: HoldRecord): readonly string[] {
  const of = (kind: number) => lines.filter((line) => line.kind === kind);
  const found = {
    captures: of(lineKinds.capture).map(({ no, amount, refunded }) => [no, amount, refunded]),
    releases: of(lineKinds.void).map(({ amount }) => amount),
    swept: sum(of(lineKinds.expiry).map(({ amount }) => amount)),
  };
  const expected = {
    captures: hold.captures.map((one) => [one.no, one.amount, refundedOf(one)]),
    releases: hold.releases,
    swept: hold.swept,
  };
  return isDeepStrictEqual(found, expected) ? [] : ["the lines differ from what the model makes of their order"];
}
