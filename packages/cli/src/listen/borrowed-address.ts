/**
 * The partner's notification address, borrowed while the listener runs. A file beside sandbox.json says which address is the
 * listener's and which one was there before: after a listener that was killed, the next one restores that one, and not the
 * dead listener's. The file counts only while its address is the registered one, so one that was left behind does no harm.
 */
import { readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fits, object, orNull, string } from "@titian/contract";
import { replacePrivateFile } from "@titian/sandbox";
import { CliError } from "../cli-error.ts";
import type { CallRow } from "../control/call-row.ts";
import { listenerHeader } from "./listen-server.ts";

const Borrowed = object({ address: string(), before: orNull(string()) });

export interface BorrowOptions {
  readonly call: CallRow;
  readonly sandboxFile: string;
  readonly partnerId: string;
  /** The listener's own. */
  readonly address: string;
}

export interface BorrowedAddress {
  /** Address that is registered when the listener stops; null: none. */
  readonly before: string | null;
  /** Restores it, unless another address was set meanwhile: that one is returned, and stays. */
  restore(): Promise<string | null>;
}

const route = "/partners/{partnerId}/notification-address";

/** @throws CliError when another listener receives the partner's notifications. */
export async function borrowAddress(options: BorrowOptions): Promise<BorrowedAddress> {
  const { call, partnerId, address } = options;
  const path = join(dirname(options.sandboxFile), `listen-${encodeURIComponent(partnerId)}.json`);
  const params = { partnerId };
  const find = async () => (await call(`GET ${route}`, { params })).url;
  const set = (url: string | null) => call(`PUT ${route}`, { params, body: { url } });
  const registered = await find();
  if (registered !== null && registered !== address) await rejectSecondListener(registered, partnerId);
  const left = readBorrowed(path);
  const before = left !== undefined && left.address === registered ? left.before : registered;
  // Written first: killed between these two, the registered address is still the one from before.
  replacePrivateFile(path, `${JSON.stringify({ address, before })}\n`);
  await set(address);
  return {
    before,
    restore: async () => {
      const now = await find();
      if (now === address) await set(before);
      // Another listener may have written its own meanwhile.
      if (readBorrowed(path)?.address === address) rmSync(path, { force: true });
      return now === address ? before : now;
    },
  };
}

const probeTimeoutMs = 1_000;

async function rejectSecondListener(registered: string, partnerId: string): Promise<void> {
  const { origin, hostname } = new URL(registered);
  if (hostname !== "127.0.0.1") return;
  const signal = AbortSignal.timeout(probeTimeoutMs);
  const response = await fetch(origin, { signal, redirect: "manual" }).catch(() => undefined);
  await response?.body?.cancel();
  if (response?.headers.get(listenerHeader) !== partnerId) return;
  throw new CliError(
    `Another listener receives the notifications of ${partnerId}, at ${origin}. Stop it, or listen for another partner with --partner.`,
  );
}

/** Undefined where there is none that can be read. */
function readBorrowed(path: string) {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return fits(Borrowed, value) ? value : undefined;
  } catch {
    return undefined;
  }
}
