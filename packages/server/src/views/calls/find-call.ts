/** A kept call by its `X-CORRELATION-ID`, with the record that it touched. */
import { parseResponseCode } from "@titian/contract";
import { listAcceptedRequests } from "../../store/reads/accepted-requests.ts";
import { findKeptCall } from "../../store/tables/search/kept-calls.ts";
import { describeRequest } from "../money/number-match.ts";
import { partnerIdOf, type QueryDeps } from "../query-deps.ts";

/** Undefined: no call of this id was kept, or what it says is no such id. */
export async function findCall(deps: QueryDeps, correlationId: string) {
  if (!/^[0-9a-f]{16}$/i.test(correlationId)) return undefined;
  const kept = await findKeptCall(deps.pool, correlationId);
  if (kept === undefined) return undefined;
  const [request] = await listAcceptedRequests(deps.pool, [kept.record]);
  return {
    correlationId: kept.correlationId,
    at: kept.at,
    partnerId: partnerIdOf(deps, request?.partner ?? kept.partner ?? ""),
    serviceCode: parseResponseCode(kept.responseCode)?.serviceCode,
    responseCode: kept.responseCode,
    /** Undefined: it touched none. */
    record: request && (await describeRequest(deps, request)),
  };
}
