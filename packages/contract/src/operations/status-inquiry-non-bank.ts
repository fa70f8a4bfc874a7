/** Code 53: as 36, with four more fields in the request. The path is shared with QR payments, the category is not. */
import { optional } from "../fields/field.ts";
import { text } from "../fields/text-types.ts";
import { ResponseCode, ResponseMessage } from "../fields/types.ts";
import { defineOperation } from "../operation.ts";
import { statusInquiryRequest, statusInquiryResponse } from "../shapes/status-inquiry.ts";

export const statusInquiryNonBank = defineOperation({
  code: "53",
  name: "statusInquiryNonBank",
  path: "qr/qr-mpm-status",
  kind: "read",
  direction: "toProvider",
  title: "Status of a transfer, non-bank",
  request: {
    ...statusInquiryRequest,
    originalResponseCode: optional(ResponseCode),
    originalResponseMessage: optional(ResponseMessage),
    sessionId: optional(text(25)),
    requestId: optional(text(25)),
  },
  response: statusInquiryResponse,
});
