/** Every race of a hold, by the name `npm run torture -- holds` knows it by. */
import { captureAndExpiry } from "./expiry-race.ts";
import { captureAndVoid, hundredths, refunds } from "./races.ts";
import { randomCalls } from "./random-calls.ts";

export const races = {
  hundredths,
  void: captureAndVoid,
  refund: refunds,
  expiry: captureAndExpiry,
  random: randomCalls,
} as const;
