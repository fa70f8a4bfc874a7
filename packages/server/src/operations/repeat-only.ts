/** A write whose payer is in another cell: here it can only be a repeat (docs/adr/0095-bound-keys.md). */
import type { Command } from "../engine/command.ts";
import type { Reply } from "../interfaces/call.ts";

export interface RepeatOnly {
  /** True: a repeat is told, and nothing else is decided; then the reply is `noRepeat`. Absent: false. */
  readonly isRepeatOnly?: boolean;
}

/** The very reply of a cell that was asked for repeats alone, and has none. It is told to nobody. */
export const noRepeat: Reply = { case: "generalError" };

/** Repeats are looked up as ever; what is none takes no effect, and is not rejected. */
export function decidedAs<Payload>(command: Command<Payload>, { isRepeatOnly }: RepeatOnly): Command<Payload> {
  return isRepeatOnly === true ? { ...command, passesFences: true, decide: () => ({ kind: "nothing" }) } : command;
}
