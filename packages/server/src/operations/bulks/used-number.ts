/** Reply to a bulk of which an item's number was used before (spec D7, D13): the first response, and the item's status. */
import { operations } from "@titian/contract";
import type { Reply } from "../../interfaces/call.ts";
import { toReferenceNo } from "../../basics/ids.ts";
import { itemField } from "../../ledger/bulks/accept.ts";
import { transferStates } from "../../ledger/transfers/states.ts";
import type { UsedNumber } from "../../store/reads/accepted-requests.ts";
import { type Original, repeatReply } from "../duplicate-reply.ts";
import { findRailTransfer } from "../transfers/rail-transfer.ts";
import { parsePayload } from "../stored-payload.ts";
import type { WriteDeps } from "../write.ts";
import type { BulkPayload } from "./bulk-payload.ts";
import type { BulkOrder } from "./encode-items.ts";

const operation = operations.interbankBulkTransfer;

export async function replyToUsedNumber(
  order: BulkOrder,
  { position, request: holder }: UsedNumber,
  { reads }: Pick<WriteDeps, "reads">,
): Promise<Reply> {
  const number = itemField(position, "partnerReferenceNo");
  if (!holder) return { ...repeatReply("numberTaken"), field: number };
  const { state, bulk } = await findRailTransfer(holder.id, reads);
  const original: Original = {
    operation,
    number,
    first: { case: "success", fields: await firstResponse(bulk, order.partner, reads) },
    latestStatus: transferStates[state].status,
  };
  const isSame = holder.requestFingerprint === order.parsed.items[position]?.fingerprint;
  return repeatReply(isSame ? "sameNumber" : "numberTaken", original, order.request);
}

async function firstResponse(bulk: string | undefined, partner: string, reads: WriteDeps["reads"]) {
  if (bulk === undefined) return {};
  const unnamed = { externalIdKey: undefined, partnerReferenceKey: undefined };
  const references = { partner, service: Number(operation.code), id: bulk, ...unnamed };
  const accepted = await reads.findAcceptedRequest(references);
  const { partnerBulkId } = accepted ? parsePayload<BulkPayload>(accepted.payload).request : {};
  return { bulkId: toReferenceNo(bulk), partnerBulkId };
}
