/** Consents of customers: which partner has which account's, until when, and which were taken back. */
import { customerTokenSeconds } from "../../interfaces/call.ts";
import { refreshTokenLifeMs } from "../../admin/grants/customer-grants.ts";
import { timeOf, toReferenceNo } from "../../basics/ids.ts";
import { type ConsentRow, readConsents, readRevocations } from "../../store/reads/consents.ts";
import { idOf, type QueryDeps } from "../query-deps.ts";

interface ConsentPage {
  /** `X-PARTNER-ID`; undefined: any partner. */
  readonly partnerId: string | undefined;
  /** Undefined: any account. */
  readonly account: { readonly accountId: string; readonly accountNo: string } | undefined;
  /** Number of the consent that it starts before. */
  readonly before: string | undefined;
  readonly limit: number;
}

/** Undefined: there is no such partner. `revocations`: of one account. */
export async function listConsents({ pool, clock, reference }: QueryDeps, page: ConsentPage) {
  const { partnerId, account, before, limit } = page;
  const partner = partnerId === undefined ? undefined : reference.byPartnerId(partnerId)?.key;
  if (partnerId !== undefined && partner === undefined) return undefined;
  const { accountId, accountNo } = account ?? {};
  const filter = { partner, account: idOf(accountId), accountNo, before: idOf(before), limit };
  const rows = await readConsents(pool, filter);
  const consents = rows.map((row) => showConsent(row, clock.now()));
  return {
    consents,
    revocations: account && (await readRevocations(pool, account.accountNo, partnerId)),
    next: rows.length === limit ? consents.at(-1)?.consentNo : undefined,
  };
}

function showConsent({ id, partnerId, accountNo, generation, expiresAt }: ConsentRow, now: number) {
  const isUsed = generation > 0;
  // An access token is made with the refresh token that is good next.
  const tokensUntil = expiresAt - refreshTokenLifeMs + customerTokenSeconds * 1_000;
  const state: "code" | "active" | "expired" = expiresAt <= now ? "expired" : isUsed ? "active" : "code";
  return {
    consentNo: toReferenceNo(id),
    partnerId,
    accountNo,
    state,
    consentedAt: timeOf(id),
    expiresAt,
    /** Number of times that the partner has had tokens by it. */
    tokenCount: generation,
    /** Until when its newest access token is good; undefined: none is. */
    tokensUntil: isUsed && tokensUntil > now ? tokensUntil : undefined,
  };
}
