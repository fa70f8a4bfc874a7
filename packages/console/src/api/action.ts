/** An act on the service from the page: under way, done, or refused. */
import { useState } from "preact/hooks";
import type { ControlError } from "./control.ts";
import { asControlError } from "./resource.ts";

export interface Action<Input extends readonly unknown[], Result> {
  /** Begins it; how it went is in the other members. */
  run(...input: Input): void;
  readonly isRunning: boolean;
  readonly error: ControlError | undefined;
  readonly result: Result | undefined;
  /** Leaves how it went; nothing while it is under way. */
  forget(): void;
}

/** One at a time: a second click while the first is under way does nothing. */
export function useAction<Input extends readonly unknown[], Result>(
  carryOut: (...input: Input) => Promise<Result>,
): Action<Input, Result> {
  const [state, setState] = useState<{ isRunning: boolean; error?: ControlError; result?: Result }>({
    isRunning: false,
  });
  const begin = async (input: Input): Promise<void> => {
    setState({ isRunning: true });
    try {
      setState({ isRunning: false, result: await carryOut(...input) });
    } catch (error) {
      setState({ isRunning: false, error: asControlError(error) });
    }
  };
  const run = (...input: Input): void => {
    if (!state.isRunning) void begin(input);
  };
  return {
    run,
    isRunning: state.isRunning,
    error: state.error,
    result: state.result,
    forget: () => setState((now) => (now.isRunning ? now : { isRunning: false })),
  };
}
