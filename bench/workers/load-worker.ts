/** The load generator: signs before the window, then only sends and counts. */
import { operations, responseCode } from "@titian/contract";
import type { BenchPartner } from "../load/partner.ts";
import { requestToken } from "../load/request-token.ts";
import { connectLoad } from "../load/send-all.ts";
import { createRequestMaker } from "../load/signed-requests.ts";
import { createPicker } from "../transfers/pick-accounts.ts";
import { createIds } from "../transfers/unique-ids.ts";
import { serveWindows } from "./serve-windows.ts";

export interface LoadSettings {
  readonly partner: BenchPartner;
  readonly accountNumbers: readonly string[];
}

const successStart = `{"responseCode":"${responseCode("success", operations.intrabankTransfer.code)}"`;
/** Requests prepared for a second of the first window; later ones go by the fastest window so far. */
const firstGuessPerSecond = 10_000;
const margin = 1.4;

serveWindows<LoadSettings>(({ partner, accountNumbers }) => {
  const nextId = createIds();
  let fastestPerSecond = firstGuessPerSecond;
  return Promise.resolve(async (window) => {
    const pick = createPicker(accountNumbers, window.spread);
    const make = createRequestMaker(partner, await requestToken(partner));
    const count = Math.ceil(fastestPerSecond * window.seconds * margin);
    const requests = Array.from({ length: count }, () => make(nextId(), pick()));
    const { host, port } = partner;
    const run = await connectLoad({ window, host, port, successStart, requests });
    return async () => {
      const seen = await run();
      fastestPerSecond = Math.max(fastestPerSecond, seen.done / (seen.elapsedMs / 1_000));
      return seen;
    };
  });
});
