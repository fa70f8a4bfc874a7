import { request } from "undici";
import type { TestEdge } from "./start-edge.ts";

/** A metric's value at this moment; 0: it has none. */
export async function readMetric({ edge, managementUrl }: TestEdge, name: string): Promise<number> {
  // The page is made once a second otherwise.
  edge.refreshHealth();
  const response = await request(`${managementUrl}/metrics`);
  const line = (await response.body.text()).split("\n").find((one) => one.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1) ?? 0);
}
