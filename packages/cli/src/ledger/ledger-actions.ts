/** Actions of `titian ledger`. */
import type { MovePair, RailName } from "@titian/server/admin";
import { withCalls } from "../control/with-calls.ts";
import type { ReferenceFlags } from "../options/act-options.ts";
import { once } from "../options/once.ts";
import { formatJson, print } from "../output.ts";
import { amountColumn, formatTable } from "../tables/table.ts";

export interface MoveFlags extends ReferenceFlags {
  readonly amount: string;
  readonly rail?: RailName;
  readonly currency: string;
  readonly json?: true;
}

const columns = { accountNo: "account", currency: "currency", ledgerBalance: amountColumn("ledger balance") };

export async function showLedger({ json }: { readonly json?: true }): Promise<void> {
  const answer = await withCalls((call) => call("GET /ledger"));
  print(json === true ? formatJson(answer) : formatTable(columns, answer.accounts));
}

export async function move(pair: MovePair, { json, ...flags }: MoveFlags): Promise<void> {
  const { amount, rail, currency, reason, ticket } = flags;
  const answer = await once(flags, (reference) =>
    withCalls((call) =>
      call("POST /ledger/moves", { body: { pair, rail, currency, amount, reference, reason, ticket } }),
    ),
  );
  print(json === true ? formatJson(answer) : formatTable(columns, answer.accounts));
}
