/** Nodes in this process on one database, with rails on whose behaviour a test has its hand. */
import type { Reply } from "../../packages/server/src/interfaces/call.ts";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { toReferenceNo } from "../../packages/server/src/basics/ids.ts";
import type { RailName } from "../../packages/server/src/ledger/rails/terms.ts";
import type { RailOperation } from "../../packages/server/src/operations/transfers/rail-transfer.ts";
import { resolveTransfer, type TransferResolution } from "../../packages/server/src/rails/commands/resolve-transfer.ts";
import { findFaultsOf, type Intent } from "./check-ends.ts";
import { type DispatchNode, type NodeCall, startDispatchNode } from "./nodes/dispatch-node.ts";
import type { Rails } from "./nodes/fork-node.ts";
import { createRailJournal, type RailJournal } from "./rail-journal.ts";
import { callTo, createDispatchFixture, type DispatchFixture, morningOffset } from "./dispatch-fixture.ts";

export interface Asked {
  readonly call: NodeCall;
  readonly payer: string;
  /** Replies that its caller got so far. */
  readonly replies: (Reply | undefined)[];
}

export interface Cluster extends AsyncDisposable {
  readonly fixture: DispatchFixture;
  readonly journal: RailJournal;
  /** Events of dispatch: `silent interbank`, `contradicted <reference no> settle`, `unknownResult skn <text>`. */
  readonly events: string[];
  /** A call of a payer of its own on one of the nodes. */
  ask(name: RailOperation, conduct: string): Promise<Asked>;
  /** The same call again, newly signed, on any node. */
  askAgain(asked: Asked): Promise<Reply>;
  /** Business time moves on. */
  advance(ms: number): void;
  /** All nodes reconcile what is due, at the same time. */
  look(): Promise<void>;
  /** One of the rails is said to answer again. */
  wake(rail: RailName): Promise<void>;
  /** An operator's word on the transfer. */
  decide(asked: Asked, decision: TransferResolution): Promise<void>;
  /** Looks again and again, with the rails going on, until nothing is open any more. */
  untilEnded(): Promise<void>;
  /** Finds what does not fit in the end. */
  findFaults(asked: readonly Asked[]): Promise<readonly string[]>;
}

export interface ClusterOptions {
  readonly nodes?: number;
  /** The rails as nodes meet them; absent: those of the journal. */
  readonly rails?: (rails: Rails) => Rails;
  readonly interbankWaitMs?: number;
  readonly railTimeoutMs?: number;
}

const stepMs = 6 * 60_000;
const stepsMost = 50;

export async function createCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const fixture = await createDispatchFixture();
  const journal = createRailJournal();
  const events: string[] = [];
  const clock = createClock();
  clock.setOffset(morningOffset());
  const start = () =>
    startDispatchNode({
      url: fixture.url,
      clock,
      rails: options.rails?.(journal.rails) ?? journal.rails,
      interbankWaitMs: options.interbankWaitMs ?? 100,
      railTimeoutMs: options.railTimeoutMs ?? 1_000,
      events: {
        callFailed: (rail) => void events.push(`silent ${rail}`),
        failed: (rail, _id, error) => void events.push(`failed ${rail} ${String(error)}`),
        statusConflict: (_rail, referenceNo, event) => void events.push(`contradicted ${referenceNo} ${event}`),
        unknownResult: (rail, referenceNo) => void events.push(`unknownResult ${rail} ${referenceNo}`),
      },
    });
  const nodes = await Promise.all(Array.from({ length: options.nodes ?? 1 }, start));
  let turn = 0;
  const next = () => nodes[(turn += 1) % nodes.length] as DispatchNode;
  const look = async () => void (await Promise.all(nodes.map((node) => node.look())));
  return {
    fixture,
    journal,
    events,
    ask: async (name, conduct) => {
      const payer = await fixture.openPayer();
      const call = callTo(name, conduct, { payer, partner: fixture.partner });
      return { call, payer, replies: [await next().call(call)] };
    },
    askAgain: async ({ call, replies }) => {
      const reply = await next().call(call);
      replies.push(reply);
      return reply;
    },
    advance: (ms) => clock.setOffset(clock.offset() + ms),
    look,
    wake: (rail) => next().dispatcher.wake(rail),
    decide: async ({ payer }, decision) => {
      const [transfer] = (await fixture.look(payer)).transfers;
      const deps = { ...next(), database: fixture.administration };
      await resolveTransfer(deps, toReferenceNo(transfer?.id ?? ""), { resolution: decision, withoutInquiry: true });
    },
    untilEnded: async () => {
      for (let step = 0; step < stepsMost; step += 1) {
        journal.answerLate();
        journal.proceed();
        clock.setOffset(clock.offset() + stepMs);
        await look();
        if ((await fixture.countOpen()) === 0 && !journal.isBusy()) return;
      }
      throw new Error("something does not end");
    },
    findFaults: (asked) => findFaults(fixture, journal, asked),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()));
      await fixture[Symbol.asyncDispose]();
    },
  };
}

async function findFaults(
  fixture: DispatchFixture,
  journal: RailJournal,
  asked: readonly Intent[],
): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const one of asked) faults.push(...findFaultsOf(one, await fixture.look(one.payer), journal));
  if ((await fixture.inSuspense()) !== 0n) faults.push("something is left in suspense");
  return faults;
}
