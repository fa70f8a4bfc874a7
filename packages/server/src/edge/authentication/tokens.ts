/**
 * Access tokens (spec D3): JWTs signed with a key derived from the master key, so that every node verifies them
 * without a database read. They name a partner and say nothing about it: whether it is active is looked up at each use.
 */
import { compactVerify, jwtVerify, SignJWT } from "jose";
import { LRUCache } from "lru-cache";
import { customerTokenSeconds } from "../../interfaces/call.ts";
import type { Clock, Instant } from "../../basics/clock.ts";
import { newCorrelationId } from "../../basics/ids.ts";

/** Claims of a token. It expires by business time, so also when the sandbox's clock is moved. */
interface TokenClaims {
  readonly partnerKey: string;
  /** Present on a customer token (service 74) only. */
  readonly customer?: CustomerClaims;
  readonly expiresAt: Instant;
}

interface CustomerClaims {
  /** The grant it was issued for: whether that has ended is looked up at each use. */
  readonly grantId: string;
  /** The account it is bound to. */
  readonly accountNo: string;
}

interface IssuedToken {
  readonly token: string;
  readonly expiresAt: Instant;
}

export interface Tokens {
  /** A token of service 73. */
  issue(partnerKey: string): Promise<IssuedToken>;
  /** A customer token of service 74, bound to one partner, one account and one grant. */
  issueCustomer(partnerKey: string, customer: CustomerClaims): Promise<IssuedToken>;
  /**
   * Claims of a partner's or customer's token; undefined when it is not ours or has expired.
   * A token verified before is answered at once, without a promise: verifying costs more than the rest of the edge.
   */
  read(kind: TokenKind, token: string): TokenClaims | undefined | Promise<TokenClaims | undefined>;
  /** True when one of our keys signed it: also one that has expired, of either kind. */
  wasIssuedHere(token: string): Promise<boolean>;
}

type TokenKind = "partner" | "customer";

interface TokensOptions {
  /** Signing keys of 32 bytes, the one in use first; the others still verify. */
  readonly keys: readonly { readonly id: string; readonly key: Uint8Array }[];
  readonly clock: Clock;
}

/** Seconds a token of service 73 lives; answered as the text `"900"`. */
export const partnerTokenSeconds = 900;
const tokenLengthMax = 2_048;
const cachedTokensMax = 20_000;
const algorithm = "HS256";
const audiences = { partner: "titian:b2b", customer: "titian:b2b2c" } as const satisfies Record<TokenKind, string>;

export function createTokens({ keys, clock }: TokensOptions): Tokens {
  const verified = new LRUCache<string, TokenClaims & { readonly kind: TokenKind }>({ max: cachedTokensMax });

  async function sign(
    kind: TokenKind,
    subject: string,
    seconds: number,
    customer?: CustomerClaims,
  ): Promise<IssuedToken> {
    const [signing] = keys;
    if (signing === undefined) throw new Error("Tokens need at least one signing key.");
    // Rounded up, so that a token never expires before the announced time.
    const expiresAt = Math.ceil(clock.now() / 1_000) + seconds;
    const token = await new SignJWT(customer && { acc: customer.accountNo, gnt: customer.grantId })
      .setProtectedHeader({ alg: algorithm, kid: signing.id })
      .setAudience(audiences[kind])
      .setSubject(subject)
      .setJti(newCorrelationId())
      .setExpirationTime(expiresAt)
      .sign(signing.key);
    return { token, expiresAt: expiresAt * 1_000 };
  }

  async function verify(kind: TokenKind, token: string): Promise<TokenClaims | undefined> {
    const claims = await jwtVerify(token, ({ kid }) => keyOf(kid), {
      algorithms: [algorithm],
      audience: audiences[kind],
      currentDate: new Date(clock.now()),
      requiredClaims: ["sub", "exp"],
    }).then(
      ({ payload }) => payload,
      () => undefined,
    );
    if (claims?.sub === undefined || claims.exp === undefined) return undefined;
    const { acc: accountNo, gnt: grantId } = claims;
    const customer = typeof accountNo === "string" && typeof grantId === "string" ? { accountNo, grantId } : undefined;
    const found = { kind, partnerKey: claims.sub, expiresAt: claims.exp * 1_000, ...(customer && { customer }) };
    verified.set(token, found);
    return found;
  }

  function keyOf(id: string | undefined): Uint8Array {
    const match = keys.find((candidate) => candidate.id === id);
    if (match === undefined) throw new Error("The token names no key of ours.");
    return match.key;
  }

  return {
    issue: (partnerKey) => sign("partner", partnerKey, partnerTokenSeconds),
    issueCustomer: (partnerKey, customer) => sign("customer", partnerKey, customerTokenSeconds, customer),
    read(kind, token) {
      const known = verified.get(token);
      if (known !== undefined) return known.kind === kind && clock.now() < known.expiresAt ? known : undefined;
      return token.length > tokenLengthMax ? undefined : verify(kind, token);
    },
    async wasIssuedHere(token) {
      if (token.length > tokenLengthMax) return false;
      return compactVerify(token, ({ kid }) => keyOf(kid), { algorithms: [algorithm] }).then(
        () => true,
        () => false,
      );
    },
  };
}
