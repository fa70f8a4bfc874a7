/**
 * Limits the bytes of unfinished bodies over all connections (spec D2, D17). Partners that are authenticated have a share
 * each, and their bodies wait for capacity in it; whoever only names a partner has another, by address, or by the partner
 * whose listed address it comes from.
 */
import type { Clock } from "../../../basics/clock.ts";
import type { BodyShare, BodySize } from "./body-share.ts";
import { createEvictingPool } from "./evicting-pool.ts";
import { WaitingPool } from "./waiting-pool.ts";

export interface BodyBudget {
  /** The share of one body. `evict`: ends it in favour of others, and releases its share. */
  share(owner: BodyOwner, size: BodySize, evict: () => void): BodyShare;
}

/** `listedFor`: not authenticated, from an address on that partner's list. */
export type BodyOwner = { readonly partnerKey: string } | { readonly listedFor: string } | { readonly address: string };

const mebibyte = 1_048_576;
const smallMax = 65_536;
/**
 * Short bodies have a share of their own: a payment whose bytes come in two packets does not wait behind a partner's bulks. A
 * partner has an eighth of a pool.
 */
const shortBodies = { total: 16 * mebibyte, ownerMax: 2 * mebibyte, certain: smallMax };
const longBodiesTotal = 128 * mebibyte;
/**
 * `certain` serves partners that only their signature authenticates, after the body. The number of unauthenticated
 * connections bounds its sum.
 */
const addressPool = { total: 32 * mebibyte, certain: smallMax };

/** A partner's share has capacity for two bodies of the largest kind; that of an address has capacity for one. */
export function createBodyBudget(bodyLimitMax: number, clock: Pick<Clock, "monotonic">) {
  const ownerMax = Math.max(longBodiesTotal / 8, 2 * bodyLimitMax);
  const short = new WaitingPool(shortBodies, clock);
  const long = new WaitingPool({ total: longBodiesTotal, ownerMax, certain: 0 }, clock);
  const unproven = { ...addressPool, ownerMax: Math.max(2 * mebibyte, bodyLimitMax) };
  const [listed, addresses] = [createEvictingPool(unproven, clock), createEvictingPool(unproven, clock)];
  const budget: BodyBudget = {
    share(owner, size, evict) {
      if ("address" in owner) return addresses.share(owner.address, evict);
      if ("listedFor" in owner) return listed.share(owner.listedFor, evict);
      const isShort = (size.announced ?? size.limit) <= smallMax;
      return (isShort ? short : long).share(owner.partnerKey, size, evict);
    },
  };
  return {
    ...budget,
    bytes: () => short.bytes + long.bytes + listed.bytes() + addresses.bytes(),
    waiting: () => short.waiting + long.waiting,
  };
}
