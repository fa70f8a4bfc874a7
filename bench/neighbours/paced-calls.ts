/** Transfers of a sandbox's partner at a steady pace, however long each takes: from which a neighbour's latency is read. */
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import { createCaller } from "../../test/support/black-box/caller.ts";
import type { SandboxFile } from "../../test/support/black-box/sandbox-file.ts";
import { transferBody, transferPath } from "../../test/support/black-box/transfers.ts";
import { createLatencies } from "../latencies.ts";
import type { Seen } from "../subject.ts";

export interface Pace {
  readonly partner: "alpha" | "beta";
  readonly perSecond: number;
  readonly seconds: number;
  /** True: the signature is a stranger's. */
  readonly isForged?: boolean;
  /** Absent: the sandbox. */
  readonly url?: string;
}

export interface PacedCalls {
  readonly seen: Seen;
  /** Number of answers by response code. */
  readonly codes: Readonly<Record<string, number>>;
}

const tickMs = 2;

export function createPacedCaller(file: SandboxFile) {
  const agents = { setup: new Agent(), calls: new Agent({ connections: 64 }) };
  const callers = { alpha: createCaller(file, "alpha", agents.setup), beta: createCaller(file, "beta", agents.setup) };
  const callOnce = async ({ partner, isForged = false, url = file.baseUrl }: Pace) => {
    const caller = callers[partner];
    const [from = "", to = ""] = caller.partner.sourceAccounts;
    const { path, headers, body } = await caller.sign(transferPath, transferBody({ from, to, value: "1.00" }));
    const sent = isForged ? { ...headers, "X-SIGNATURE": "AAAA" } : headers;
    const startedAt = performance.now();
    const answer = await request(url + path, { method: "POST", headers: sent, body, dispatcher: agents.calls });
    const { responseCode } = (await answer.body.json()) as { readonly responseCode: string };
    return { ms: performance.now() - startedAt, responseCode };
  };
  const call = async (pace: Pace): Promise<PacedCalls> => {
    const latencies = createLatencies();
    const codes: Record<string, number> = {};
    const sent: Promise<void>[] = [];
    const startedAt = performance.now();
    const countOne = async () => {
      const { ms, responseCode } = await callOnce(pace);
      latencies.add(ms);
      codes[responseCode] = (codes[responseCode] ?? 0) + 1;
    };
    while (sent.length < pace.perSecond * pace.seconds) {
      const due = ((performance.now() - startedAt) / 1_000) * pace.perSecond;
      while (sent.length < Math.min(due, pace.perSecond * pace.seconds)) sent.push(countOne());
      await sleep(tickMs);
    }
    await Promise.all(sent);
    return { seen: latencies.seen(performance.now() - startedAt), codes };
  };
  return { call, close: () => Promise.all(Object.values(agents).map((agent) => agent.close())) };
}
