/**
 * Grants of customers (service 74, decision D3): a code made for a partner and an account, exchanged once for a refresh
 * token, which is exchanged once for the next. Tokens are not money: plain statements, and each is atomic by itself.
 */
import type { PartnerCredentials } from "../call.ts";
import type { Clock, Instant } from "../clock.ts";
import { newId } from "../ids.ts";
import type { Log } from "../log.ts";
import type { StatementPool } from "../store/connect.ts";
import { endSpentGrant, insertGrant, type PresentedSecret, redeemGrant } from "../store/customer-grants.ts";
import { findAccountByNumber } from "../store/reads/accounts.ts";
import { codeGeneration, makeGrantSecret, readGrantSecret } from "./grant-secret.ts";
import { type AdminResult, done, refused } from "./result.ts";

const codeLifeMs = 10 * 60_000;
const refreshTokenLifeMs = 30 * 86_400_000;

export interface AuthCodeDeps {
  readonly database: StatementPool;
  readonly clock: Clock;
  byPartnerId(partnerId: string): PartnerCredentials | undefined;
}

export interface NewAuthCode {
  /** Shown once: only its hash is kept. */
  readonly authCode: string;
  /** Business time: 10 minutes from now. */
  readonly expiresAt: Instant;
}

/** A code with which the partner may once get a token for the account. That its holder agrees is for the caller to know. */
export async function createAuthCode(
  { database, clock, byPartnerId }: AuthCodeDeps,
  { partnerId, accountNo }: { readonly partnerId: string; readonly accountNo: string },
): Promise<AdminResult<NewAuthCode>> {
  const partner = byPartnerId(partnerId);
  if (!partner) return refused("unknownPartner", "There is no such partner.", "partnerId");
  const account = await findAccountByNumber(database, accountNo);
  if (account?.purpose !== "customer") {
    return refused("unknownAccount", "There is no such account of a holder.", "accountNo");
  }
  if (account.status === "closed") {
    return refused("accountClosed", "The account is closed: nobody can be given a token for it.", "accountNo");
  }
  const id = newId();
  const { text, hash } = makeGrantSecret(id, codeGeneration);
  const expiresAt = clock.now() + codeLifeMs;
  await insertGrant(database, { id, partner: partner.key, account: account.id, hash, expiresAt });
  return done({ authCode: text, expiresAt });
}

export interface CustomerGrants {
  /**
   * Spends a code or refresh token that the partner presents. A refresh token that was spent before ends its grant:
   * two have it, and one of them may be a thief. `busy` when too many wait already. @throws when the database fails.
   */
  redeem(partner: PartnerCredentials, presented: Presented): Promise<RedeemedGrant | "invalid" | "busy">;
}

interface Presented {
  readonly kind: "code" | "refreshToken";
  readonly text: string;
}

interface RedeemedGrant {
  readonly accountNo: string;
  /** The next one, good once. */
  readonly refreshToken: string;
  /** Business time: 30 days from now. */
  readonly refreshTokenExpiresAt: Instant;
}

export interface CustomerGrantsDeps {
  readonly database: StatementPool;
  readonly clock: Clock;
  readonly log: Log;
  /** Runs the work when the partner's turn comes; undefined when too much waits. */
  inTurn<Answer>(partnerKey: string, work: () => Promise<Answer>): Promise<Answer> | undefined;
}

export function createCustomerGrants(deps: CustomerGrantsDeps): CustomerGrants {
  return {
    redeem: async (partner, { kind, text }) => {
      const read = readGrantSecret(text);
      if (read === undefined || (read.generation === codeGeneration) !== (kind === "code")) return "invalid";
      const presented = { ...read, partner: partner.key };
      return (await deps.inTurn(partner.key, () => redeem(deps, partner, presented))) ?? "busy";
    },
  };
}

async function redeem(
  { database, clock, log }: CustomerGrantsDeps,
  { partnerId }: PartnerCredentials,
  presented: PresentedSecret,
): Promise<RedeemedGrant | "invalid"> {
  const now = clock.now();
  const { text, hash } = makeGrantSecret(presented.id, presented.generation + 1);
  const expiresAt = now + refreshTokenLifeMs;
  const accountNo = await redeemGrant(database, presented, { hash, expiresAt }, now);
  if (accountNo !== undefined) return { accountNo, refreshToken: text, refreshTokenExpiresAt: expiresAt };
  // A code that comes twice is a caller's retry more often than a thief: it is of no use without the partner's key.
  // A process that dies before this line has answered nobody, so the refresh token comes again.
  if (presented.generation > codeGeneration && (await endSpentGrant(database, presented))) {
    log.warn("A refresh token came a second time: its grant has ended.", { partner: partnerId });
  }
  return "invalid";
}
