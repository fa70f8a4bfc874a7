/** Consents of customers as operators see them: grants without what lets anybody in, and their revocations by acts. */
import type { Pool } from "pg";
import { queryRows } from "../postgres/query-rows.ts";
import { epochMs } from "../statements/select-list.ts";

export interface ConsentRow {
  /** Id of the grant: of the moment at which it was made. */
  readonly id: string;
  readonly partnerId: string;
  readonly accountNo: string;
  /** 0: its code was not presented yet; else it has had tokens so many times. */
  readonly generation: number;
  /** Business time (epoch ms) at which the code, or the refresh token that is good next, expires. */
  readonly expiresAt: number;
}

export interface ConsentFilter {
  /** Internal ids; undefined: any. */
  readonly partner: string | undefined;
  readonly account: string | undefined;
  /** Number of the account: it has another id in each cell that it was in. */
  readonly accountNo: string | undefined;
  /** Id that the page begins before; undefined: the newest. */
  readonly before: string | undefined;
  readonly limit: number;
}

/** Newest first. */
export async function readConsents(pool: Pool, filter: ConsentFilter): Promise<readonly ConsentRow[]> {
  const rows = await queryRows(pool, {
    name: "list-consents",
    text: `select g.id, p.partner_id, coalesce(g.account_no, a.account_no), g.generation, ${epochMs("g.expires_at")}
      from shown_grants g join partners p on p.id = g.partner left join accounts a on a.id = g.account_id
      where ($1::uuid is null or g.partner = $1) and ($2::uuid is null or g.account_id = $2 or g.account_no = $5) and ($3::uuid is null or g.id < $3)
      order by g.id desc limit $4::int`,
    values: [
      filter.partner ?? null,
      filter.account ?? null,
      filter.before ?? null,
      filter.limit,
      filter.accountNo ?? null,
    ],
  });
  return rows.map(([id, partnerId, accountNo, generation, expiresAt]) => ({
    id: id as string,
    partnerId: partnerId as string,
    accountNo: accountNo as string,
    generation: Number(generation),
    expiresAt: Number(expiresAt),
  }));
}

export interface RevocationRow {
  readonly actId: string;
  readonly partnerId: string;
  /** Issuer and subject of the operator. */
  readonly revokedBy: string;
  /** Epoch ms. */
  readonly revokedAt: number;
  readonly reason: string;
}

/** Revocations of consents for an account, newest first, at most 100. Undefined `partnerId`: to any partner. */
export async function readRevocations(
  pool: Pool,
  accountNo: string,
  partnerId: string | undefined,
): Promise<readonly RevocationRow[]> {
  const rows = await queryRows(pool, {
    name: "list-revocations",
    text: `select p.act_id, split_part(p.reference, ' ', 1), p.who, ${epochMs("p.at")}, p.reason
      from act_steps p join act_steps c on c.act_id = p.act_id and c.step = 'carried out' and c.outcome = 'done'
      where p.target = $1 and p.kind = 'grantRevocation' and ($2::text is null or split_part(p.reference, ' ', 1) = $2)
      order by p.position desc limit 100`,
    values: [accountNo, partnerId ?? null],
  });
  return rows.map(([actId, partner, revokedBy, revokedAt, reason]) => ({
    actId: actId as string,
    partnerId: partner as string,
    revokedBy: revokedBy as string,
    revokedAt: Number(revokedAt),
    reason: reason as string,
  }));
}
