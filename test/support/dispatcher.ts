/** Dispatch on a node of a test, and requests for it to send. */
import { findTransfer } from "../../packages/server/src/store/reads/transfers.ts";
import { randomUUID } from "node:crypto";
import { createDispatcher, type Dispatcher, type DispatcherDeps } from "../../packages/server/src/rails/dispatcher.ts";
import type { DispatchEvents } from "../../packages/server/src/rails/dispatch-events.ts";

const nothing = () => undefined;

const noEvents: DispatchEvents = {
  callFailed: nothing,
  circuit: nothing,
  late: nothing,
  unconfirmed: nothing,
  failed: nothing,
  recorded: nothing,
  statusConflict: nothing,
  unknownResult: nothing,
  notSetAside: nothing,
};

type Given = Pick<DispatcherDeps, "engine" | "actEngine" | "clock" | "reads" | "database" | "rails"> &
  Partial<Omit<DispatcherDeps, "events">> & { readonly events?: Partial<DispatchEvents> };

/** With the service's intervals, few calls at a time, and events that nobody looks at but those given. */
export function testDispatcher({ engine, actEngine, clock, reads, database, events, ...terms }: Given): Dispatcher {
  return createDispatcher({
    engine,
    actEngine,
    clock,
    reads,
    findConfirmed: (id) => findTransfer(reads, id),
    database,
    events: { ...noEvents, ...events },
    isClosed: () => false,
    railTimeoutMs: 300,
    interbankWaitMs: 1_000,
    callsMax: 8,
    inquiryIntervals: { min: 10_000, max: 300_000 },
    ...terms,
  });
}

/** A transfer to another bank, as 18, 22 or 23 takes it. */
export function railRequest(sourceAccountNo: string, value: string, beneficiaryAccountNo = "5001") {
  return {
    partnerReferenceNo: randomUUID(),
    amount: { value, currency: "IDR" },
    beneficiaryAccountNo,
    beneficiaryAccountName: "Budi",
    beneficiaryBankCode: "014",
    sourceAccountNo,
    transactionDate: "2026-11-25T10:00:00+07:00",
    beneficiaryCustomerResidence: "1",
    beneficiaryCustomerType: "1",
  };
}
