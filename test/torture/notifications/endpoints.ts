/** Twenty partners' systems in a process of their own, and what they got. */
import { forkChild } from "../../support/child-node.ts";
import {
  type Arrival,
  endpointKinds,
  type EndpointsOptions,
  type EndpointsReport,
  type EndpointsRequest,
  type EndpointState,
} from "./endpoint-kinds.ts";

export interface Endpoints extends AsyncDisposable {
  readonly pid: number;
  /** Base addresses, by index. */
  readonly urls: readonly string[];
  set(state: EndpointState): Promise<void>;
  /** All that arrived up to now, in the order it came. */
  arrivals(): Promise<readonly Arrival[]>;
  /** Faults of signatures. */
  faults(): readonly string[];
}

export async function startEndpoints(providerKey: string): Promise<Endpoints> {
  const script = new URL("./endpoints-process.ts", import.meta.url);
  const options = { kinds: endpointKinds, providerKey };
  const child = await forkChild<EndpointsOptions, EndpointsRequest, EndpointsReport>(script, options);
  const ask = async (request: EndpointsRequest) => {
    const report = await child.request(request);
    if (!report) throw new Error("the process of the endpoints ended");
    return report;
  };
  const { ports } = await ask({});
  return {
    pid: child.pid,
    urls: ports.map((port) => `http://127.0.0.1:${port}`),
    set: async (state) => void (await ask({ state })),
    arrivals: async () => (await ask({ arrivals: true })).arrivals,
    faults: () => [...child.failures].map(([failure, times]) => `${failure} (${times} times)`),
    [Symbol.asyncDispose]: () => child.kill(),
  };
}
