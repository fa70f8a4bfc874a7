/** Acts: reasons why money moves that no partner asked for. Their steps are added by functions of the database alone. */
import type { Pool } from "pg";
import { type ActJournal, actJournalKinds } from "../../ledger/accounts/act-journal.ts";
import { minor } from "../../ledger/money.ts";
import { codeOfServer, restrictViolation } from "../postgres/database-away.ts";
import { queryRows } from "../postgres/query-rows.ts";
import { readTextList, textList } from "../postgres/sql-arrays.ts";
import type { Session, Statement } from "../postgres/session.ts";
import { epochMs } from "../statements/select-list.ts";
import { uuidArray } from "../statements/binary-arrays.ts";

/** An approved act as a batch carries it out. */
export interface CarriedAct {
  readonly id: string;
  /** Id of its command, too. */
  readonly journalId: string;
  /** As `describeEntries` writes them. */
  readonly entries: string;
}

const carryOut: Statement = {
  name: "carry-out-acts",
  text: `select carry_out_act(a.id, 'done', null, a.journal_id, a.entries, $1::timestamptz)
    from unnest($2::uuid[], $3::uuid[], ${readTextList(4)}) a (id, journal_id, entries)`,
};

/** Sends one statement, which fails where one of them is not approved, or carried out already. `at`: business time. */
export function carryOutActs(session: Session, acts: readonly CarriedAct[], at: string): Promise<unknown> {
  const ids = uuidArray(acts.map(({ id }) => id));
  const journals = uuidArray(acts.map(({ journalId }) => journalId));
  return session.run(carryOut, [at, ids, journals, textList(acts.map(({ entries }) => entries))]);
}

const findStatement: Statement = {
  name: "find-acts",
  text: "select id, entries from acts where id = any($1::uuid[])",
};

/** Entries of the acts of these ids, as far as there are any. To be asked behind the locks of the accounts that they move. */
export async function findActs(session: Session, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await session.run(findStatement, [uuidArray(ids)]);
  return new Map(rows.map(([id, entries]) => [id as string, entries as string]));
}

/** Kinds that move money: a node carries them out by its engine. */
const moneyKinds = ["opening", ...actJournalKinds, "resolution", "return", "adoption"] as const;
/** Kinds that change other data: a function of the database does (0037-kinds-of-acts.sql and others). */
const dataKinds = [
  "closing",
  "reopening",
  "accountOpening",
  "blocking",
  "accountChange",
  "accountMove",
  "operatorAddition",
  "roleGrant",
  "roleRemoval",
  "operatorEnding",
  "partner",
  "partnerKey",
  "partnerSuspension",
  "partnerResumption",
  "partnerRetirement",
  "merchant",
  "merchantSuspension",
  "merchantResumption",
  "grantRevocation",
] as const;

export const actKinds = [...moneyKinds, ...dataKinds] as const;
export type ActKind = (typeof actKinds)[number];
export type DataActKind = (typeof dataKinds)[number];

export interface ActProposal {
  /** A UUID: the same one again is the same act. */
  readonly id: string;
  readonly kind: ActKind;
  /** Account number or reference number that it is about. */
  readonly target: string;
  /** Tells acts of one kind on one record apart that may be open at once; mostly empty. */
  readonly reference: string;
  /** The record as its proposer sees it. */
  readonly before: object | undefined;
  /** All that is needed to carry it out. `entries`: those that it must come to, as `describeEntries` writes them. */
  readonly after: object;
  /** Absent: only where nobody is in charge. */
  readonly reason: string | undefined;
  readonly ticket?: string | undefined;
}

export type ActState = "proposed" | "approved" | "refused" | "expired" | "done" | "rejected";

export interface ProposedAct {
  /** The act that was proposed, or the one that was open on the record. */
  readonly id: string;
  readonly state: ActState;
  /** False: it is another act than was proposed. */
  readonly isSame: boolean;
}

/** By whoever the database's session belongs to. `lifetimeMs`: time that it waits for its approval. */
export async function proposeAct(pool: Pool, proposal: ActProposal, lifetimeMs: number): Promise<ProposedAct> {
  const { id, kind, target, reference, before, after, reason, ticket } = proposal;
  const [row] = await queryRows(pool, {
    text: `select act_id, state, is_same
      from propose_act($1, $2, $3, $4, $5, $6, $7, $8, make_interval(secs => $9::float8 / 1000))`,
    values: [id, kind, target, reference, before ?? null, after, reason ?? null, ticket ?? null, lifetimeMs],
  });
  const [actId, state, isSame] = row ?? [];
  return { id: actId as string, state: state as ActState, isSame: isSame === "t" };
}

/** By whoever the database's session belongs to. `reason`: of a refusal. `hash`: of the proposal, in hexadecimal digits. */
export async function decideAct(
  pool: Pool,
  id: string,
  { hash, reason }: { readonly hash: string; readonly reason?: string },
): Promise<ActState> {
  const seen = Buffer.from(hash, "hex");
  const [row] = await queryRows(
    pool,
    reason === undefined
      ? { text: "select approve_act($1, $2)", values: [id, seen] }
      : { text: "select refuse_act($1, $2, $3)", values: [id, seen, reason] },
  );
  return row?.[0] as ActState;
}

/** All of them, or none; answers how many this approved. @throws as `decideAct` */
export async function approveActs(
  pool: Pool,
  acts: readonly { readonly id: string; readonly hash: string }[],
): Promise<number> {
  const [row] = await queryRows(pool, {
    text: "select approve_acts($1, $2)",
    values: [acts.map(({ id }) => id), acts.map(({ hash }) => Buffer.from(hash, "hex"))],
  });
  return Number(row?.[0]);
}

/** Ends an approved act that cannot be carried out; nothing where another node was first. `because`: what was found. */
export async function rejectAct(pool: Pool, id: string, because: object): Promise<void> {
  const text = "select carry_out_act($1, 'rejected', $2, null, null, null)";
  try {
    await waitForChain(chainTries.reject, () => queryRows(pool, { text, values: [id, because] }));
  } catch (error) {
    if (codeOfServer(error) !== restrictViolation) throw error;
  }
}

/** Statements, each of which waits for the chain of acts for 50 ms, or for 1 s: some seconds in all. */
const chainTries = { reject: 60, apply: 3 };

/** Others may keep the chain of acts for longer than one statement waits for it. What runs again changes an act once. */
async function waitForChain<T>(tries: number, run: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await run();
    } catch (error) {
      if (codeOfServer(error) !== "55P03" || count === tries) throw error;
    }
  }
}

/** By whoever the database's session belongs to; answers until when (epoch ms). `id`: a UUID, the same one again is the same act. */
export async function unmaskRecord(pool: Pool, id: string, record: string, reason: string): Promise<number> {
  const [row] = await queryRows(pool, {
    text: `select ${epochMs("until")} from unmask_record($1, $2, $3) until`,
    values: [id, record, reason],
  });
  return Number(row?.[0]);
}

/** Entries of an act that was carried out, as `describeEntries` writes them; undefined: there is none of this id. */
export async function readActEntries(pool: Pool, id: string): Promise<string | undefined> {
  const [row] = await queryRows(pool, { text: "select entries from acts where id = $1", values: [id] });
  return row?.[0] ?? undefined;
}

/** Carries out an approved act of a `DataActKind`; answers its state, and that of one that is not approved. */
export async function applyAct(pool: Pool, id: string): Promise<ActState> {
  const statement = { text: "select apply_act($1)", values: [id] };
  const [row] = await waitForChain(chainTries.apply, () => queryRows(pool, statement));
  return row?.[0] as ActState;
}

/** The reason why an approved act could not be carried out. */
export async function findRejection(pool: Pool, id: string): Promise<string | undefined> {
  const text = "select result ->> 'found' from act_steps where act_id = $1 and step = 'carried out'";
  const [row] = await queryRows(pool, { text, values: [id] });
  return row?.[0] ?? undefined;
}

/** Counts acts that were done at once and that nobody has approved in time. */
export async function countOverdueActs(pool: Pool): Promise<number> {
  const [row] = await queryRows(pool, {
    name: "count-overdue-acts",
    text: `select count(*) from open_acts join act_kinds using (kind)
      where at_once and state = 'proposed' and expires_at <= clock_timestamp()`,
  });
  return Number(row?.[0]);
}

/** An act that waits for a node. */
export interface ApprovedAct extends Pick<ActProposal, "id" | "target" | "reference" | "after"> {
  readonly kind: Exclude<ActKind, "adoption">;
}

/** A page of the approved acts that wait longer than so for a node, by id, behind one id. Adoptions are carried out by the command that proposed them. */
export async function listApprovedActs(
  pool: Pool,
  longerThanMs: number,
  { behind, limit }: { readonly behind: string; readonly limit: number },
): Promise<readonly ApprovedAct[]> {
  const rows = await queryRows(pool, {
    name: "list-approved-acts",
    text: `select o.act_id, o.kind, o.target, o.reference, s.after
      from open_acts o join act_steps s on s.act_id = o.act_id and s.step = 'proposed'
      where o.state = 'approved' and o.kind <> 'adoption' and o.since < clock_timestamp() - make_interval(secs => $1::float8 / 1000)
        and o.act_id > $2::uuid
      order by o.act_id limit $3::int`,
    values: [longerThanMs, behind, limit],
  });
  return rows.map(([id, kind, target, reference, after]) => ({
    id: id as string,
    kind: kind as ApprovedAct["kind"],
    target: target as string,
    reference: reference as string,
    after: JSON.parse(after as string) as object,
  }));
}

/** Ends acts that nobody approved in time; answers how many. */
export async function expireActs(pool: Pool): Promise<number> {
  const [row] = await queryRows(pool, { name: "expire-acts", text: "select expire_acts()" });
  return Number(row?.[0]);
}

export interface DescribedEntry {
  readonly accountNo: string;
  readonly amount: bigint;
  readonly currency: string;
}

/** The entries of a journal as one text, in the order of bytes; the audit writes the same (store/audit/checks/act-checks.ts). */
export function describeEntries(entries: readonly DescribedEntry[]): string {
  return entries
    .map(({ accountNo, amount, currency }) => `${accountNo} ${amount} ${currency}`)
    .toSorted((one, other) => (one < other ? -1 : 1))
    .join(", ");
}

/** The lines of such a text, one for each account. @throws RangeError where it is none */
export function linesOfEntries(text: string): Pick<ActJournal, "currency" | "lines"> {
  const sums = new Map<string, bigint>();
  const currencies = new Set<string>();
  for (const entry of text.split(", ")) {
    const [, accountNo, amount, currency] = /^(\S+) (-?[1-9]\d{0,18}) ([A-Z]{3})$/.exec(entry) ?? [];
    if (accountNo === undefined || amount === undefined || currency === undefined)
      throw new RangeError(`no entry: ${entry}`);
    sums.set(accountNo, (sums.get(accountNo) ?? 0n) + BigInt(amount));
    currencies.add(currency);
  }
  const [currency = ""] = currencies;
  if (currencies.size > 1) throw new RangeError("entries of two currencies");
  return { currency, lines: [...sums].map(([accountNo, amount]) => ({ accountNo, amount: minor(amount) })) };
}
