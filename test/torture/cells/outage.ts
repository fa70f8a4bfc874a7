/** An outage under load: the address of a database leads nowhere for a time, between two in which it is served. */
import { setTimeout as sleep } from "node:timers/promises";
import { startAddress, type Address } from "../../support/database/address.ts";
import type { OwnCluster } from "../../support/database/database.ts";
import type { Phase } from "./outage-calls.ts";

export type Cluster = Pick<OwnCluster, "url" | "ownerUrl">;

export interface OutageOptions {
  readonly home: Cluster;
  /** Cell 1. */
  readonly cell: Cluster;
  readonly callers: number;
  /** Each phase takes so long: the database is served, is away, and is served again. */
  readonly seconds: number;
  readonly seed: number;
  onProgress?(text: string): void;
}

export interface Outage extends AsyncDisposable {
  /** Address of the database over the wire that fails. */
  readonly url: string;
  phaseNow(): Phase;
  /** Resolves at the end of the last phase. `onBack`: called when the wire leads to the database again. */
  pass(onBack: (isBackAt: number) => void): Promise<void>;
}

const warmUpMs = 15_000;
/** Nobody listens there. */
const nowhere = 1;

export async function createOutage(url: string, { seconds, onProgress }: OutageOptions): Promise<Outage> {
  const port = Number(new URL(url).port);
  const wire: Address = await startAddress(port);
  let phase: Phase = "warm";
  const pass = async (next: Phase, ms = seconds * 1_000) => {
    phase = next;
    onProgress?.(`${next}: ${ms / 1_000} s`);
    await sleep(ms);
  };
  return {
    url: wire.urlOf(url),
    phaseNow: () => phase,
    pass: async (onBack) => {
      await pass("warm", Math.min(warmUpMs, seconds * 1_000));
      await pass("up");
      wire.leadTo(nowhere);
      wire.cut();
      await pass("down");
      wire.leadTo(port);
      onBack(performance.now());
      await pass("back");
    },
    [Symbol.asyncDispose]: () => wire[Symbol.asyncDispose](),
  };
}
