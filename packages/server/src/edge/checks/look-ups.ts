/**
 * Accounts that a partner looks up (15, 16, 19): many different ones in an hour may be a harvest of names, which no single answer
 * shows. Each partner has a map of bits for hashes of account numbers, so that nothing of them is kept.
 */
import { LRUCache } from "lru-cache";
import type { Clock } from "../../basics/clock.ts";
import type { Log } from "../../observability/log.ts";
import type { Metrics } from "../../observability/metrics.ts";
import type { PartnerCredentials } from "../../interfaces/call.ts";

export interface LookUps {
  /** A verified, valid call asks about this account. */
  note(partner: PartnerCredentials, accountNo: unknown): void;
}

interface LookUpsDeps {
  readonly clock: Pick<Clock, "monotonic">;
  readonly log: Pick<Log, "warn">;
  readonly metrics: Metrics;
  /** Accounts in an hour of which the log tells. */
  readonly alertAt: number;
}

const windowMs = 3_600_000;
/** Bits of each partner, 16 KiB: 100,000 accounts set 70,000 of them. */
const bits = 131_072;
const partnersMax = 1_000;

interface Window {
  readonly bits: Uint8Array;
  startedAt: number;
  set: number;
  isTold: boolean;
}

export function createLookUps({ clock, log, metrics, alertAt }: LookUpsDeps): LookUps {
  const windows = new LRUCache<string, Window>({ max: partnersMax });
  // So many bits are set by that many accounts, on average: two of them may share one.
  const toldAt = Math.round(bits * (1 - Math.exp(-alertAt / bits)));
  let told = 0;
  const metric = {
    name: "titian_look_up_alerts_total",
    help: "Partners that looked up very many accounts in an hour (15, 16, 19), once for each hour.",
  };
  metrics.counter(metric, () => told);

  function windowOf(partnerKey: string): Window {
    const now = clock.monotonic();
    let window = windows.get(partnerKey);
    if (window === undefined) {
      window = { bits: new Uint8Array(bits / 8), startedAt: now, set: 0, isTold: false };
      windows.set(partnerKey, window);
    } else if (now - window.startedAt >= windowMs) {
      window.bits.fill(0);
      Object.assign(window, { startedAt: now, set: 0, isTold: false });
    }
    return window;
  }

  return {
    note(partner, accountNo) {
      const window = windowOf(partner.key);
      const hash = hashOf(String(accountNo));
      const [at, bit] = [(hash % bits) >>> 3, 1 << (hash & 7)];
      const before = window.bits[at] ?? 0;
      if ((before & bit) !== 0) return;
      window.bits[at] = before | bit;
      window.set += 1;
      if (window.isTold || window.set < toldAt) return;
      window.isTold = true;
      told += 1;
      const message = "A partner looks up very many accounts: it may be collecting names.";
      log.warn("partner.look_ups", message, { partner: partner.partnerId, count: alertAt });
    },
  };
}

/** FNV-1a, its bits mixed: account numbers in a row differ in a few. */
function hashOf(text: string): number {
  let hash = 2_166_136_261;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 16_777_619);
  hash = Math.imul(hash ^ (hash >>> 16), 2_246_822_507);
  return (hash ^ (hash >>> 13)) >>> 0;
}
