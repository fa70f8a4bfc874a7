/** Windows of transfers against anything that takes a command and answers with its outcome. */
import type { Command, Outcome } from "../../packages/server/src/engine/command.ts";
import { runClosedLoop } from "../closed-loop.ts";
import { createPicker } from "../transfers/pick-accounts.ts";
import { transferCommand } from "../transfers/transfer-command.ts";
import { createIds } from "../transfers/unique-ids.ts";
import type { PrepareWindow } from "./serve-windows.ts";

export interface LedgerSettings {
  readonly url: string;
  /** Internal id of the partner who may debit all accounts. */
  readonly partner: string;
  readonly accountNumbers: readonly string[];
}

/** Making the command, its id and the hashes of its keys, belongs to the window: a caller pays for it. */
export function prepareTransfers(
  { partner, accountNumbers }: LedgerSettings,
  submit: (command: Command<unknown>) => Promise<Outcome<unknown>>,
): PrepareWindow {
  const nextId = createIds();
  return (window) => {
    const pick = createPicker(accountNumbers, window.spread);
    const call = async () => {
      const outcome = await submit(transferCommand(partner, nextId(), pick()));
      if (outcome.kind !== "effect") throw new Error(`A transfer was answered ${JSON.stringify(outcome)}.`);
    };
    return Promise.resolve(() => runClosedLoop(window, call));
  };
}
