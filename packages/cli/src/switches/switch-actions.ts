/** Actions of `titian switch`. */
import type { Answer } from "../control/call-row.ts";
import { withCalls } from "../control/with-calls.ts";
import type { ActFlags } from "../options/act-options.ts";
import { formatJson, note, print } from "../output.ts";
import { formatTable } from "../tables/table.ts";
import { formatList } from "../tables/totals.ts";

type SwitchView = Answer<"GET /switches">["switches"][number];

export interface SwitchFlags extends ActFlags {
  readonly json?: true;
}

export async function list({ json }: { readonly json?: true }): Promise<void> {
  const answer = await withCalls((call) => call("GET /switches"));
  if (json) return print(formatList(answer, answer.switches));
  show(answer.switches);
}

export async function close(name: string, flags: SwitchFlags): Promise<void> {
  const given = { params: { name }, body: { reason: flags.reason, ticket: flags.ticket } };
  tell(await withCalls((call) => call("POST /switches/{name}/close", given)), flags);
}

export async function reopen(name: string, flags: SwitchFlags): Promise<void> {
  const given = { params: { name }, body: { reason: flags.reason, ticket: flags.ticket } };
  tell(await withCalls((call) => call("POST /switches/{name}/reopen", given)), flags);
}

function tell(changed: SwitchView, { json }: SwitchFlags): void {
  if (json) return print(formatJson(changed));
  show([changed]);
  if (changed.note !== undefined) note(`\n${changed.note}`);
}

const columns = { name: "switch", state: "state", since: "since", reason: "reason", act: "act" };

function show(switches: readonly SwitchView[]): void {
  print(
    formatTable(
      columns,
      switches.map(({ name, closed }) => ({
        name,
        state: closed === null ? "open" : "closed",
        since: closed?.closedAt ?? "",
        reason: closed?.reason ?? "",
        act: closed?.actId ?? "",
      })),
    ),
  );
}
