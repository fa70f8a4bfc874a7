/** Code 17: both sides on the provider's ledger. */
import { defineOperation } from "../operation.ts";
import { intrabankRequest, intrabankResponse } from "../shapes/transfer.ts";

export const intrabankTransfer = defineOperation({
  code: "17",
  name: "intrabankTransfer",
  path: "transfer-intrabank",
  kind: "write",
  direction: "toProvider",
  title: "Transfer within the bank",
  request: intrabankRequest,
  response: intrabankResponse,
});
