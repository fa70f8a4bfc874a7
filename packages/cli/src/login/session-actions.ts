/** Actions of `titian session`. */
import type { CallsOfOperators } from "@titian/control/types";
import { type ExitCode, exitCodes } from "../cli-error.ts";
import { callsBy } from "../control/call-row.ts";
import { carrierTo } from "../control/http.ts";
import { operatorsMount } from "../control/service.ts";
import { pageSizeOf } from "../options/page-size.ts";
import { print } from "../output.ts";
import { formatTable } from "../tables/table.ts";
import { formatList } from "../tables/totals.ts";
import "../program-name.ts";

export interface ListFlags {
  readonly limit: string;
  readonly json?: true;
}

const columns = {
  sessionId: "session",
  name: "name",
  cameBy: "by",
  address: "address",
  startedAt: "since",
  lastUsedAt: "last used",
  factors: "second factor",
};

const openCalls = () => callsBy<CallsOfOperators>(carrierTo(operatorsMount({ session: true })));

export async function list({ limit, json }: ListFlags): Promise<void> {
  const answer = await openCalls()("GET /sessions", { query: { limit: pageSizeOf(limit) } });
  if (json) return print(formatList(answer, answer.sessions));
  const rows = answer.sessions.map((row) => ({ ...row, factors: row.hasSecondFactor ? "yes" : "no" }));
  print(formatTable(columns, rows));
}

export async function end(sessionId: string): Promise<ExitCode> {
  const { ended } = await openCalls()("POST /sessions/{sessionId}/end", { params: { sessionId } });
  print(ended ? "Ended: it approves nothing any more." : "It had ended before.");
  return exitCodes.done;
}
