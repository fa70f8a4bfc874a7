/** Auth payment query (64): the state of a hold, by any reference (spec D10). */
import { formatTimestamp, operations, type RequestOf, transactionStatuses } from "@titian/contract";
import type { Call, Handler, Reply } from "../../interfaces/call.ts";
import { holdAt, remaining } from "../../ledger/holds/hold.ts";
import { holdState, holdStates } from "../../ledger/holds/states.ts";
import type { Minor } from "../../ledger/money.ts";
import { toReferenceNo } from "../../basics/ids.ts";
import type { FoundHold } from "../../store/reads/holds.ts";
import type { Reads } from "../../store/reads/reads.ts";
import { parsePayload } from "../stored-payload.ts";
import type { RejectedPayment } from "./hold-payload.ts";
import {
  customerTokenNotFound,
  isOwn,
  lacksTokenOf,
  type QueryDeps,
  rejectWithoutToken,
  saysTheSame,
  byPartnerReference,
} from "./hold-queries.ts";
import { writeMoney } from "../money.ts";
import { holdIdOf } from "./find-hold.ts";
import type { KeptRequest } from "../write.ts";

type Query = RequestOf<"authPaymentQuery">;

export function handleAuthPaymentQuery(deps: QueryDeps): Handler {
  return async (call) => {
    const rejected = rejectWithoutToken(call, deps);
    if (rejected) return rejected;
    const query = call.request as Query;
    const found = await findHold(query, call, deps.reads);
    if (found) {
      if (!isOwn(found, call)) return notFound;
      if (lacksTokenOf(found, call, deps)) return customerTokenNotFound;
      return { ...describe(found, deps.clock.now()), isFinal: namesOne(query) && mayChangeNoMore(found) };
    }
    return (await findRejected(query, call, deps.reads)) ?? notFound;
  };
}

const notFound: Reply = {
  case: "transactionNotFound",
  fields: { latestTransactionStatus: "07", transactionStatusDesc: transactionStatuses["07"].description },
};

/** By our number, else by the partner's, else the newest of the merchant, sub-merchant or store. */
async function findHold(query: Query, call: Call, reads: Reads): Promise<FoundHold | undefined> {
  const { originalReferenceNo, originalPartnerReferenceNo, merchantId, subMerchantId, externalStoreId } = query;
  if (originalReferenceNo !== undefined) return reads.findHold(holdIdOf(originalReferenceNo));
  if (originalPartnerReferenceNo === undefined) {
    return reads.findNewestHold({ partner: call.partner.key, merchantId, subMerchantId, externalStoreId });
  }
  const placed = await reads.findAcceptedRequest(
    byPartnerReference(call, operations.authPayment.code, originalPartnerReferenceNo),
  );
  return placed && reads.findHold(placed.id);
}

/** True when it asks for one hold, and not for the newest. */
function namesOne({ originalReferenceNo, originalPartnerReferenceNo }: Query): boolean {
  return originalReferenceNo !== undefined || originalPartnerReferenceNo !== undefined;
}

/** As it is recorded: one that has expired by the time alone may have been captured before. */
function mayChangeNoMore({ hold }: FoundHold): boolean {
  return Object.keys(holdStates[holdState(hold)].on).length === 0;
}

function describe({ hold }: FoundHold, now: number): Reply {
  const present = holdAt(hold, now);
  const { status } = holdStates[holdState(present)];
  const text = (amount: Minor) => writeMoney({ amount, currency: hold.currency }).value;
  return {
    case: "success",
    fields: {
      originalPartnerReferenceNo: hold.partnerReferenceNo,
      originalReferenceNo: toReferenceNo(hold.id),
      amount: writeMoney({ amount: hold.held, currency: hold.currency }),
      paidTime: formatTimestamp(hold.at),
      latestTransactionStatus: status,
      transactionStatusDesc: transactionStatuses[status].description,
      additionalInfo: {
        captured: text(present.captured),
        voided: text(present.voided),
        expired: text(present.expired),
        refunded: text(present.refunded),
        remaining: text(remaining(present)),
        validUpTo: formatTimestamp(hold.expiresAt),
      },
    },
  };
}

/** The newest rejection under the partner's number; a rejected payment has no number of ours. */
async function findRejected(query: Query, call: Call, reads: Reads): Promise<Reply | undefined> {
  const { originalReferenceNo, originalPartnerReferenceNo } = query;
  if (originalReferenceNo !== undefined || originalPartnerReferenceNo === undefined) return undefined;
  const rejection = await reads.findRejectedRequest(
    byPartnerReference(call, operations.authPayment.code, originalPartnerReferenceNo),
  );
  if (!rejection) return undefined;
  const payload = parsePayload<RejectedPayment & { readonly request: KeptRequest<"authPayment"> }>(rejection.payload);
  const parsed = { ...payload.request, externalStoreId: payload.externalStoreId };
  if (!saysTheSame(parsed, query, ["merchantId", "subMerchantId", "externalStoreId"])) return undefined;
  return {
    case: "success",
    fields: {
      originalPartnerReferenceNo,
      amount: payload.amount,
      paidTime: formatTimestamp(rejection.at),
      latestTransactionStatus: "06",
      transactionStatusDesc: transactionStatuses["06"].description,
    },
  };
}
