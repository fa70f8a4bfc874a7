/**
 * Limits the bytes of unfinished bodies over all connections (spec D2, D17). Authenticated partners share one pool,
 * unauthenticated callers another, and each has a maximum share.
 */
export interface BodyBudget {
  /** The share of a partner, or of an address. */
  share(owner: BodyOwner): BodyShare;
}

export type BodyOwner = { readonly partnerKey: string } | { readonly address: string };

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
}

const mebibyte = 1_048_576;
const partnerPool = { total: 128 * mebibyte, certain: 65_536 };
/**
 * `certain` serves partners that only their signature authenticates, after the body. The number of unauthenticated
 * connections bounds its sum.
 */
const addressPool = { total: 32 * mebibyte, certain: 65_536 };

/** A partner has an eighth of its pool, and room for two bodies of the largest kind; an address has room for one. */
export function createBodyBudget(bodyLimitMax: number): BodyBudget & { readonly bytes: () => number } {
  const partners = createPool({ ...partnerPool, ownerMax: Math.max(partnerPool.total / 8, 2 * bodyLimitMax) });
  const addresses = createPool({ ...addressPool, ownerMax: Math.max(2 * mebibyte, bodyLimitMax) });
  return {
    share: (owner) => ("partnerKey" in owner ? partners.share(owner.partnerKey) : addresses.share(owner.address)),
    bytes: () => partners.bytes() + addresses.bytes(),
  };
}

export function createPool({ total, ownerMax, certain }: PoolOptions) {
  const reserved = new Map<string, number>();
  let all = 0;
  return {
    bytes: () => all,
    share(key: string): BodyShare {
      return {
        reserve(bytes) {
          const own = (reserved.get(key) ?? 0) + bytes;
          if (own > ownerMax || (own > certain && all + bytes > total)) return false;
          reserved.set(key, own);
          all += bytes;
          return true;
        },
        release(bytes) {
          const own = (reserved.get(key) ?? 0) - bytes;
          if (own > 0) reserved.set(key, own);
          else reserved.delete(key);
          all -= bytes;
        },
      };
    },
  };
}
