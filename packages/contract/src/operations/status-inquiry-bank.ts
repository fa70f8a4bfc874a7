/** Code 36: what became of a transfer. */
import { defineOperation } from "../operation.ts";
import { statusInquiryRequest, statusInquiryResponse } from "../shapes/status-inquiry.ts";

export const statusInquiryBank = defineOperation({
  code: "36",
  name: "statusInquiryBank",
  path: "transfer/status",
  kind: "read",
  direction: "toProvider",
  title: "Status of a transfer, bank",
  request: statusInquiryRequest,
  response: statusInquiryResponse,
});
