/**
 * Unfinished bodies of callers that are not authenticated. Where a share is full, its slowest body gives way to the others:
 * strangers must not keep out a partner that they share an address with.
 */
import type { Clock } from "../../../basics/clock.ts";
import type { BodyShare } from "./body-share.ts";

interface EvictingPoolOptions {
  readonly total: number;
  readonly ownerMax: number;
  /** Always granted, even when the pool is full. */
  readonly certain: number;
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

export function createEvictingPool({ total, ownerMax, certain }: EvictingPoolOptions, clock: Pick<Clock, "monotonic">) {
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
          while (!fits(owner, bytes)) if (!evictSlowest(owner, body)) return false;
          owners.set(key, owner);
          owner.bodies.add(body);
          owner.bytes += bytes;
          body.bytes += bytes;
          all += bytes;
          return true;
        },
        release() {
          const owner = owners.get(key);
          if (owner?.bodies.delete(body) !== true) return;
          owner.bytes -= body.bytes;
          all -= body.bytes;
          body.bytes = 0;
          if (owner.bodies.size === 0) owners.delete(key);
        },
      };
    },
  };
}

/** Bytes in a millisecond. */
const rateOf = ({ bytes, since }: Body, now: number) => bytes / (now - since + 1);
