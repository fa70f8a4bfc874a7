/** 64, 66 and 68 as spec D10 tells them: the accepted attempt, and only if there is none the newest rejected one (D8). */
import { type CaseName, responseCode } from "@titian/contract";
import { fits, lacksToken } from "./naive-changes.ts";
import type { Archive, Kept, ModelReply } from "./naive-model.ts";
import { merchantOf } from "./naive-payments.ts";
import {
  captured,
  expired,
  left,
  type ModelCall,
  type ModelHold,
  moneyOf,
  refunded,
  statusOf,
  sum,
  timeText,
  type World,
} from "./naive-world.ts";

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

export function answerQuery(world: World, archive: Archive, call: ModelCall, now: number): ModelReply {
  if (merchantOf(world, call)?.needsToken === true && call.customerAccountNo === undefined) {
    return { case: "customerTokenNotFound" };
  }
  if (call.name === "authPaymentQuery") return answerPaymentQuery(world, archive, call, now);
  const isCapture = call.name === "authCaptureQuery";
  return answerChangeQuery(world, archive, call, isCapture ? captureQuery : voidQuery);
}

function answerPaymentQuery(world: World, archive: Archive, call: ModelCall, now: number): ModelReply {
  const { originalReferenceNo, originalPartnerReferenceNo } = call.request;
  const hold = findAsked(world, call);
  if (hold) {
    if (!isOwn(hold, call)) return notFound;
    return lacksToken(world, hold, call) ? { case: "customerTokenNotFound" } : describe(hold, now);
  }
  if (originalReferenceNo !== undefined || originalPartnerReferenceNo === undefined) return notFound;
  const rejection = newest(archive.rejected, call, "authPayment", "partnerReferenceNo", originalPartnerReferenceNo);
  if (!rejection) return notFound;
  const { request } = rejection.call;
  const info = (request["additionalInfo"] ?? {}) as Readonly<Record<string, unknown>>;
  const said = { ...request, externalStoreId: info["externalStoreId"] };
  if (!saysTheSame(said, call, ["merchantId", "subMerchantId", "externalStoreId"])) return notFound;
  const { amount } = rejection.reply.fields ?? {};
  return {
    case: "success",
    fields: { originalPartnerReferenceNo, amount, paidTime: timeText(rejection.at), ...status("06") },
  };
}

const notFound: ModelReply = { case: "transactionNotFound", fields: status("07") };

/** By our number, else by the partner's, else the newest of the merchant, sub-merchant and store. */
function findAsked(world: World, call: ModelCall): ModelHold | undefined {
  const { originalReferenceNo, originalPartnerReferenceNo, merchantId, subMerchantId, externalStoreId } = call.request;
  if (originalReferenceNo !== undefined) return world.holds.find((hold) => hold.no === originalReferenceNo);
  const own = world.holds.filter((hold) => hold.partner === call.partner);
  if (originalPartnerReferenceNo !== undefined) return own.find((hold) => hold.number === originalPartnerReferenceNo);
  const isNothingGiven = [merchantId, subMerchantId, externalStoreId].every((given) => given === undefined);
  return isNothingGiven ? undefined : own.findLast((hold) => fits(hold, call));
}

function isOwn(hold: ModelHold, call: ModelCall): boolean {
  const isPayers = call.customerAccountNo === undefined || call.customerAccountNo === hold.payer;
  return hold.partner === call.partner && fits(hold, call) && isPayers;
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
        remaining: text(left(hold, now)),
        validUpTo: timeText(hold.expiresAt),
      },
    },
  };
}

interface ChangeQuery {
  readonly about: string;
  readonly code: string;
  readonly partnerNo: string;
  /** Fields of our number, its time, its amount and its status. */
  readonly no: string;
  readonly time: string;
  readonly amount: string;
  readonly status: string;
}

const captureQuery: ChangeQuery = {
  about: "authCapture",
  code: "65",
  partnerNo: "partnerCaptureNo",
  no: "captureNo",
  time: "captureTime",
  amount: "captureAmount",
  status: "latestCaptureStatus",
};
const voidQuery: ChangeQuery = {
  about: "authVoid",
  code: "67",
  partnerNo: "partnerVoidNo",
  no: "voidNo",
  time: "voidTime",
  amount: "voidAmount",
  status: "latestVoidStatus",
};

function answerChangeQuery(world: World, archive: Archive, call: ModelCall, query: ChangeQuery): ModelReply {
  const none: ModelReply = { case: "transactionNotFound", fields: { [query.amount]: moneyOf(0n, "IDR") } };
  const number = call.request[query.partnerNo];
  const accepted = newest(archive.accepted, call, query.about, query.partnerNo, number);
  if (accepted) {
    const hold = world.holds.find((one) => one.no === accepted.call.request["originalReferenceNo"]);
    const ours = call.request[query.no];
    if (!hold || !isOwn(hold, call) || (ours !== undefined && ours !== accepted.no)) return none;
    if (lacksToken(world, hold, call)) return { case: "customerTokenNotFound" };
    const { [query.amount]: amount } = accepted.reply.fields ?? {};
    const ofOurs = { [query.no]: accepted.no, [query.time]: timeText(accepted.at) };
    return tell(accepted, { [query.amount]: amount, ...ofOurs, [query.status]: "SUCCESS" });
  }
  const rejected = newest(archive.rejected, call, query.about, query.partnerNo, number);
  const names = ["originalReferenceNo", "originalPartnerReferenceNo", "merchantId", "subMerchantId"];
  if (!rejected || call.request[query.no] !== undefined || !saysTheSame(rejected.call.request, call, names))
    return none;
  const rejection = responseCode(rejected.reply.case as CaseName, query.code);
  const { [query.amount]: amount } = rejected.reply.fields ?? {};
  return tell(rejected, { [query.amount]: amount, [query.status]: "FAILED", additionalInfo: { rejection } });
}

function tell({ call }: Kept, fields: Readonly<Record<string, unknown>>): ModelReply {
  const { originalReferenceNo, originalPartnerReferenceNo } = call.request;
  return { case: "success", fields: { originalReferenceNo, originalPartnerReferenceNo, ...fields } };
}

const ofHold = "originalReferenceNo";

function newest(kept: readonly Kept[], query: ModelCall, name: string, field: string, number: unknown) {
  return (
    kept
      .filter(({ call }) => call.partner === query.partner && call.name === name && call.request[field] === number)
      // Captures and voids are numbered within their hold.
      .filter(({ call }) => name === "authPayment" || call.request[ofHold] === query.request[ofHold])
      .toSorted((a, b) => a.at - b.at || a.turn - b.turn)
      .at(-1)
  );
}

function saysTheSame(said: Readonly<Record<string, unknown>>, call: ModelCall, names: readonly string[]): boolean {
  return names.every((name) => call.request[name] === undefined || call.request[name] === said[name]);
}
