/** Code 18: to another bank, online. */
import { defineOperation } from "../operation.ts";
import { interbankRequest, interbankResponse } from "../shapes/transfer.ts";

export const interbankTransfer = defineOperation({
  code: "18",
  name: "interbankTransfer",
  path: "transfer-interbank",
  kind: "write",
  direction: "toProvider",
  title: "Transfer to another bank",
  request: interbankRequest,
  response: interbankResponse,
});
