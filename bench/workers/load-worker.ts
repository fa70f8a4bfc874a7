/** The load generator: signs before the window, then only sends and counts. */
import { type OperationRow, operations, responseCode } from "@titian/contract";
import { createHoldSupply, type HoldSupply } from "../captures/hold-supply.ts";
import { captureBody, interbankBody, intrabankBody } from "../load/request-bodies.ts";
import { requestToken } from "../load/request-token.ts";
import { connectLoad } from "../load/send-all.ts";
import { createSigner } from "../load/signed-requests.ts";
import { isCapture, isRail, type Load } from "../subject.ts";
import { createPicker } from "../transfers/pick-accounts.ts";
import { createIds } from "../transfers/unique-ids.ts";
import type { LoadSettings } from "./load-settings.ts";
import { createCallGuess } from "./guess-calls.ts";
import { serveWindows } from "./serve-windows.ts";

const firstGuessPerSecond = 10_000;

/** Makes the body of the next call; undefined when what it would be about is used up. */
type NextBody = (id: string) => object | undefined;

serveWindows<LoadSettings>(({ caller, ledger }) => {
  const nextId = createIds();
  const guess = createCallGuess(firstGuessPerSecond);
  const merchantId = caller.merchants[0] ?? "";
  let supply: Promise<HoldSupply> | undefined;

  const bodiesOf = async (load: Load, count: number): Promise<NextBody> => {
    if (!isCapture(load)) {
      const pick = createPicker(ledger.accountNumbers, load);
      const bodyOf = isRail(load) ? interbankBody : intrabankBody;
      return (id) => bodyOf(id, pick());
    }
    supply ??= createHoldSupply({ ...ledger, merchantId });
    const nextHold = await (await supply).prepare(load, count);
    return (id) => {
      const hold = nextHold();
      return hold && captureBody(id, hold);
    };
  };

  return Promise.resolve(async (window) => {
    const { path, code } = operationOf(window.load);
    const sign = createSigner(caller, await requestToken(caller), path);
    const count = guess.of(window);
    const nextBody = await bodiesOf(window.load, count);
    const requests: Buffer[] = [];
    while (requests.length < count) {
      const id = nextId();
      const body = nextBody(id);
      if (!body) break;
      requests.push(sign(id, body));
    }
    const { host, port } = caller;
    const successStart = `{"responseCode":"${responseCode("success", code)}"`;
    const run = await connectLoad({ window, host, port, successStart, requests });
    return async () => {
      const seen = await run();
      guess.learn(window, seen);
      return seen;
    };
  });
});

function operationOf(load: Load): OperationRow {
  if (isCapture(load)) return operations.authCapture;
  return isRail(load) ? operations.interbankTransfer : operations.intrabankTransfer;
}
