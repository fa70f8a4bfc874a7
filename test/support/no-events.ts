/** Dispatch whose events nobody looks at. */
import type { DispatchEvents } from "../../packages/server/src/rails/events.ts";

const nothing = () => undefined;

export const noEvents: DispatchEvents = {
  callFailed: nothing,
  circuit: nothing,
  late: nothing,
  failed: nothing,
  recorded: nothing,
  statusConflict: nothing,
  unknownResult: nothing,
};
