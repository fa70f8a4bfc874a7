/** Code 23: settled in batches; notification 75 tells the result. */
import { defineOperation } from "../operation.ts";
import { clearingRequest, clearingResponse } from "../shapes/transfer.ts";

export const sknTransfer = defineOperation({
  code: "23",
  name: "sknTransfer",
  path: "transfer-skn",
  kind: "write",
  direction: "toProvider",
  title: "Transfer by SKNBI",
  request: clearingRequest,
  response: clearingResponse,
});
