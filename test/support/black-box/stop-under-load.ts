/** Stops a service while callers use it over connections they keep, as operators do at every release. */
import { type Agent, request } from "undici";
import type { Caller } from "./caller.ts";
import type { Exit, Service } from "./service.ts";
import { transferBody, transferPath } from "./transfers.ts";

interface Stopped {
  readonly exit: Exit;
  /** Calls that got another answer than they should, or none; empty when all is well. */
  readonly faults: readonly string[];
  readonly answered: number;
  /** Answers of `/health/ready` while the service took calls still. */
  readonly readyWhileStopping: readonly number[];
}

export const stopCallers = 24;
const callsBefore = 200;

/** Each caller calls again as soon as it is answered, until nobody listens any more. `healthUrl`: where readiness is told. */
export async function stopUnderLoad(
  service: Service,
  { caller, agent, healthUrl = service.baseUrl }: { caller: Caller; agent: Agent; healthUrl?: string },
): Promise<Stopped> {
  await caller.token();
  const faults: string[] = [];
  const readyWhileStopping: number[] = [];
  const warm = Promise.withResolvers<void>();
  let answered = 0;
  let stopping = false;
  const work = async () => {
    while (faults.length === 0) {
      const outcome = await callOnce(caller, service.baseUrl);
      if (outcome === "ECONNREFUSED" && stopping) return;
      if (outcome !== "2001700") faults.push(outcome);
      answered += 1;
      if (answered === callsBefore) warm.resolve();
    }
    warm.resolve();
  };
  const watch = async () => {
    for (;;) {
      const status = await request(`${healthUrl}/health/ready`, { dispatcher: agent }).then(
        async ({ statusCode, body }) => body.dump().then(() => statusCode),
        () => 0,
      );
      if (status === 0) return;
      if (stopping) readyWhileStopping.push(status);
    }
  };
  const working = Array.from({ length: stopCallers }, work);
  await warm.promise;
  stopping = true;
  const watching = watch();
  const exit = await service.end("SIGTERM");
  await Promise.all([...working, watching]);
  return { exit, faults, answered, readyWhileStopping };
}

async function callOnce(caller: Caller, baseUrl: string): Promise<string> {
  const [from = "", to = ""] = caller.partner.sourceAccounts;
  try {
    return (await caller.send(await caller.sign(transferPath, transferBody({ from, to, value: "1.00" })), baseUrl))
      .code;
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  }
}
