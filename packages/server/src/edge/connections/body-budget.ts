/**
 * Limits the bytes of unfinished bodies over all connections (spec D2, D17). Partners that are authenticated share one
 * pool; whoever only names a partner has another, by address, or by the partner whose listed address it comes from. Each
 * has a maximum share.
 */
import type { Clock } from "../../clock.ts";

export interface BodyBudget {
  /** The share of one body. `evict`: ends it in favour of others; its bytes are released by then. */
  share(owner: BodyOwner, evict: () => void): BodyShare;
}

/** `listedFor`: not authenticated, from an address on that partner's list. */
export type BodyOwner = { readonly partnerKey: string } | { readonly listedFor: string } | { readonly address: string };

export interface BodyShare {
  /** False when the bytes do not fit: nothing is reserved. */
  reserve(bytes: number): boolean;
  release(bytes: number): void;
}

interface PoolOptions {
  readonly total: number;
  readonly ownerMax: number;
  /** Always granted, even when the pool is full. */
  readonly certain: number;
  /**
   * Whether bodies that come slowly give way to others of their owner: strangers must not keep out a partner that they
   * share an address with.
   */
  readonly evicts: boolean;
}

type Monotonic = Pick<Clock, "monotonic">;

const mebibyte = 1_048_576;
const partnerPool = { total: 128 * mebibyte, certain: 65_536, evicts: false };
/**
 * `certain` serves partners that only their signature authenticates, after the body. The number of unauthenticated
 * connections bounds its sum.
 */
const addressPool = { total: 32 * mebibyte, certain: 65_536, evicts: true };

/** A partner has an eighth of its pool, and room for two bodies of the largest kind; an address has room for one. */
export function createBodyBudget(
  bodyLimitMax: number,
  clock: Monotonic,
): BodyBudget & { readonly bytes: () => number } {
  const partners = createPool({ ...partnerPool, ownerMax: Math.max(partnerPool.total / 8, 2 * bodyLimitMax) }, clock);
  const unproven = { ...addressPool, ownerMax: Math.max(2 * mebibyte, bodyLimitMax) };
  const [listed, addresses] = [createPool(unproven, clock), createPool(unproven, clock)];
  return {
    share(owner, evict) {
      if ("partnerKey" in owner) return partners.share(owner.partnerKey, evict);
      return "listedFor" in owner ? listed.share(owner.listedFor, evict) : addresses.share(owner.address, evict);
    },
    bytes: () => partners.bytes() + listed.bytes() + addresses.bytes(),
  };
}

interface Body {
  bytes: number;
  readonly since: number;
  readonly evict: () => void;
}

interface Owner {
  bytes: number;
  readonly bodies: Set<Body>;
}

export function createPool({ total, ownerMax, certain, evicts }: PoolOptions, clock: Monotonic) {
  const owners = new Map<string, Owner>();
  let all = 0;

  const fits = (owner: Owner, bytes: number) =>
    owner.bytes + bytes <= ownerMax && (owner.bytes + bytes <= certain || all + bytes <= total);

  /** Ends the slowest other body of the owner. False: there is none. */
  function evictSlowest({ bodies }: Owner, but: Body): boolean {
    const now = clock.monotonic();
    let slowest: Body | undefined;
    for (const body of bodies) {
      if (body !== but && (slowest === undefined || rateOf(body, now) < rateOf(slowest, now))) slowest = body;
    }
    slowest?.evict();
    return slowest !== undefined && slowest.bytes === 0;
  }

  return {
    bytes: () => all,
    share(key: string, evict: () => void): BodyShare {
      const body: Body = { bytes: 0, since: clock.monotonic(), evict };
      return {
        reserve(bytes) {
          const owner = owners.get(key) ?? { bytes: 0, bodies: new Set() };
          while (!fits(owner, bytes)) if (!evicts || !evictSlowest(owner, body)) return false;
          owners.set(key, owner);
          owner.bodies.add(body);
          owner.bytes += bytes;
          body.bytes += bytes;
          all += bytes;
          return true;
        },
        release(bytes) {
          const owner = owners.get(key);
          if (owner === undefined) return;
          owner.bytes -= bytes;
          body.bytes -= bytes;
          all -= bytes;
          if (body.bytes === 0) owner.bodies.delete(body);
          if (owner.bodies.size === 0) owners.delete(key);
        },
      };
    },
  };
}

/** Bytes in a millisecond. */
const rateOf = ({ bytes, since }: Body, now: number) => bytes / (now - since + 1);
