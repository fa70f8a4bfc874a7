/** Table of the sandbox's simulated rails: plain statements, each on its own. Times are business time (epoch ms). */
import type { StatementPool } from "@titian/server/admin";
import type { RailName } from "@titian/server/rails";

/** Content that is the same in two submissions of one instruction. */
export interface SimulatedContent {
  readonly referenceNo: string;
  /** Absent where a node of a release before there were keys submitted it. */
  readonly idempotencyKey?: string | undefined;
  readonly rail: RailName;
  /** Decimal text. */
  readonly amount: string;
  readonly currency: string;
  readonly bankCode: string;
  readonly accountNo: string;
}

/** When an instruction ends, as far as that is known. */
export interface SimulatedTimes {
  /** When it settles or is rejected; undefined: not by itself. */
  readonly finalAt?: number | undefined;
  readonly returnedAt?: number | undefined;
}

export interface SimulatedInstruction extends SimulatedContent, SimulatedTimes {
  readonly outcome: string;
  /** Not looked at yet, because the rail was silent. */
  readonly isUnprocessed: boolean;
}

export interface NewSimulatedInstruction extends SimulatedInstruction {
  readonly submittedAt: number;
  /** The response to its submission tells its end. */
  readonly finalAcknowledged: boolean;
}

/** Adds those of whose number and key there is none yet; tells of each whether it was added. */
export async function insertSimulated(
  pool: StatementPool,
  rows: readonly NewSimulatedInstruction[],
): Promise<readonly boolean[]> {
  const { rows: added } = await pool.query<string[]>({
    name: "insert-simulated",
    // In one order, so that two nodes with the same numbers wait for each other in turn.
    text: `insert into simulated_instructions (reference_no, idempotency_key, rail, amount, currency, bank_code, account_no, outcome, is_unprocessed,
        submitted_at, final_at, returned_at, final_acknowledged, return_acknowledged)
      select reference_no, idempotency_key, rail, amount, currency, bank_code, account_no, outcome, is_unprocessed,
        submitted_at, final_at, returned_at, final_acknowledged, false from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
        $8::boolean[], $9::timestamptz[], $10::timestamptz[], $11::timestamptz[], $12::boolean[], $13::text[])
        with ordinality n (reference_no, rail, amount, currency, bank_code, account_no, outcome, is_unprocessed,
          submitted_at, final_at, returned_at, final_acknowledged, idempotency_key, position)
      order by reference_no, position on conflict do nothing returning reference_no`,
    values: [
      rows.map(({ referenceNo }) => referenceNo),
      rows.map(({ rail }) => rail),
      rows.map(({ amount }) => amount),
      rows.map(({ currency }) => currency),
      rows.map(({ bankCode }) => bankCode),
      rows.map(({ accountNo }) => accountNo),
      rows.map(({ outcome }) => outcome),
      rows.map(({ isUnprocessed }) => isUnprocessed),
      rows.map(({ submittedAt }) => instant(submittedAt)),
      rows.map(({ finalAt }) => instant(finalAt)),
      rows.map(({ returnedAt }) => instant(returnedAt)),
      rows.map(({ finalAcknowledged }) => finalAcknowledged),
      rows.map(({ idempotencyKey }) => idempotencyKey ?? null),
    ],
    rowMode: "array",
  });
  const numbers = new Set(added.map(([referenceNo]) => referenceNo));
  // The first of two with the same number is the one that was added.
  return rows.map(({ referenceNo }) => numbers.delete(referenceNo));
}

const columns = `reference_no, rail, amount, currency, bank_code, account_no, outcome, is_unprocessed,
  (date_part('epoch', final_at) * 1000)::bigint, (date_part('epoch', returned_at) * 1000)::bigint, idempotency_key`;

export async function findSimulated(
  pool: StatementPool,
  referenceNo: string,
): Promise<SimulatedInstruction | undefined> {
  const { rows } = await pool.query<(string | null)[]>({
    name: "find-simulated",
    text: `select ${columns} from simulated_instructions where reference_no = $1`,
    values: [referenceNo],
    rowMode: "array",
  });
  return rows[0] === undefined ? undefined : readSimulated(rows[0]);
}

/** The instruction of the number, else that of the key. */
export async function findSimulatedAs(
  pool: StatementPool,
  { referenceNo, idempotencyKey }: Pick<SimulatedContent, "referenceNo" | "idempotencyKey">,
): Promise<SimulatedInstruction | undefined> {
  const { rows } = await pool.query<(string | null)[]>({
    name: "find-simulated-as",
    text: `select ${columns} from simulated_instructions where reference_no = $1 or idempotency_key = $2
      order by reference_no = $1 desc limit 1`,
    values: [referenceNo, idempotencyKey],
    rowMode: "array",
  });
  return rows[0] === undefined ? undefined : readSimulated(rows[0]);
}

/** Instructions of a rail that are looked at; one whose outcome this release does not know waits for one that does. */
export interface SimulatedOf {
  readonly rail: RailName;
  readonly outcomes: readonly string[];
}

/** Up to so many that were handed over while the rail was silent and not looked at since. */
export async function listHeld(
  pool: StatementPool,
  { rail, outcomes, most }: SimulatedOf & { readonly most: number },
): Promise<readonly SimulatedInstruction[]> {
  const { rows } = await pool.query<(string | null)[]>({
    name: "list-held-simulated",
    text: `select ${columns} from simulated_instructions where rail = $1 and outcome = any($2::text[]) and is_unprocessed
      order by reference_no limit $3::int`,
    values: [rail, outcomes, most],
    rowMode: "array",
  });
  return rows.map(readSimulated);
}

/** Up to so many that have not ended at the given time, held ones among them. */
export async function listUnended(
  pool: StatementPool,
  { rail, outcomes, now, most }: SimulatedOf & { readonly now: number; readonly most: number },
): Promise<readonly SimulatedInstruction[]> {
  const { rows } = await pool.query<(string | null)[]>({
    name: "list-unended-simulated",
    text: `select ${columns} from simulated_instructions where rail = $1 and outcome = any($2::text[])
        and not final_acknowledged and (final_at is null or final_at > $3::timestamptz)
      order by reference_no limit $4::int`,
    values: [rail, outcomes, instant(now), most],
    rowMode: "array",
  });
  return rows.map(readSimulated);
}

export interface Scheduled extends SimulatedTimes {
  readonly referenceNo: string;
}

/** Gives held instructions their times; one that is not held any longer keeps its own: somebody else was first. */
export async function scheduleHeld(pool: StatementPool, times: readonly Scheduled[]): Promise<void> {
  await pool.query({
    name: "schedule-held-simulated",
    text: `${schedule} and s.is_unprocessed`,
    values: valuesOf(times),
  });
}

/** Gives instructions that have not ended by `now` their times; returns how many got theirs. */
export async function scheduleUnended(pool: StatementPool, times: readonly Scheduled[], now: number): Promise<number> {
  const result = await pool.query({
    name: "schedule-unended-simulated",
    text: `${schedule} and (s.final_at is null or s.final_at > $4::timestamptz)`,
    values: [...valuesOf(times), instant(now)],
  });
  return result.rowCount ?? 0;
}

const schedule = `update simulated_instructions s set is_unprocessed = false, final_at = t.final_at, returned_at = t.returned_at
  from unnest($1::text[], $2::timestamptz[], $3::timestamptz[]) t (reference_no, final_at, returned_at)
  where s.reference_no = t.reference_no`;

function valuesOf(times: readonly Scheduled[]): (string | null)[][] {
  return [
    times.map(({ referenceNo }) => referenceNo),
    times.map(({ finalAt }) => instant(finalAt)),
    times.map(({ returnedAt }) => instant(returnedAt)),
  ];
}

/** Brings back at `now` what ended by then and has not come back; tells whether it did. */
export async function returnSimulated(pool: StatementPool, referenceNo: string, now: number): Promise<boolean> {
  const result = await pool.query({
    name: "return-simulated",
    text: `update simulated_instructions set returned_at = $2::timestamptz
      where reference_no = $1 and final_at <= $2::timestamptz and (returned_at is null or returned_at > $2::timestamptz)`,
    values: [referenceNo, instant(now)],
  });
  return result.rowCount === 1;
}

export interface SimulatedResult {
  readonly instruction: SimulatedInstruction;
  readonly isReturn: boolean;
}

export interface ResultsOf extends SimulatedOf {
  readonly now: number;
}

const unacknowledged = `select ${columns}, 'final' as kind, final_at as at from simulated_instructions
    where rail = $1 and outcome = any($2::text[]) and not final_acknowledged and final_at <= $3::timestamptz
  union all
  select ${columns}, 'return', returned_at from simulated_instructions
    where rail = $1 and outcome = any($2::text[]) and not return_acknowledged and returned_at <= $3::timestamptz`;

/** Results that are ready and were not acknowledged, the oldest first. */
export async function listSimulatedResults(
  pool: StatementPool,
  { rail, outcomes, now, most }: ResultsOf & { readonly most: number },
): Promise<readonly SimulatedResult[]> {
  const { rows } = await pool.query<(string | null)[]>({
    name: "list-simulated-results",
    text: `select * from (${unacknowledged}) ready order by at, kind, reference_no limit $4::int`,
    values: [rail, outcomes, instant(now), most],
    rowMode: "array",
  });
  return rows.map((row) => ({ instruction: readSimulated(row), isReturn: row[11] === "return" }));
}

export async function countSimulatedResults(pool: StatementPool, { rail, outcomes, now }: ResultsOf): Promise<number> {
  const { rows } = await pool.query<string[]>({
    name: "count-simulated-results",
    text: `select count(*) from (${unacknowledged}) ready`,
    values: [rail, outcomes, instant(now)],
    rowMode: "array",
  });
  return Number(rows[0]?.[0]);
}

/** These results need not be told again. */
export async function acknowledgeSimulated(
  pool: StatementPool,
  rail: RailName,
  acknowledged: { readonly finals: readonly string[]; readonly returns: readonly string[] },
): Promise<void> {
  await pool.query({
    name: "acknowledge-simulated",
    text: `update simulated_instructions set final_acknowledged = final_acknowledged or reference_no = any($2::text[]),
        return_acknowledged = return_acknowledged or reference_no = any($3::text[])
      where rail = $1 and reference_no = any($2::text[] || $3::text[])`,
    values: [rail, acknowledged.finals, acknowledged.returns],
  });
}

function readSimulated(row: readonly (string | null)[]): SimulatedInstruction {
  const [referenceNo, rail, amount, currency, bankCode, accountNo, outcome, isUnprocessed, finalAt, returnedAt, key] =
    row;
  return {
    referenceNo: referenceNo as string,
    idempotencyKey: key ?? undefined,
    rail: rail as RailName,
    amount: amount as string,
    currency: currency as string,
    bankCode: bankCode as string,
    accountNo: accountNo as string,
    outcome: outcome as string,
    isUnprocessed: isUnprocessed === "t",
    finalAt: finalAt == null ? undefined : Number(finalAt),
    returnedAt: returnedAt == null ? undefined : Number(returnedAt),
  };
}

function instant(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}
