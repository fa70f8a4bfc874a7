/**
 * Grants of customers (service 74, spec D3): a code made for a partner and an account, exchanged once for a refresh
 * token, which is exchanged for the next. Tokens are not money: plain statements, and each is atomic by itself.
 */
import { customerTokenSeconds, type PartnerCredentials } from "../../interfaces/call.ts";
import type { Clock, Instant } from "../../basics/clock.ts";
import { newId, toReferenceNo } from "../../basics/ids.ts";
import type { Log } from "../../observability/log.ts";
import type { StatementPool } from "../../store/postgres/connect.ts";
import { endGrant, findGrant, type GrantState, redeemGrant } from "../../store/reference/customer-grants.ts";
import { findPartnerTerms } from "../../store/reference/reference.ts";
import { insertGrant } from "../../store/reference/reference-changes.ts";
import { findAccountByNumber } from "../../store/reads/accounts.ts";
import { withRights } from "../administration-rights.ts";
import {
  codeGeneration,
  type GrantSecret,
  makeAuthCode,
  makeNextSecret,
  type ReadSecret,
  readGrantSecret,
} from "./grant-secret.ts";
import { type ActWords, proposeChange } from "../reference/reference-act.ts";
import { change, type ReferenceDeps } from "../reference/reference-change.ts";
import { type AdminResult, done, rejected, rejectUnknownPartner } from "../result.ts";

const codeLifeMs = 10 * 60_000;
export const refreshTokenLifeMs = 30 * 86_400_000;
/** Time in which a refresh whose response was lost may be repeated; the use of the next refresh token ends it earlier. */
const repeatWindowMs = 86_400_000;
/** A token signed on another node while its grant ends lives a moment longer than what ends now. */
const endedKeptMs = customerTokenSeconds * 1_000 + 3_600_000;

/** Accounts may lie in another cell than home, which has the grants. */
export interface GrantedAccounts {
  /** Connections to the cell of an account, named by its number or id; absent: all are in home. @throws AdminError where it does not answer */
  readonly accountsOf?: (named: string) => StatementPool;
}

export interface AuthCodeDeps extends GrantedAccounts {
  readonly database: StatementPool;
  readonly clock: Clock;
  byPartnerId(partnerId: string): PartnerCredentials | undefined;
}

export interface NewAuthCode {
  /** Shown once: only its hash is stored. */
  readonly authCode: string;
  /** Business time: 10 minutes from now. */
  readonly expiresAt: Instant;
}

/** A code with which the partner may once get a token for the account. That its holder agrees is for the caller to know. */
export async function createAuthCode(
  { database, clock, byPartnerId, accountsOf = () => database }: AuthCodeDeps,
  { partnerId, accountNo }: { readonly partnerId: string; readonly accountNo: string },
): Promise<AdminResult<NewAuthCode>> {
  const partner = byPartnerId(partnerId);
  if (!partner) return rejected("unknownPartner", "There is no such partner.", "partnerId");
  const account = await findAccountByNumber(accountsOf(accountNo), accountNo);
  if (account?.purpose !== "customer") {
    return rejected("unknownAccount", "There is no such account of a holder.", "accountNo");
  }
  if (account.status === "closed") {
    return rejected("accountClosed", "The account is closed: nobody can be given a token for it.", "accountNo");
  }
  const id = newId();
  const { text, hash } = makeAuthCode(id);
  const expiresAt = clock.now() + codeLifeMs;
  const grant = { id, partner: partner.key, account: account.id, accountNo, hash, expiresAt };
  await withRights(database, () => insertGrant(database, grant));
  return done({ authCode: text, expiresAt });
}

/**
 * Ends every grant of the partner for the account: codes and refresh tokens are good no more, and within 2 s no access
 * token is on any node. That is done at once, and approved later; may be repeated safely.
 */
export async function revokeGrants(
  deps: ReferenceDeps & GrantedAccounts,
  { partnerId, accountNo, reason, ticket }: ActWords & { readonly partnerId: string; readonly accountNo: string },
): Promise<AdminResult<{ readonly note: string | undefined }>> {
  const { database, clock, accountsOf = () => database } = deps;
  if (!(await findPartnerTerms(database, partnerId))) return rejectUnknownPartner();
  const account = await findAccountByNumber(accountsOf(accountNo), accountNo);
  if (account === undefined) return rejected("unknownAccount", "There is no such account.", "accountNo");
  const proposal = {
    kind: "grantRevocation",
    target: accountNo,
    // Another one may follow while this one waits for its approval.
    reference: `${partnerId} ${toReferenceNo(newId())}`,
    before: undefined,
    after: { tokensExpireAt: new Date(clock.now() + endedKeptMs).toISOString(), accountId: account.id },
    isAtOnce: true,
    reason,
    ticket,
  } as const;
  return proposeChange(deps, proposal, async (note) => ({ note }));
}

export interface CustomerGrants {
  /**
   * Spends a code or refresh token that the partner presents. A refresh token that was spent before gets the same next
   * one again while that is unused, for 24 h: the response was lost. Later it ends its grant, with its access tokens: two
   * have it, and one of them may be a thief. `busy` when too many wait already. @throws when the database fails.
   */
  redeem(partner: PartnerCredentials, presented: Presented): Promise<RedeemedGrant | "invalid" | "busy">;
}

interface Presented {
  readonly kind: "code" | "refreshToken";
  readonly text: string;
}

interface RedeemedGrant {
  /** Id of the grant. */
  readonly id: string;
  readonly accountNo: string;
  /** The next one. */
  readonly refreshToken: string;
  /** Business time: 30 days from its first response. */
  readonly refreshTokenExpiresAt: Instant;
}

export interface CustomerGrantsDeps extends ReferenceDeps {
  readonly log: Log;
  /** Told of a refresh token that was reused. */
  readonly onReuse?: ((partner: PartnerCredentials) => void) | undefined;
  /** Runs the work when the partner's turn comes; undefined when too much waits. */
  inTurn<Result>(partnerKey: string, work: () => Promise<Result>): Promise<Result | undefined>;
}

export function createCustomerGrants(deps: CustomerGrantsDeps): CustomerGrants {
  const keys = deps.secrets.derive("refresh tokens");
  return {
    redeem: async (partner, { kind, text }) => {
      const read = readGrantSecret(text);
      if (read === undefined || (read.generation === codeGeneration) !== (kind === "code")) return "invalid";
      // The key in use first; one rotated out of use may have made what is repeated.
      const nexts = keys.map(({ key }) => makeNextSecret(text, read, key));
      return (await deps.inTurn(partner.key, () => redeem(deps, partner, read, nexts))) ?? "busy";
    },
  };
}

async function redeem(
  deps: CustomerGrantsDeps,
  partner: PartnerCredentials,
  read: ReadSecret,
  nexts: readonly GrantSecret[],
): Promise<RedeemedGrant | "invalid"> {
  const { database, clock } = deps;
  const { id, generation } = read;
  const now = clock.now();
  const [next] = nexts;
  if (next === undefined) throw new Error("Refresh tokens need a key.");
  const presented = { ...read, partner: partner.key };
  const refreshTokenExpiresAt = now + refreshTokenLifeMs;
  const accountNo = await redeemGrant(database, presented, { hash: next.hash, expiresAt: refreshTokenExpiresAt }, now);
  if (accountNo !== undefined) return { id, accountNo, refreshToken: next.text, refreshTokenExpiresAt };
  // A code that comes twice is a caller's retry more often than a thief: it is of no use without the partner's key.
  if (generation === codeGeneration) return "invalid";
  const grant = await findGrant(database, presented);
  if (grant === undefined || grant.generation <= generation) return "invalid";
  const repeated = repeatedSecret(grant, read, nexts, now);
  if (repeated === undefined) {
    await endReusedGrant(deps, partner, read);
    return "invalid";
  }
  if (grant.isAccountClosed) return "invalid";
  return {
    id,
    accountNo: grant.accountNo,
    refreshToken: repeated.text,
    refreshTokenExpiresAt: grant.expiresAt,
  };
}

/** The response to the first refresh, for a repeat, until its token is used. */
function repeatedSecret(
  grant: GrantState,
  { generation }: ReadSecret,
  nexts: readonly GrantSecret[],
  now: Instant,
): GrantSecret | undefined {
  if (grant.generation !== generation + 1 || now >= grant.expiresAt - refreshTokenLifeMs + repeatWindowMs) return;
  return nexts.find(({ hash }) => hash.equals(grant.hash));
}

/** A process that dies before this commit has not responded: the caller repeats the refresh. */
async function endReusedGrant(
  deps: CustomerGrantsDeps,
  partner: PartnerCredentials,
  { id, generation }: ReadSecret,
): Promise<void> {
  const { key, partnerId } = partner;
  const isEnded = await change(deps, (client, { version, now }) =>
    endGrant(client, { partner: key, id, generation, version, tokensExpireAt: now + endedKeptMs }),
  );
  if (isEnded) {
    const message = "A refresh token was reused; the grant and its access tokens are revoked.";
    deps.log.warn("oauth.refresh_token_reuse", message, { partner: partnerId });
    deps.onReuse?.(partner);
  }
}
