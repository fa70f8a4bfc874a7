/**
 * How many bytes of unfinished bodies a process keeps at once, over all connections (spec D2, D17). Partners that a
 * token or a signature proves share one pool, callers nobody knows yet another, and nobody has more than a part of it.
 */
export interface BodyBudget {
  /** The share of a partner, or of an address. */
  share(owner: BodyOwner): BodyShare;
}

export type BodyOwner = { readonly partnerKey: string } | { readonly address: string };

export interface BodyShare {
  /** False when the bytes do not fit: then nothing was taken. */
  reserve(bytes: number): boolean;
  release(bytes: number): void;
}

interface PoolOptions {
  readonly total: number;
  readonly ownerMax: number;
  /** What one always gets, however full the pool is. */
  readonly certain: number;
}

const mebibyte = 1_048_576;
const partnerPool = { total: 128 * mebibyte, certain: 65_536 };
/**
 * What is certain is for partners whose signature comes with the body. How many connections strangers may have bounds
 * its sum.
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
