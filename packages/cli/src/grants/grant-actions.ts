/** Actions of `titian auth-code` and `titian consent`. */
import { formatTimestamp } from "@titian/contract";
import { createAuthCode } from "@titian/server/admin";
import { withCalls } from "../control/with-calls.ts";
import type { ActFlags } from "../options/act-options.ts";
import { pageSizeOf } from "../options/page-size.ts";
import { note, print } from "../output.ts";
import { formatTable } from "../tables/table.ts";
import { formatList } from "../tables/totals.ts";
import { findCell, valueOf, withCore } from "../with-core.ts";

export interface GrantFlags {
  readonly partner: string;
  readonly account: string;
}

export async function newAuthCode({ partner, account }: GrantFlags): Promise<void> {
  const { openAccounts } = await import("@titian/control/in-process");
  const { authCode, expiresAt } = await withCore(async (core) => {
    await using accounts = openAccounts(core, (cell) => findCell(core, cell));
    const { adminPool: database, clock, reference } = core;
    const deps = { ...accounts, database, clock, byPartnerId: reference.byPartnerId };
    return valueOf(await createAuthCode(deps, { partnerId: partner, accountNo: account }));
  });
  print(authCode);
  note(`Single-use, valid until ${formatTimestamp(expiresAt)}.`);
}

export interface ListFlags extends Partial<GrantFlags> {
  readonly limit: string;
  readonly before?: string;
  readonly json?: true;
}

const columns = {
  consentNo: "consent",
  partnerId: "partner",
  accountNo: "account",
  state: "state",
  consentedAt: "given",
  expiresAt: "ends",
  tokens: "tokens",
  tokensUntil: "access until",
};

const revocationColumns = {
  partnerId: "partner",
  revokedAt: "revoked",
  revokedBy: "by",
  reason: "reason",
  actId: "act",
};

export async function list({ partner, account, limit, before, json }: ListFlags): Promise<void> {
  const query = { partnerId: partner, accountNo: account, before, limit: pageSizeOf(limit) };
  const answer = await withCalls((call) => call("GET /consents", { query }));
  const { consents, revocations = [], next } = answer;
  if (json) return print(formatList(answer, consents));
  const rows = consents.map((one) => ({
    ...one,
    tokens: String(one.tokenCount),
    tokensUntil: one.tokensUntil ?? "",
  }));
  print(formatTable(columns, rows));
  if (revocations.length > 0) print(`\nRevoked\n${formatTable(revocationColumns, revocations)}`);
  if (next !== null) note(`\nMore: --before ${next}`);
}

export async function revoke({ partner, account, reason, ticket }: GrantFlags & ActFlags): Promise<void> {
  const body = { partnerId: partner, accountNo: account, reason, ticket };
  const { note: waits } = await withCalls((call) => call("POST /consents/revoke", { body }));
  print(`The consents to ${partner} for ${account} are revoked.`);
  if (waits !== undefined) note(waits);
}
