/** The rejection that a query reports (spec D15): the response that the request got, or would have got. */
import { mandatory } from "../fields/field.ts";
import { freeFormWith, ResponseCode, ResponseMessage } from "../fields/types.ts";

export const Rejection = freeFormWith({
  responseCode: mandatory(ResponseCode),
  responseMessage: mandatory(ResponseMessage),
});
