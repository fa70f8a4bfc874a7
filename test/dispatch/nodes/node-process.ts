/** A node in a process of its own, forked by `fork-node.ts`; armed, it kills itself at a given moment. */
import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type StartedJob, startJob } from "../../../packages/server/src/jobs/job.ts";
import type { Reply } from "../../../packages/server/src/interfaces/call.ts";
import { createClock, type MovableClock } from "../../../packages/server/src/basics/clock.ts";
import type { RailName } from "../../../packages/server/src/ledger/rails/terms.ts";
import { type Rail, RailDown } from "../../../packages/server/src/rails/rail.ts";
import { openSession, type Session } from "../../../packages/server/src/store/postgres/session.ts";
import { type Parent, serveParent } from "../../support/child-node.ts";
import { mayGoOn } from "../../support/run-job.ts";
import { type DispatchNode, jobsOf, type NodeCall, startDispatchNode } from "./dispatch-node.ts";
import type {
  Moment,
  NodeAnswer,
  NodeRequest,
  NodeSettings,
  RailAnswer,
  RailMethod,
  RailQuestion,
} from "./node-messages.ts";

type Ask = Parent<RailQuestion, RailAnswer>["ask"];

let passed = 0;
let diesAt = Infinity;

/** Reported at once: nobody hears what a process says after it was killed. */
function reached(moment: Moment): void {
  writeSync(1, `${moment}\n`);
  passed += 1;
  if (passed === diesAt) process.kill(process.pid, "SIGKILL");
}

function railOf(name: RailName, ask: Ask): Rail {
  const call = async (method: RailMethod, args: readonly unknown[], signal?: AbortSignal) => {
    signal?.throwIfAborted();
    const given = Promise.withResolvers<never>();
    signal?.addEventListener("abort", () => given.reject(signal.reason));
    const answered = ask({ name, method, args });
    if (method === "submit" || method === "acknowledge") reached(`${method}Called`);
    const answer = await Promise.race([answered, given.promise]);
    if (answer.kind === "answered") return answer.value;
    throw answer.kind === "down" ? new RailDown("nobody there") : new Error("the rail did not answer");
  };
  return {
    name,
    submit: (instruction, signal) => call("submit", [instruction], signal) as ReturnType<Rail["submit"]>,
    inquire: (referenceNo, signal) => call("inquire", [referenceNo], signal) as ReturnType<Rail["inquire"]>,
    inquireBeneficiary: (bankCode, accountNo, signal) =>
      call("inquireBeneficiary", [bankCode, accountNo], signal) as ReturnType<Rail["inquireBeneficiary"]>,
    results: (most) => call("results", [most]) as ReturnType<Rail["results"]>,
    acknowledge: async (results) => void (await call("acknowledge", [results])),
    waiting: () => call("waiting", []) as ReturnType<Rail["waiting"]>,
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

/** The jobs as a service runs them; what fails is tried again. */
function startJobs({ dispatcher }: DispatchNode, clock: MovableClock, everyMs: number): StartedJob[] {
  const deps = { clock, agrees: async () => true, runMaxMs: 1_000, onFailure: () => undefined };
  return jobsOf(dispatcher).map((job) => startJob({ ...job, everyMs }, deps));
}

/** Work under way comes to its end first, so that a run of the same plan passes the same moments. */
async function look({ dispatcher }: DispatchNode): Promise<NodeAnswer> {
  while (dispatcher.sender.underWay().length > 0) await sleep(2);
  // Its pause after the rail was down passes in real time.
  dispatcher.sendBulkItems.wake();
  try {
    for (const job of jobsOf(dispatcher)) await job.run(mayGoOn);
    return { kind: "done" };
  } catch (error) {
    return { kind: "done", failure: String(error) };
  }
}

async function take(node: DispatchNode, call: NodeCall): Promise<NodeAnswer> {
  // As the edge answers what fails.
  const reply = await node.call(call).catch((): Reply => ({ case: "generalError" }));
  return { kind: "reply", reply };
}

serveParent<NodeSettings, NodeRequest, NodeAnswer, RailQuestion, RailAnswer>(async (settings, { ask, report }) => {
  const clock = createClock();
  const node = await startDispatchNode({
    ...settings,
    clock,
    rails: { interbank: railOf("interbank", ask), rtgs: railOf("rtgs", ask), skn: railOf("skn", ask) },
    open: async () => tellingSession(await openSession(settings.url, "dispatch")),
    reached,
    events: {
      statusConflict: (_rail, referenceNo, event) => report(`${referenceNo} contradicted: ${event}`),
      unknownResult: (rail, referenceNo) => report(`${rail} tells of ${referenceNo}`),
    },
  });
  const jobs = settings.everyMs === undefined ? [] : startJobs(node, clock, settings.everyMs);
  return {
    answer: async (request) => {
      if (request.kind === "call") return take(node, request.call);
      if (request.kind === "look") return look(node);
      if (request.kind === "clock") clock.setOffset(request.offset);
      else diesAt = passed + request.at;
      return { kind: "done" };
    },
    close: async () => {
      await Promise.all(jobs.map((job) => job.close()));
      await node[Symbol.asyncDispose]();
    },
  };
});
