/** How much of a partner's notifications a node may have at once, by how the partner responded last. */

/** How an attempt ended: whether it was accepted, and how long the partner took (ms). */
export interface Sent {
  readonly isAccepted: boolean;
  readonly durationMs: number;
}

export interface PartnerLimits {
  learn(partner: string, sent: Sent): void;
  isFailing(partner: string): boolean;
  failing(): Iterable<string>;
  /** How many more may be claimed of a partner of which so many are queued and being sent. */
  room(partner: string, claimed: number): number;
  sendingMax(partner: string): number;
}

const sendingMax = 8;
const claimedQuickMax = 64;
/** A long queue is filled again when it is half empty: claims of many cost less than many claims. */
const refill = claimedQuickMax / 2;
const failingMax = 1;

/** `quickMs`: a partner that responds within it may have a longer queue. */
export function createPartnerLimits(quickMs: number): PartnerLimits {
  const failing = new Set<string>();
  const quick = new Set<string>();
  const keep = (set: Set<string>, partner: string, isIn: boolean) => (isIn ? set.add(partner) : set.delete(partner));
  const sending = (partner: string) => (failing.has(partner) ? failingMax : sendingMax);
  return {
    learn: (partner, { isAccepted, durationMs }) => {
      keep(failing, partner, !isAccepted);
      keep(quick, partner, isAccepted && durationMs <= quickMs);
    },
    isFailing: (partner) => failing.has(partner),
    failing: () => failing,
    sendingMax: sending,
    room: (partner, claimed) => {
      if (!quick.has(partner)) return sending(partner) - claimed;
      return claimedQuickMax - claimed < refill ? 0 : claimedQuickMax - claimed;
    },
  };
}
