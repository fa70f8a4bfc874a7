/** Queries 64, 66 and 68 as spec D10 has them: the accepted write; if there is none, the newest rejected one (D8). */
import { type CaseName, responseCode } from "@titian/contract";
import { sum } from "../../support/ledger-model.ts";
import { writeFields, type WriteName } from "../write-fields.ts";
import {
  captured,
  expired,
  type HoldState,
  lacksToken,
  matches,
  merchantOf,
  type ModelCall,
  type ModelHold,
  moneyOf,
  refunded,
  remaining,
  statusOf,
  timeText,
} from "./hold-state.ts";
import type { Fields, ModelReply } from "./model-reply.ts";
import { type Recorded, type Records, writeOf } from "./writes.ts";

const descriptions: Readonly<Record<string, string>> = {
  "00": "Success",
  "01": "Initiated",
  "02": "Paying",
  "04": "Refunded",
  "05": "Canceled",
  "06": "Failed",
  "07": "Not found",
};

const status = (code: string) => ({ latestTransactionStatus: code, transactionStatusDesc: descriptions[code] });

export type Replies = readonly [ModelReply, ...ModelReply[]];

/** One reply, or all that it may be where the newest rejection is one of several of one moment. */
export function answerQuery(state: HoldState, records: Records, call: ModelCall, now: number): Replies {
  if (merchantOf(state, call)?.needsToken === true && call.customerAccountNo === undefined) {
    return [{ case: "customerTokenNotFound" }];
  }
  if (call.name === "authPaymentQuery") return answerPaymentQuery(state, records, call, now);
  return answerChangeQuery(state, records, call);
}

function answerPaymentQuery(state: HoldState, records: Records, call: ModelCall, now: number): Replies {
  const { originalReferenceNo, originalPartnerReferenceNo } = call.request;
  const hold = findQueried(state, call);
  if (hold) {
    if (!isOwn(hold, call)) return [notFound];
    return [lacksToken(state, hold, call) ? { case: "customerTokenNotFound" } : describe(hold, now)];
  }
  if (originalReferenceNo !== undefined || originalPartnerReferenceNo === undefined) return [notFound];
  const rejected = newest(records.rejected, call, "authPayment", originalPartnerReferenceNo);
  return repliesOf(rejected.map((one) => describeRejected(one, call))) ?? [notFound];
}

function describeRejected(rejected: Recorded, call: ModelCall): ModelReply {
  const { originalPartnerReferenceNo } = call.request;
  const { request } = rejected.call;
  const { externalStoreId } = (request["additionalInfo"] ?? {}) as Fields;
  if (!agrees({ ...request, externalStoreId }, call, ["merchantId", "subMerchantId", "externalStoreId"]))
    return notFound;
  const { amount } = rejected.reply.fields ?? {};
  return {
    case: "success",
    fields: { originalPartnerReferenceNo, amount, paidTime: timeText(rejected.at), ...status("06") },
  };
}

const notFound: ModelReply = { case: "transactionNotFound", fields: status("07") };

/** By our number, else by the partner's, else the newest of the merchant, sub-merchant and store. */
function findQueried({ holds }: HoldState, call: ModelCall): ModelHold | undefined {
  const { originalReferenceNo, originalPartnerReferenceNo, merchantId, subMerchantId, externalStoreId } = call.request;
  if (originalReferenceNo !== undefined) return holds.find((hold) => hold.no === originalReferenceNo);
  const own = holds.filter((hold) => hold.partner === call.partner);
  if (originalPartnerReferenceNo !== undefined) return own.find((hold) => hold.number === originalPartnerReferenceNo);
  const isEmpty = [merchantId, subMerchantId, externalStoreId].every((given) => given === undefined);
  return isEmpty ? undefined : own.findLast((hold) => matches(hold, call));
}

function isOwn(hold: ModelHold, call: ModelCall): boolean {
  const isPayers = call.customerAccountNo === undefined || call.customerAccountNo === hold.payer;
  return hold.partner === call.partner && matches(hold, call) && isPayers;
}

function describe(hold: ModelHold, now: number): ModelReply {
  const text = (amount: bigint) => moneyOf(amount, hold.currency).value;
  return {
    case: "success",
    fields: {
      originalPartnerReferenceNo: hold.number,
      originalReferenceNo: hold.no,
      amount: moneyOf(hold.held, hold.currency),
      paidTime: timeText(hold.at),
      ...status(statusOf(hold, now)),
      additionalInfo: {
        captured: text(captured(hold)),
        voided: text(sum(hold.releases)),
        expired: text(expired(hold, now)),
        refunded: text(refunded(hold)),
        remaining: text(remaining(hold, now)),
        validUpTo: timeText(hold.expiresAt),
      },
    },
  };
}

function answerChangeQuery(state: HoldState, records: Records, call: ModelCall): Replies {
  const name = call.name === "authCaptureQuery" ? "authCapture" : "authVoid";
  const fields = writeFields[name];
  const statusField = name === "authCapture" ? "latestCaptureStatus" : "latestVoidStatus";
  const none: ModelReply = { case: "transactionNotFound", fields: { [fields.amount]: moneyOf(0n, "IDR") } };
  const { [fields.number]: number, [fields.no]: no } = call.request;
  const knownOf = ({ call: { request }, reply }: Recorded) => ({
    originalReferenceNo: request["originalReferenceNo"],
    originalPartnerReferenceNo: request["originalPartnerReferenceNo"],
    [fields.amount]: reply.fields?.[fields.amount],
  });
  const [accepted] = newest(records.accepted, call, name, number);
  if (accepted) {
    const hold = state.holds.find((one) => one.no === accepted.call.request["originalReferenceNo"]);
    if (!hold || !isOwn(hold, call) || (no !== undefined && no !== accepted.no)) return [none];
    if (lacksToken(state, hold, call)) return [{ case: "customerTokenNotFound" }];
    const made = { [fields.no]: accepted.no, [fields.time]: timeText(accepted.at) };
    return [{ case: "success", fields: { ...knownOf(accepted), ...made, [statusField]: "SUCCESS" } }];
  }
  const names = ["originalReferenceNo", "originalPartnerReferenceNo", "merchantId", "subMerchantId"];
  const replyOf = (rejected: Recorded): ModelReply => {
    if (no !== undefined || !agrees(rejected.call.request, call, names)) return none;
    const rejection = responseCode(rejected.reply.case as CaseName, writeOf(rejected.call).code);
    return {
      case: "success",
      fields: { ...knownOf(rejected), [statusField]: "FAILED", additionalInfo: { rejection } },
    };
  };
  return repliesOf(newest(records.rejected, call, name, number).map(replyOf)) ?? [none];
}

function repliesOf([first, ...others]: readonly ModelReply[]): Replies | undefined {
  return first && [first, ...others];
}

/** Those that locked nothing have ids of their contents: of one moment any of them may be the newest. */
function newest(records: readonly Recorded[], query: ModelCall, name: WriteName, number: unknown): readonly Recorded[] {
  const hold = "originalReferenceNo";
  const sorted = records
    .filter(({ call }) => call.partner === query.partner && call.name === name)
    .filter(({ call }) => call.request[writeFields[name].number] === number)
    // Captures and voids are numbered within their hold.
    .filter(({ call }) => name === "authPayment" || call.request[hold] === query.request[hold])
    .toSorted((a, b) => a.at - b.at || a.position - b.position);
  const ofLastMoment = sorted.filter(({ at }) => at === sorted.at(-1)?.at);
  return ofLastMoment.some(({ lockedNothing }) => lockedNothing) ? ofLastMoment : sorted.slice(-1);
}

function agrees(recorded: Fields, call: ModelCall, names: readonly string[]): boolean {
  return names.every((name) => call.request[name] === undefined || call.request[name] === recorded[name]);
}
