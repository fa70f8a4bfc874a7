/** Windows of commands against anything that takes one and answers with its outcome. */
import type { Command, Unconfirmed } from "../../packages/server/src/engine/command.ts";
import { captureCommand } from "../captures/capture-command.ts";
import { createHoldSupply, type HoldSupply } from "../captures/hold-supply.ts";
import { runClosedLoop } from "../closed-loop.ts";
import { isCapture, type Window } from "../subject.ts";
import { createPicker } from "../transfers/pick-accounts.ts";
import { transferCommand } from "../transfers/transfer-command.ts";
import { createIds } from "../transfers/unique-ids.ts";
import { createCallGuess } from "./guess-calls.ts";
import type { PrepareWindow } from "./serve-windows.ts";

export interface LedgerSettings {
  readonly url: string;
  /** Internal id of the partner who may debit all accounts. */
  readonly partner: string;
  readonly accountNumbers: readonly string[];
}

/** Captures name it; nothing looks it up. */
const merchantId = "BENCH";
const firstGuessPerSecond = 10_000;

/** Making the command, its id and the hashes of its keys, belongs to the window: a caller pays for it. */
export function prepareCommands(
  settings: LedgerSettings,
  submit: (command: Command<unknown>) => Promise<Unconfirmed<unknown>>,
): PrepareWindow {
  const nextId = createIds();
  const guess = createCallGuess(firstGuessPerSecond);
  let supply: Promise<HoldSupply> | undefined;

  /** Gives the next command; undefined when what they are about is used up. */
  const commandsOf = async (window: Window): Promise<() => Command<unknown> | undefined> => {
    const { load } = window;
    const { partner, accountNumbers } = settings;
    if (!isCapture(load)) {
      const pick = createPicker(accountNumbers, load);
      return () => transferCommand(partner, nextId(), pick());
    }
    supply ??= createHoldSupply({ ...settings, merchantId });
    const nextHold = await (await supply).prepare(load, guess.of(window));
    return () => {
      const hold = nextHold();
      return hold && captureCommand(nextId(), hold);
    };
  };

  return async (window) => {
    const nextCommand = await commandsOf(window);
    const call = async () => {
      const command = nextCommand();
      if (!command) return false;
      const outcome = await submit(command);
      if (outcome.kind !== "effect") throw new Error(`A command was answered ${JSON.stringify(outcome)}.`);
      return true;
    };
    return async () => {
      const seen = await runClosedLoop(window, call);
      guess.learn(window, seen);
      return seen;
    };
  };
}
