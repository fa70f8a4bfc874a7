/** Requests by a number that their partner gave them. */
import type { Answer, CallRow } from "./call-row.ts";

export type RequestsOfPartner = Answer<"GET /partners/{partnerId}/requests/{number}">;

/** @throws CliError where there is no such partner */
export function findRequests(call: CallRow, partnerId: string, number: string): Promise<RequestsOfPartner> {
  return call("GET /partners/{partnerId}/requests/{number}", { params: { partnerId, number } });
}

export function formatRejections(number: string, rejections: RequestsOfPartner["rejections"]): string {
  const lines = rejections.map(
    ({ serviceCode, kind, responseMessage, rejectedAt }) =>
      `\n  service ${serviceCode}, ${rejectedAt}: ${kind} (${responseMessage})`,
  );
  return `${number} was rejected; no money moved. A new request with the same number may succeed.${lines.join("")}`;
}
