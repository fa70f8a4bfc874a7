/** Operators' acts as queries see them: each with what came of it. */
import type { Pool } from "pg";
import { queryRows } from "../postgres/query-rows.ts";
import { epochMs } from "../statements/select-list.ts";
import type { TextRow } from "../postgres/session.ts";
import type { ActKind, ActState } from "../tables/acts.ts";

/** The approval or refusal of an act, or its end by time. */
export interface ActDecision {
  readonly by: string;
  /** Epoch ms. */
  readonly at: number;
  /** The reason of a refusal. */
  readonly reason: string | undefined;
}

export interface ActRow {
  readonly id: string;
  /** `operator`: the first operators of a database. `unmasking`: of personal data, for a while. `breakGlass`: a session without the identity provider. */
  readonly kind: ActKind | "operator" | "unmasking" | "breakGlass";
  readonly target: string;
  readonly reference: string;
  /** As it was proposed. */
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
  readonly reason: string;
  readonly ticket: string | undefined;
  readonly proposedBy: string;
  /** Epoch ms. */
  readonly proposedAt: number;
  readonly expiresAt: number;
  /** Hash of the proposal, in hexadecimal digits: an approval names it. */
  readonly hash: string;
  readonly state: ActState;
  /** True: it was done with its proposal, and is approved later. */
  readonly isAtOnce: boolean;
  readonly decision: ActDecision | undefined;
  /** Absent: no node has dealt with it. `result`: reason why it was not carried out. */
  readonly carriedOut:
    | {
        /** The node. */
        readonly by: string;
        readonly at: number;
        readonly result: Readonly<Record<string, unknown>>;
        readonly journalId: string | undefined;
      }
    | undefined;
}

const select = `select p.act_id, p.kind, p.target, p.reference, p.before::text, p.after::text, p.reason, p.ticket, p.who,
    ${epochMs("p.at")}, ${epochMs("p.expires_at")}, encode(p.hash, 'hex'), l.state, d.who, ${epochMs("d.at")}, d.reason,
    c.who, ${epochMs("c.at")}, c.result::text, c.journal_id, p.position, coalesce(k.at_once, false)
  from act_steps p
    cross join lateral (select coalesce(outcome, step) as state from act_steps where act_id = p.act_id order by position desc limit 1) l
    left join act_steps d on d.act_id = p.act_id and d.step in ('approved', 'refused', 'expired')
    left join act_steps c on c.act_id = p.act_id and c.step = 'carried out'
    left join act_kinds k on k.kind = p.kind`;

export interface ActPage {
  /** Position that it starts before; absent: the newest. */
  readonly before?: number | undefined;
  readonly limit: number;
  /** Account or reference number. */
  readonly target?: string | undefined;
  /** True: only those that wait for their approval or a node. */
  readonly isOpen?: boolean | undefined;
  /** True: without unmaskings. */
  readonly isOfChanges?: boolean | undefined;
}

export interface PlacedAct extends ActRow {
  /** Place in the chain. */
  readonly position: number;
}

/** Newest first. */
export async function listActs(
  pool: Pool,
  { before, limit, target, isOpen = false, isOfChanges = false }: ActPage,
): Promise<readonly PlacedAct[]> {
  const ofTarget = target === undefined ? "" : " and p.target = $3";
  const rows = await queryRows(pool, {
    name: `list-acts${isOpen ? "-open" : ""}${isOfChanges ? "-of-changes" : ""}${target === undefined ? "" : "-of-target"}`,
    text: `${select}${isOpen ? " join open_acts o on o.act_id = p.act_id" : ""}
      where p.step = 'proposed' and p.position < coalesce($1::bigint, 9223372036854775807)${ofTarget}${isOfChanges ? " and p.kind <> 'unmasking'" : ""}
      order by p.position desc limit $2::int`,
    values: [before ?? null, limit, ...(target === undefined ? [] : [target])],
  });
  return rows.map(readAct);
}

export interface ProposedOfKind extends Pick<ActRow, "id" | "hash"> {
  /** As it was proposed. */
  readonly after: Readonly<Record<string, unknown>>;
}

/** Acts of a kind that wait for their approval, by id. */
export async function listProposed(pool: Pool, kind: string, limit: number): Promise<readonly ProposedOfKind[]> {
  const rows = await queryRows(pool, {
    name: "list-proposed-acts",
    text: `select o.act_id, encode(s.hash, 'hex'), s.after::text
      from open_acts o join act_steps s on s.act_id = o.act_id and s.step = 'proposed'
      where o.state = 'proposed' and o.kind = $1 order by o.act_id limit $2::int`,
    values: [kind, limit],
  });
  return rows.map(([id, hash, after]) => ({ id: id as string, hash: hash as string, after: readObject(after) }));
}

export async function findAct(pool: Pool, id: string): Promise<ActRow | undefined> {
  const [row] = await queryRows(pool, { text: `${select} where p.act_id = $1 and p.step = 'proposed'`, values: [id] });
  return row && readAct(row);
}

/** The oldest one on an account or transfer that waits for its approval or a node. */
export async function findOpenAct(pool: Pool, target: string, reference?: string): Promise<ActRow | undefined> {
  const [row] = await queryRows(pool, {
    name: "find-open-act",
    text: `${select} join open_acts o on o.act_id = p.act_id
      where o.target = $1 and ($2::text is null or o.reference = $2) and p.step = 'proposed' order by p.position limit 1`,
    values: [target, reference ?? null],
  });
  return row && readAct(row);
}

/** Id of an act that was done at once and waits for its approval. */
export async function findAtOnce(
  pool: Pool,
  { kind, target, reference }: Pick<ActRow, "kind" | "target" | "reference">,
): Promise<string | undefined> {
  const [row] = await queryRows(pool, {
    name: "find-act-at-once",
    text: `select act_id from open_acts join act_kinds using (kind)
      where at_once and kind = $1 and target = $2 and reference = $3 and state = 'proposed'`,
    values: [kind, target, reference],
  });
  return row?.[0] ?? undefined;
}

function readObject(json: string | null | undefined): Readonly<Record<string, unknown>> {
  return JSON.parse(json ?? "{}") as Record<string, unknown>;
}

/** One step of an act. */
export interface ActStep {
  /** Place in the chain. */
  readonly position: number;
  readonly actId: string;
  readonly step: "proposed" | "approved" | "refused" | "expired" | "carried out";
  readonly who: string;
  /** Epoch ms, by the database's clock. */
  readonly at: number;
  readonly kind: ActKind;
  readonly target: string;
  /** Present where the step carried it out. */
  readonly outcome: string | undefined;
}

/** Steps behind that position, in the order of the chain, in which each is visible before the next. */
export async function listActSteps(pool: Pool, behind: number, limit: number): Promise<readonly ActStep[]> {
  const rows = await queryRows(pool, {
    name: "list-act-steps",
    text: `select s.position, s.act_id, s.step, s.who, ${epochMs("s.at")}, p.kind, p.target, s.outcome
      from act_steps s join act_steps p on p.act_id = s.act_id and p.step = 'proposed'
      where s.position > $1::bigint order by s.position limit $2::int`,
    values: [behind, limit],
  });
  return rows.map(([position, actId, step, who, at, kind, target, outcome]) => ({
    position: Number(position),
    actId: actId as string,
    step: step as ActStep["step"],
    who: who as string,
    at: Number(at),
    kind: kind as ActKind,
    target: target as string,
    outcome: outcome ?? undefined,
  }));
}

/** Position of the newest step. */
export async function findLastActStep(pool: Pool): Promise<number> {
  const [row] = await queryRows(pool, { text: "select coalesce(max(position), 0) from act_steps", values: [] });
  return Number(row?.[0]);
}

function readAct(row: TextRow): PlacedAct {
  const [
    id,
    kind,
    target,
    reference,
    before,
    after,
    reason,
    ticket,
    proposedBy,
    proposedAt,
    expiresAt,
    hash,
    state,
    ...rest
  ] = row;
  const [decidedBy, decidedAt, why, carriedBy, carriedAt, result, journalId, position, isAtOnce] = rest;
  return {
    id: id as string,
    kind: kind as ActRow["kind"],
    target: target as string,
    reference: reference as string,
    before: readObject(before),
    after: readObject(after),
    reason: reason as string,
    ticket: ticket ?? undefined,
    proposedBy: proposedBy as string,
    proposedAt: Number(proposedAt),
    expiresAt: Number(expiresAt),
    hash: hash as string,
    state: state as ActState,
    decision: decidedBy == null ? undefined : { by: decidedBy, at: Number(decidedAt), reason: why ?? undefined },
    carriedOut:
      carriedBy == null
        ? undefined
        : { by: carriedBy, at: Number(carriedAt), result: readObject(result), journalId: journalId ?? undefined },
    position: Number(position),
    isAtOnce: isAtOnce === "t",
  };
}

/** True: the operator sees one of these records unmasked now. */
export async function isUnmasked(pool: Pool, who: string, records: readonly string[]): Promise<boolean> {
  const [row] = await queryRows(pool, {
    name: "is-unmasked",
    text: `select exists (select from act_steps p join act_steps c on c.act_id = p.act_id and c.step = 'carried out'
      where p.target = any($2::text[]) and p.kind = 'unmasking' and p.who = $1 and p.expires_at > clock_timestamp())`,
    values: [who, records],
  });
  return row?.[0] === "t";
}
