/** A kept call by its `X-CORRELATION-ID`, with the record that it touched. */
import { optional, parseResponseCode, string } from "@titian/contract";
import { homeCell, toReferenceNo } from "../../basics/ids.ts";
import { cellOfId } from "../../operations/cells/place-call.ts";
import { listAcceptedRequests } from "../../store/reads/accepted-requests.ts";
import { findKeptCall } from "../../store/tables/search/kept-calls.ts";
import { describeRequest } from "../money/number-match.ts";
import { partnerIdOf, type QueryDeps } from "../query-deps.ts";
import { callOfRecord, type CallsDeps, describeCalls } from "./calls-of-record.ts";

/** Members of a kept call by itself. */
export const keptCall = {
  ...callOfRecord,
  partnerId: string(),
  referenceNo: optional(string({ description: "of the record that it touched" })),
};

async function read(deps: QueryDeps, correlationId: string) {
  if (!/^[0-9a-f]{16}$/i.test(correlationId)) return undefined;
  const kept = await findKeptCall(deps.keptCalls ?? deps.pool, correlationId);
  if (kept === undefined) return undefined;
  const [request] = await listAcceptedRequests(deps.pool, [kept.record]);
  return { kept, request };
}

/** The call as a record shows it; undefined as below. */
export async function showKeptCall(deps: CallsDeps, correlationId: string) {
  const { kept, request } = (await read(deps, correlationId)) ?? {};
  if (kept === undefined) return undefined;
  const [call] = await describeCalls(deps, [kept], { maker: request, changes: [] });
  return (
    call && {
      ...call,
      partnerId: partnerIdOf(deps, request?.partner ?? kept.partner ?? ""),
      referenceNo: request || isElsewhere(deps, kept.record) ? toReferenceNo(kept.record) : undefined,
    }
  );
}

/** True: the id was made in another cell than is read; a call that touched nothing has one of home. */
function isElsewhere({ cell = homeCell, reference }: QueryDeps, id: string): boolean {
  return cellOfId(id, reference.current().directory) !== cell;
}

/** Undefined: no call of this id was kept, or what it says is no such id. */
export async function findCall(deps: QueryDeps, correlationId: string) {
  const { kept, request } = (await read(deps, correlationId)) ?? {};
  if (kept === undefined) return undefined;
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
