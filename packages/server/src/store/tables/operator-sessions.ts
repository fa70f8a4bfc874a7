/** Sessions of operators who come in by a node. The database opens, knows and ends them by functions (0038-operator-sessions.sql). */
import { hash } from "node:crypto";
import type { Client, Pool } from "pg";
import { queryRows } from "../postgres/query-rows.ts";

export interface NewOperatorSession {
  readonly issuer: string;
  readonly subject: string;
  /** Kept by the operator alone; the database has its hash. */
  readonly secret: string;
  readonly cameBy: "console" | "cli";
  readonly address: string;
  readonly hasSecondFactor: boolean;
}

export interface OpenedOperatorSession {
  /** Absent where it is no operator's. */
  readonly sessionId?: string;
  readonly knownAs: "active" | "ended" | "unknown";
}

const hashOf = (secret: string): Buffer => hash("sha256", secret, "buffer");

export interface LoginDoor {
  /** Role that the connections log in as. */
  readonly role: string;
  readonly isDoor: boolean;
}

export async function findDoor(pool: Pool): Promise<LoginDoor> {
  const [row] = await queryRows(pool, {
    text: "select session_user, exists (select from operator_doors where database_role = session_user)",
  });
  return { role: row?.[0] ?? "", isDoor: row?.[1] === "t" };
}

/** By connections of a door. */
export async function openOperatorSession(pool: Pool, session: NewOperatorSession): Promise<OpenedOperatorSession> {
  const { issuer, subject, secret, cameBy, address, hasSecondFactor } = session;
  const [row] = await queryRows(pool, {
    text: "select session_id, known_as from open_operator_session($1, $2, $3, $4, $5, $6)",
    values: [issuer, subject, hashOf(secret), cameBy, address, hasSecondFactor],
  });
  const [sessionId, knownAs] = row ?? [];
  return {
    ...(typeof sessionId === "string" && { sessionId }),
    knownAs: knownAs as OpenedOperatorSession["knownAs"],
  };
}

export interface BreakGlass {
  /** Id or subject. */
  readonly operator: string;
  readonly secret: string;
  readonly reason: string;
  readonly ticket: string;
}

export interface BreakGlassSession {
  readonly sessionId: string;
  /** Act that an approver decides on within the day. */
  readonly actId: string;
  /** The operator's, for people. */
  readonly name: string;
  /** By the database's clock (epoch ms). */
  readonly expiresAt: number;
}

/** By a connection of the role of break-glass. */
export async function openBreakGlassSession(client: Client, given: BreakGlass): Promise<BreakGlassSession> {
  const [row] = await queryRows(client, {
    text: `select opened_session::text, its_act::text, whose, floor(extract(epoch from until_time) * 1000)::text
      from open_break_glass_session($1, $2, $3, $4)`,
    values: [given.operator, hashOf(given.secret), given.reason, given.ticket],
  });
  const [sessionId, actId, name, expiresAt] = row as string[];
  return {
    sessionId: sessionId as string,
    actId: actId as string,
    name: name as string,
    expiresAt: Number(expiresAt),
  };
}

/** Removes sessions that expired 90 days ago, `limit` at most; answers how many. */
export async function pruneOperatorSessions(pool: Pool, limit: number): Promise<number> {
  const [row] = await queryRows(pool, { text: "select prune_operator_sessions($1)", values: [limit] });
  return Number(row?.[0]);
}

/** Those that are open. */
export async function countBreakGlassSessions(pool: Pool): Promise<number> {
  const [row] = await queryRows(pool, {
    name: "count-break-glass-sessions",
    text: "select count(*) from operator_sessions s where s.act_id is not null and is_open_session(s)",
  });
  return Number(row?.[0]);
}

/** `breakGlass`: without the identity provider. */
export type CameBy = NewOperatorSession["cameBy"] | "breakGlass";

/** An open session with its operator. */
export interface UsedOperatorSession extends Pick<NewOperatorSession, "issuer" | "subject" | "hasSecondFactor"> {
  readonly cameBy: CameBy;
  readonly sessionId: string;
  readonly operatorId: string;
  /** For people. */
  readonly name: string;
  readonly roles: readonly string[];
  /** By the database's clock (epoch ms); earlier when it is not used for 30 minutes. */
  readonly expiresAt: number;
}

/**
 * By connections of a door; undefined: no session is open under this secret. `isUse`: it was the operator, and not a page that looks
 * again by itself, which keeps no session open.
 */
export async function useOperatorSession(
  pool: Pool,
  secret: string,
  { isUse = true }: { readonly isUse?: boolean } = {},
): Promise<UsedOperatorSession | undefined> {
  const [row] = await queryRows(pool, {
    name: "use-operator-session",
    text: `select session_id, operator_id, issuer, subject, name, array_to_json(roles), has_second_factor, came_by,
      (extract(epoch from expires_at) * 1000)::bigint from use_operator_session($1, $2)`,
    values: [hashOf(secret), isUse],
  });
  if (row === undefined) return undefined;
  const [sessionId, operatorId, issuer, subject, name, roles, hasSecondFactor, cameBy, expiresAt] = row as string[];
  return {
    sessionId: sessionId as string,
    operatorId: operatorId as string,
    issuer: issuer as string,
    subject: subject as string,
    name: name as string,
    roles: JSON.parse(roles ?? "[]") as string[],
    hasSecondFactor: hasSecondFactor === "t",
    cameBy: cameBy as CameBy,
    expiresAt: Number(expiresAt),
  };
}

/**
 * By connections of an operator (`asOperator`); false: it had ended before. @throws PostgreSQL's own error where there is no such
 * session, or the operator has no right to end it
 */
export async function endOperatorSession(pool: Pool, sessionId: string): Promise<boolean> {
  const [row] = await queryRows(pool, { text: "select end_operator_session($1)", values: [sessionId] });
  return row?.[0] === "t";
}

export interface OperatorSessionRow {
  readonly sessionId: string;
  readonly operatorId: string;
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  readonly cameBy: CameBy;
  readonly address: string;
  readonly hasSecondFactor: boolean;
  /** By the database's clock (epoch ms), as the other times. */
  readonly startedAt: number;
  readonly lastUsedAt: number;
  readonly expiresAt: number;
}

/** Sessions that are open, of one operator or of all, the newest first. */
export async function listOperatorSessions(
  pool: Pool,
  { operatorId, limit }: { readonly operatorId?: string | undefined; readonly limit: number },
): Promise<readonly OperatorSessionRow[]> {
  const rows = await queryRows(pool, {
    text: `select s.id, o.id, o.issuer, o.subject, o.name, s.came_by, s.address, s.has_second_factor,
      (extract(epoch from s.started_at) * 1000)::bigint, (extract(epoch from s.last_used_at) * 1000)::bigint,
      (extract(epoch from s.expires_at) * 1000)::bigint
      from operator_sessions s join operators o on o.id = s.operator_id
      where s.ended_at is null and is_open_session(s) and o.id = coalesce($1::uuid, o.id)
      order by s.started_at desc, s.id limit $2::int`,
    values: [operatorId ?? null, limit],
  });
  return rows.map((row) => readRow(row as string[]));
}

function readRow(row: readonly string[]): OperatorSessionRow {
  const [sessionId, operatorId, issuer, subject, name, cameBy, address, hasSecondFactor, started, used, expires] = row;
  return {
    sessionId: sessionId as string,
    operatorId: operatorId as string,
    issuer: issuer as string,
    subject: subject as string,
    name: name as string,
    cameBy: cameBy as CameBy,
    address: address as string,
    hasSecondFactor: hasSecondFactor === "t",
    startedAt: Number(started),
    lastUsedAt: Number(used),
    expiresAt: Number(expires),
  };
}
