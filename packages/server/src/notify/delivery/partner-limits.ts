/** Limits of a partner's notifications in a node at once, by how the partner responded last. */

/** End of an attempt: whether it was accepted, and how long the partner took (ms). */
export interface Sent {
  readonly isAccepted: boolean;
  readonly durationMs: number;
}

export interface PartnerLimits {
  learn(partner: string, sent: Sent): void;
  isFailing(partner: string): boolean;
  /** Its last attempt was accepted. Others have one attempt at a time: they may be as those that never respond. */
  isProven(partner: string): boolean;
  /** Number that may still be claimed of a partner of which so many are queued and being sent. */
  capacity(partner: string, claimed: number): number;
  sendingMax(partner: string): number;
}

const claimedQuickMax = 64;
/** A long queue is filled again when it is half empty: claims of many cost less than many claims. */
const refill = claimedQuickMax / 2;
const unprovenMax = 1;

export interface PartnerLimitsOptions {
  /** A partner that responds within it (ms) may have a longer queue. */
  readonly quickMs: number;
  /** At once, of a proven partner. */
  readonly sendingMax: number;
}

export function createPartnerLimits({ quickMs, sendingMax }: PartnerLimitsOptions): PartnerLimits {
  const failing = new Set<string>();
  const proven = new Set<string>();
  const quick = new Set<string>();
  const keep = (set: Set<string>, partner: string, isIn: boolean) => (isIn ? set.add(partner) : set.delete(partner));
  const sending = (partner: string) => (proven.has(partner) ? sendingMax : unprovenMax);
  return {
    learn: (partner, { isAccepted, durationMs }) => {
      keep(failing, partner, !isAccepted);
      keep(proven, partner, isAccepted);
      keep(quick, partner, isAccepted && durationMs <= quickMs);
    },
    isFailing: (partner) => failing.has(partner),
    isProven: (partner) => proven.has(partner),
    sendingMax: sending,
    capacity: (partner, claimed) => {
      if (!quick.has(partner)) return sending(partner) - claimed;
      return claimedQuickMax - claimed < refill ? 0 : claimedQuickMax - claimed;
    },
  };
}
