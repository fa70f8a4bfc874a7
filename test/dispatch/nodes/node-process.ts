/** A node in a process of its own, driven by messages of `fork-node.ts`; armed, it kills itself at a given moment. */
import { writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { type StartedJob, startJob } from "../../../packages/server/src/jobs/job.ts";
import type { Reply } from "../../../packages/server/src/interfaces/call.ts";
import { createClock } from "../../../packages/server/src/basics/clock.ts";
import type { RailName } from "../../../packages/server/src/ledger/rails/terms.ts";
import { type Rail, RailDown } from "../../../packages/server/src/rails/rail.ts";
import { openSession, type Session } from "../../../packages/server/src/store/postgres/session.ts";
import { jobsOf, type NodeCall, startDispatchNode } from "./dispatch-node.ts";
import type { FromNode, Moment, NodeSettings, RailAnswer, RailMethod, ToNode } from "./node-messages.ts";
import { mayGoOn } from "../../support/run-job.ts";

const settings: NodeSettings = JSON.parse(process.argv[2] ?? "");
/** Once it has ended, nobody hears it. */
const say = (message: FromNode) => void (process.connected && process.send?.(message));

let passed = 0;
let diesAt = Infinity;

/** Reported at once: nobody hears what a process says after it was killed. */
function reached(moment: Moment): void {
  writeSync(1, `${moment}\n`);
  passed += 1;
  if (passed === diesAt) process.kill(process.pid, "SIGKILL");
}

const waiting = new Map<number, (answer: RailAnswer) => void>();
let calls = 0;

async function callRail(name: RailName, method: RailMethod, args: readonly unknown[], signal?: AbortSignal) {
  signal?.throwIfAborted();
  calls += 1;
  const { promise, resolve, reject } = Promise.withResolvers<RailAnswer>();
  waiting.set(calls, resolve);
  signal?.addEventListener("abort", () => reject(signal.reason));
  say({ kind: "rail", seq: calls, name, method, args });
  if (method === "submit" || method === "acknowledge") reached(`${method}Called`);
  const answer = await promise;
  if (answer.kind === "answered") return answer.value;
  throw answer.kind === "down" ? new RailDown("nobody there") : new Error("the rail did not answer");
}

function railOf(name: RailName): Rail {
  return {
    name,
    submit: (instruction, signal) => callRail(name, "submit", [instruction], signal) as ReturnType<Rail["submit"]>,
    inquire: (referenceNo, signal) => callRail(name, "inquire", [referenceNo], signal) as ReturnType<Rail["inquire"]>,
    inquireBeneficiary: (bankCode, accountNo, signal) =>
      callRail(name, "inquireBeneficiary", [bankCode, accountNo], signal) as ReturnType<Rail["inquireBeneficiary"]>,
    results: (most) => callRail(name, "results", [most]) as ReturnType<Rail["results"]>,
    acknowledge: async (results) => void (await callRail(name, "acknowledge", [results])),
    waiting: () => callRail(name, "waiting", []) as ReturnType<Rail["waiting"]>,
    close: async () => undefined,
  };
}

function tellingSession(session: Session): Session {
  return {
    ...session,
    commit: async (sentAt) => {
      const answer = session.commit(sentAt);
      // The packet leaves at the end of this round trip.
      setImmediate(() => reached("commitSent"));
      const commit = await answer;
      reached("committed");
      return commit;
    },
  };
}

const clock = createClock();
const node = await startDispatchNode({
  ...settings,
  clock,
  rails: { interbank: railOf("interbank"), rtgs: railOf("rtgs"), skn: railOf("skn") },
  open: async () => tellingSession(await openSession(settings.url, "dispatch")),
  reached,
  events: {
    statusConflict: (_rail, referenceNo, event) =>
      say({ kind: "warned", warning: `${referenceNo} contradicted: ${event}` }),
    unknownResult: (rail, referenceNo) => say({ kind: "warned", warning: `${rail} tells of ${referenceNo}` }),
  },
});

async function takeCall(seq: number, call: NodeCall): Promise<void> {
  // As the edge answers what fails.
  const reply = await node.call(call).catch((): Reply => ({ case: "generalError" }));
  say({ kind: "reply", seq, reply });
}

/** The jobs as a service runs them; what fails is tried again. */
function startJobs(everyMs: number): StartedJob[] {
  const deps = { clock, agrees: async () => true, runMaxMs: 1_000, onFailure: () => undefined };
  return jobsOf(node.dispatcher).map((job) => startJob({ ...job, everyMs }, deps));
}

const jobs = settings.everyMs === undefined ? [] : startJobs(settings.everyMs);

async function close(): Promise<void> {
  await Promise.all(jobs.map((job) => job.close()));
  await node[Symbol.asyncDispose]();
  process.disconnect();
}

/** What is under way comes to its end first, so that a run of the same plan passes the same moments. */
async function look(seq: number): Promise<void> {
  while (node.dispatcher.sender.underWay().length > 0) await sleep(2);
  // Its pause after the rail was down passes in real time.
  node.dispatcher.sendBulkItems.wake();
  try {
    for (const job of jobsOf(node.dispatcher)) await job.run(mayGoOn);
    say({ kind: "looked", seq });
  } catch (error) {
    say({ kind: "looked", seq, failure: String(error) });
  }
}

process.on("message", (message: ToNode) => {
  switch (message.kind) {
    case "call":
      return void takeCall(message.seq, message.call);
    case "look":
      return void look(message.seq);
    case "clock":
      return clock.setOffset(message.offset);
    case "arm":
      diesAt = passed + message.at;
      return;
    case "railAnswer":
      waiting.get(message.seq)?.(message.answer);
      return void waiting.delete(message.seq);
    case "close":
      return void close();
  }
});
say({ kind: "ready" });
// One that is killed could not do so at its end.
flushCompileCache();
