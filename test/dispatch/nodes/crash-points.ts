/** The moments at which a node that sends transfers may die, watched from outside: on the engine, rails and pool it uses. */
import type { Engine } from "../../../packages/server/src/engine/engine.ts";
import type { TransferSender } from "../../../packages/server/src/interfaces/transfer-sender.ts";
import type { Rail } from "../../../packages/server/src/rails/rail.ts";
import type { StatementPool } from "../../../packages/server/src/store/postgres/connect.ts";

/** Behind each step of dispatch that leaves something done: kills happen at each of them. */
export const crashPoints = [
  "checked",
  "accepted",
  "submitted",
  "recorded",
  "answered",
  "claimed",
  "inquired",
  "submissionRecorded",
  "resubmitted",
  "resultsRead",
  "resultRecorded",
  "resultsAcknowledged",
] as const;

export type CrashPoint = (typeof crashPoints)[number];

export type Reached = (point: CrashPoint) => void;

/** A transfer that was inquired about before is submitted again, once that is recorded. */
export function watchRail(rail: Rail, reached: Reached): Rail {
  const inquired = new Set<string>();
  return {
    ...rail,
    submit: async (instruction, signal, commit) => {
      const isAgain = inquired.has(instruction.referenceNo);
      if (isAgain) reached("submissionRecorded");
      try {
        return await rail.submit(instruction, signal, commit);
      } finally {
        reached(isAgain ? "resubmitted" : "submitted");
      }
    },
    inquire: async (referenceNo, signal) => {
      inquired.add(referenceNo);
      try {
        return await rail.inquire(referenceNo, signal);
      } finally {
        reached("inquired");
      }
    },
    results: async (most) => {
      const results = await rail.results(most);
      if (results.length > 0) reached("resultsRead");
      return results;
    },
    acknowledge: async (results) => {
      if (results.length > 0) reached("resultRecorded");
      await rail.acknowledge(results);
      reached("resultsAcknowledged");
    },
  };
}

/** The engine as dispatch uses it: its commands record what became of transfers. */
export function watchRecords(engine: Engine, reached: Reached): Engine {
  return {
    ...engine,
    submit: async (command) => {
      const outcome = await engine.submit(command);
      reached("recorded");
      return outcome;
    },
  };
}

/** The engine as bulks (20) use it: checked by a first command, accepted by a second. */
export function watchBulks(engine: Engine, reached: Reached): Engine {
  return {
    ...engine,
    submit: async (command) => {
      const outcome = await engine.submit(command);
      if (outcome.kind === "nothing") reached("checked");
      if (outcome.kind === "effect") reached("accepted");
      return outcome;
    },
  };
}

/** The pool by which dispatch finds and claims what it is to send: no other statement of its returns rows. */
export function watchClaims(pool: StatementPool, reached: Reached): StatementPool {
  const watch = <Queried extends Pick<StatementPool, "query">>(one: Queried, own: object = {}): Queried => {
    const query = async (config: Parameters<StatementPool["query"]>[0]) => {
      const result = await one.query(config);
      if (result.rows.length > 0) reached("claimed");
      return result;
    };
    const watched: object = { query, ...own };
    return new Proxy(one, {
      get: (_, name) => {
        const value: unknown = Reflect.get(name in watched ? watched : one, name);
        return typeof value === "function" ? value.bind(one) : value;
      },
    });
  };
  return watch(pool, { connect: async () => watch(await pool.connect()) });
}

export function watchSender(sender: TransferSender, reached: Reached): TransferSender {
  return {
    ...sender,
    send: (transfer) => {
      reached("accepted");
      return sender.send(transfer);
    },
    sendWithin: async (transfer) => {
      reached("accepted");
      const result = await sender.sendWithin(transfer);
      if (result.kind !== "open") reached("answered");
      return result;
    },
  };
}
