/** The load generator: signs before the window, unless that is too long, then only sends and counts. */
import { type OperationRow, operations, responseCode } from "@titian/contract";
import { createHoldSupply, type HoldSupply } from "../captures/hold-supply.ts";
import { captureBody, interbankBody, intrabankBody } from "../load/request-bodies.ts";
import { requestToken } from "../load/request-token.ts";
import { connectLoad } from "../load/send-all.ts";
import { connectPacedLoad } from "../load/send-at-pace.ts";
import { createSigner } from "../load/signed-requests.ts";
import { isCapture, isRail, type Load, type Window } from "../subject.ts";
import { createPicker } from "../transfers/pick-accounts.ts";
import { createIds } from "../transfers/unique-ids.ts";
import type { LoadSettings } from "./load-settings.ts";
import { createCallGuess } from "./guess-calls.ts";
import { serveWindows } from "./serve-windows.ts";

const firstGuessPerSecond = 10_000;
/** Arrivals at random are hardly ever more than the pace by a fifth, in a window of a second or more. */
const pacedMargin = 1.2;

/** Makes the body of the next call; undefined when what it would be about is used up. */
type NextBody = (id: string) => object | undefined;

serveWindows<LoadSettings>(({ caller, ports = [caller.port], ledger }) => {
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

  const countOf = (window: Window) =>
    window.perSecond === undefined ? guess.of(window) : Math.ceil(window.perSecond * window.seconds * pacedMargin);

  return Promise.resolve(async (window) => {
    const { path, code } = operationOf(window.load);
    const sign = createSigner(caller, await requestToken(caller), path);
    const count = countOf(window);
    const nextBody = await bodiesOf(window.load, count);
    const signNext = () => {
      const id = nextId();
      const body = nextBody(id);
      return body && sign(id, body);
    };
    const nextRequest = window.signsMeanwhile === true ? signNext : prepareRequests(signNext, count);
    const { host } = caller;
    const successStart = `{"responseCode":"${responseCode("success", code)}"`;
    const load = { window, host, ports, successStart, nextRequest };
    const { perSecond } = window;
    const run = await (perSecond === undefined ? connectLoad(load) : connectPacedLoad({ ...load, perSecond }));
    return async () => {
      const seen = await run();
      if (window.perSecond === undefined) guess.learn(window, seen);
      return seen;
    };
  });
});

/** Makes requests before they are sent, as many as there are. */
function prepareRequests(make: () => Buffer | undefined, count: number): () => Buffer | undefined {
  const requests: Buffer[] = [];
  while (requests.length < count) {
    const request = make();
    if (request === undefined) break;
    requests.push(request);
  }
  let next = 0;
  return () => {
    next += 1;
    return requests[next - 1];
  };
}

function operationOf(load: Load): OperationRow {
  if (isCapture(load)) return operations.authCapture;
  return isRail(load) ? operations.interbankTransfer : operations.intrabankTransfer;
}
