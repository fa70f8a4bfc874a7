/** The load generator: signs before the window, unless that is too long, then only sends and counts. */
import { type OperationRow, operations, responseCode } from "@titian/contract";
import { createHoldSupply } from "../load/place-holds.ts";
import { captureBody, interbankBody, intrabankBody } from "../load/request-bodies.ts";
import { requestToken } from "../load/request-token.ts";
import { connectLoad } from "../load/send-all.ts";
import { connectPacedLoad } from "../load/send-at-pace.ts";
import { createSigner } from "../load/signed-requests.ts";
import { isCapture, isRail, type Load, type Window } from "../subject.ts";
import { createPicker, createTurns } from "../transfers/pick-accounts.ts";
import { createIds } from "../transfers/unique-ids.ts";
import type { LoadSettings } from "./load-settings.ts";
import { createCallGuess } from "./guess-calls.ts";
import { serveWindows } from "./serve-windows.ts";

const firstGuessPerSecond = 10_000;

/** Makes the body of the next call; undefined when what it would be about is used up. */
type NextBody = (id: string) => object | undefined;

serveWindows<LoadSettings>((settings) => {
  const { caller, ports = [caller.port], accountNumbers, payees } = settings;
  const { host } = caller;
  const nextId = createIds();
  const guess = createCallGuess(firstGuessPerSecond);
  const holds = createHoldSupply(settings, nextId);

  const bodiesOf = async ({ load, calls }: Window, count: number, token: string): Promise<NextBody> => {
    if (!isCapture(load)) {
      const pick = (calls === undefined ? createPicker : createTurns)(accountNumbers, load, payees);
      const bodyOf = isRail(load) ? interbankBody : intrabankBody;
      return (id) => bodyOf(id, pick());
    }
    const nextHold = await holds.prepare(load, count, createSigner(caller, token, operations.authPayment.path));
    return (id) => {
      const hold = nextHold();
      return hold && captureBody(id, hold);
    };
  };

  return Promise.resolve(async (window) => {
    const { perSecond, calls } = window;
    const { path, code } = operationOf(window.load);
    const token = await requestToken(caller);
    const sign = createSigner(caller, token, path);
    const count = calls ?? guess.of(window);
    const nextBody = await bodiesOf(window, count, token);
    const signNext = () => {
      const id = nextId();
      const body = nextBody(id);
      return body && sign(id, body);
    };
    const nextRequest = perSecond === undefined ? prepareRequests(signNext, count) : signNext;
    const successStart = `{"responseCode":"${responseCode("success", code)}"`;
    const load = { window, host, ports, successStart, nextRequest };
    const run = await (perSecond === undefined ? connectLoad(load) : connectPacedLoad({ ...load, perSecond }));
    return async () => {
      const seen = await run();
      guess.learn(window, seen);
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
  return () => requests[next++];
}

function operationOf(load: Load): OperationRow {
  if (isCapture(load)) return operations.authCapture;
  return isRail(load) ? operations.interbankTransfer : operations.intrabankTransfer;
}
