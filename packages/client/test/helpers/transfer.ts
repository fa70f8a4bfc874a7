/** One intrabank transfer, and responses to it. */
import {
  type CaseName,
  operations,
  type RequestOf,
  responseCases,
  responseCode,
  responseMessage,
} from "@titian/contract";
import { json } from "./recording-fetch.ts";

export const transfer: RequestOf<"intrabankTransfer"> = operations.intrabankTransfer.example.request;

export const accepted = (): Response => json(200, operations.intrabankTransfer.example.response);

interface Details {
  readonly field?: string;
  readonly reason?: string;
  readonly headers?: Record<string, string>;
  /** Further fields of the response. */
  readonly fields?: Record<string, unknown>;
}

/** A response of the given case, for service code 17 or another. */
export function rejected(caseName: CaseName, { headers, fields, ...detail }: Details = {}, code = "17"): Response {
  const envelope = {
    responseCode: responseCode(caseName, code),
    responseMessage: responseMessage(caseName, detail),
  };
  return json(responseCases[caseName].status, { ...envelope, ...fields }, headers);
}
