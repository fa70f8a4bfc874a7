/** Requests found by a number that their partner gave them. */
import { array, choice, object, optional, string } from "@titian/contract";
import { findRequestsOfPartner, type QueryDeps, time } from "@titian/server/admin";
import { unknownPartner } from "../control-error.ts";
import { defineCall } from "../rows/define-call.ts";
import { rejectionMembers } from "../transfers/transfer-details.ts";

const request = object({
  kind: choice(["transfer", "intrabank", "paymentRequest", "bulk"], {
    description: "transfer: over a rail; paymentRequest: not approved, or paid within the bank",
  }),
  referenceNo: string(),
  serviceCode: string(),
  bulkId: optional(string({ description: "of a bulk, and of an item of one" })),
  acceptedAt: time(),
});

const rejection = object({ serviceCode: string(), ...rejectionMembers, rejectedAt: time() });

export interface RequestCallsDeps {
  readonly queries: QueryDeps;
}

export const requestCalls = [
  defineCall({
    name: "request find",
    route: "GET /partners/{partnerId}/requests/{number}",
    role: "viewer",
    does: "What a number of the partner's own, or an X-EXTERNAL-ID, is of: transfers, payment requests and bulks, oldest first, and the newest rejection of each service.",
    answer: object({ requests: array(request), rejections: array(rejection) }),
    // A number of the partner's own says no cell.
    join: (answers) => ({
      requests: answers.flatMap(({ requests }) => requests).toSorted((one, other) => one.acceptedAt - other.acceptedAt),
      rejections: newestOfService(answers.flatMap(({ rejections }) => rejections)),
    }),
    run: async ({ params: { partnerId, number } }, { queries }: RequestCallsDeps) => {
      const found = await findRequestsOfPartner(queries, partnerId, number);
      if (!found) throw unknownPartner(partnerId);
      const withCode = <Row extends { readonly service: number }>(row: Row) => ({
        ...row,
        serviceCode: String(row.service),
      });
      return { requests: found.requests.map(withCode), rejections: found.rejections.map(withCode) };
    },
  }),
] as const;

function newestOfService<Row extends { readonly serviceCode: string; readonly rejectedAt: number }>(
  rows: readonly Row[],
): readonly Row[] {
  const newest = new Map<string, Row>();
  for (const row of rows.toSorted((one, other) => one.rejectedAt - other.rejectedAt)) newest.set(row.serviceCode, row);
  return [...newest.values()];
}
