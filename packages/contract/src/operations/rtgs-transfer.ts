/** Code 22: large amounts, settled one by one; notification 76 tells the result. */
import { defineOperation } from "../operation.ts";
import { clearingRequest, clearingResponse } from "../shapes/transfer.ts";

export const rtgsTransfer = defineOperation({
  code: "22",
  name: "rtgsTransfer",
  path: "transfer-rtgs",
  kind: "write",
  direction: "toProvider",
  title: "Transfer by RTGS",
  request: clearingRequest,
  response: clearingResponse,
});
