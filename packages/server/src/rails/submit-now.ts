/** Submits a transfer from the node that accepted it; callers of an interbank transfer (18) wait for the result. */
import { setTimeout as sleep } from "node:timers/promises";
import { toReferenceNo } from "../basics/ids.ts";
import type { RailName } from "../ledger/rails/terms.ts";
import type { AcceptedTransfer, TransferSender } from "../interfaces/transfer-sender.ts";
import { type DispatchDeps, recordFinalResult, recordRailEvent, recordResponse } from "./results/record-result.ts";
import type { KnownTransfer } from "./commands/event-command.ts";
import { CircuitOpen, createCircuit } from "./circuit.ts";
import { createConcurrencyLimit, type ConcurrencyLimit } from "./bounded-calls.ts";
import { parseState } from "./results/parse-result.ts";
import type { RailState } from "./rail.ts";
import { submit } from "./submit.ts";

export interface SubmitterDeps extends DispatchDeps {
  /** Time that the caller of 18 waits for its result (ms). */
  readonly interbankWaitMs: number;
  /** Concurrent submissions to one rail; transfers beyond them are submitted once they are due. */
  readonly callsMax: number;
}

export interface Submitter extends TransferSender {
  /** The rail responds again. */
  wake(rail: RailName): void;
  /** Ids of transfers that are being submitted. */
  underWay(): readonly string[];
  /** Counts those of a rail. */
  inFlight(rail: RailName): number;
  /** Waits until all submissions have ended and their results are recorded. */
  settled(): Promise<void>;
}

/** Long enough for a healthy rail: an inquiry then never says less than the response before it. */
const firstResponseMs = 500;

export function createSubmitter(deps: SubmitterDeps): Submitter {
  const { pendingResponses, calls, interbankWaitMs, callsMax } = deps;
  const underWay = new Map<string, Promise<void>>();
  /** Results that another node has read. */
  const recording = new Set<Promise<unknown>>();
  const limits: Readonly<Record<RailName, ConcurrencyLimit>> = {
    interbank: createConcurrencyLimit(callsMax),
    rtgs: createConcurrencyLimit(callsMax),
    skn: createConcurrencyLimit(callsMax),
  };

  const circuit = createCircuit({
    clock: deps.clock,
    onChange: (isOpen) => deps.events.circuit("interbank", isOpen),
  });

  /** False: it is submitted once it is due. */
  const start = (transfer: AcceptedTransfer): boolean =>
    !deps.isClosed(transfer.rail) &&
    limits[transfer.rail].tryRun(() => {
      const ended = sendOnce(deps, transfer).catch((error: unknown) =>
        deps.events.failed(transfer.rail, transfer.id, error),
      );
      underWay.set(transfer.id, ended);
      return ended.finally(() => underWay.delete(transfer.id));
    });

  /** A result that another node reads is recorded by this one, while its caller waits here. */
  const awaitState = (transfer: AcceptedTransfer) => {
    const { id, rail } = transfer;
    return deps.rails[rail].awaitState?.(toReferenceNo(id), deps.clock.real() + interbankWaitMs, (state) => {
      if (calls.stopped || !pendingResponses.isWaiting(id)) return;
      const ended = recordOther(deps, transfer, state).finally(() => recording.delete(ended));
      recording.add(ended);
    });
  };

  return {
    send: async (transfer, { waits = "briefly" } = {}) => {
      const waitMs = waits === "briefly" ? firstResponseMs : interbankWaitMs;
      if (start(transfer)) await Promise.race([underWay.get(transfer.id), sleep(waitMs, undefined, { ref: false })]);
    },
    sendWithin: (transfer) => {
      const result = pendingResponses.wait(transfer.id, interbankWaitMs);
      const endWait = awaitState(transfer);
      // Beyond the limit it is accepted all the same; waiting would not help its caller.
      if (!start(transfer) && pendingResponses.claim(transfer.id))
        pendingResponses.resolve(transfer.id, { kind: "open" });
      return result.finally(endWait);
    },
    inquireBeneficiary: async (bankCode, accountNo) => {
      const { interbank } = deps.rails;
      try {
        return await circuit.run(() =>
          calls.within((signal) => interbank.inquireBeneficiary(bankCode, accountNo, signal)),
        );
      } catch (error) {
        if (!(error instanceof CircuitOpen)) deps.events.callFailed("interbank", error);
        return { kind: "unavailable" };
      }
    },
    wake: (rail) => {
      if (rail === "interbank") circuit.close();
    },
    underWay: () => [...underWay.keys()],
    inFlight: (rail) => limits[rail].running,
    settled: async () => void (await Promise.all([...underWay.values(), ...recording])),
  };
}

/** One submission. A transfer that it leaves open is reconciled once it is due. */
async function sendOnce(deps: SubmitterDeps, transfer: AcceptedTransfer): Promise<void> {
  if (deps.calls.stopped) return;
  const { id, rail, commit } = transfer;
  const known = knownOf(transfer);
  const response = await submit(deps, rail, transfer, commit);
  if (response.kind === "responded") {
    await recordResponse(deps, known, response.state);
  } else if (response.kind === "unreachable") {
    // This call sent nothing: a caller who waits is rejected; otherwise the transfer is sent when the rail is back.
    // A transfer that another node has claimed meanwhile is left to it.
    const own = { onlyIfNotClaimed: true, by: "rail" } as const;
    if (deps.pendingResponses.isWaiting(id))
      await recordFinalResult(deps, known, { event: "reject", rejection: "railDown", ...own });
    else await recordRailEvent(deps, known, { event: "withdraw", ...own });
  }
}

async function recordOther(deps: SubmitterDeps, transfer: AcceptedTransfer, state: RailState): Promise<void> {
  try {
    await recordResponse(deps, knownOf(transfer), parseState(state));
  } catch (error) {
    deps.events.failed(transfer.rail, transfer.id, error);
  }
}

function knownOf({ id, rail, source, suspensePart, sentAmount }: AcceptedTransfer): KnownTransfer {
  return { id, rail, source, suspensePart, currency: sentAmount.currency };
}
