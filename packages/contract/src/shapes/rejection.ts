/** Why something was refused, as queries tell it (decision D15): what its call was answered, or would have been. */
import { mandatory } from "../fields/field.ts";
import { freeFormWith, ResponseCode, ResponseMessage } from "../fields/types.ts";

export const Rejection = freeFormWith({
  responseCode: mandatory(ResponseCode),
  responseMessage: mandatory(ResponseMessage),
});
