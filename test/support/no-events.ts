/** Dispatch whose events nobody looks at. */
import type { DispatchEvents } from "../../packages/server/src/rails/events.ts";

const nothing = () => undefined;

export const noEvents: DispatchEvents = {
  silent: nothing,
  circuit: nothing,
  late: nothing,
  failed: nothing,
  recorded: nothing,
  contradicted: nothing,
  unknownResult: nothing,
};
