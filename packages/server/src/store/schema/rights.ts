/**
 * Rights of the roles that work on the database: the service's, and administration's, which has those and more; the console's,
 * a door by which operators come in with a session each, those of operators who come in by themselves, of audits and of jobs. The last
 * four read, and write by functions alone; that of break-glass calls one function. None changes or deletes what was accepted or
 * booked. A test holds them against every statement (test/database/rights.test.ts).
 */
import type { Client, Pool } from "pg";
import { queryRows } from "../postgres/query-rows.ts";

export type RoleKind = "service" | "administration" | "console" | "operator" | "audit" | "jobs" | "emergency";

/** The service's rights on each table, and what administration has besides. All others read it. */
interface TableRights {
  readonly service: string;
  readonly administration?: string;
}

/** Tables of what lets callers in, sealed or hashed, that nothing an operator sees needs; a command loads some of them all the same. */
const unread = {
  console: new Set(["partner_credentials", "customer_grants", "ended_grants"]),
  operator: new Set(["customer_grants"]),
  audit: new Set(["customer_grants"]),
  jobs: new Set(["customer_grants"]),
};

const rights: Readonly<Record<string, TableRights>> = {
  accounts: {
    service: "select, insert, update (version, balance, held, daily_debit_date, daily_debit_total, daily_debit_count)",
  },
  entries: { service: "select, insert" },
  // Written by functions of the owner alone (0034-operators-acts.sql): people propose and approve, a node carries out what was approved.
  acts: { service: "select" },
  act_steps: { service: "select" },
  act_chain: { service: "select" },
  open_acts: { service: "select" },
  act_rights: { service: "select" },
  act_kinds: { service: "select" },
  switches: { service: "select" },
  // Written by a function that administration alone may call (0057-cells.sql).
  cells: { service: "select" },
  // Written by functions of the owner alone (0062-account-moves.sql).
  moved_accounts: { service: "select" },
  account_moves: { service: "select" },
  operators: { service: "select" },
  operator_roles: { service: "select" },
  incompatible_roles: { service: "select" },
  operator_doors: { service: "select" },
  operator_sessions: { service: "select" },
  request_keys: { service: "select, insert, delete" },
  bound_keys: { service: "select, insert, update (cell, bound_at, previous), delete" },
  accepted_requests: { service: "select, insert" },
  transfers: {
    service:
      "select, insert, update (state, version, is_open, trace_no, reject_reason, resolved_synchronously, resolved_by, returned_by, resolution_journal_id, return_journal_id, submitted_at, inquiry_count, next_inquiry_at)",
  },
  payment_requests: {
    service: "select, insert, update (state, approved_amount, approval_journal_id, answered_at, answered_by, version)",
  },
  bulks: {
    service:
      "select, insert, update (settled_count, rejected_count, returned_count, rejected_amount, rejected_fee, is_open, ended_at, version)",
  },
  outbox: {
    service:
      "select, insert, update (state, attempt_count, next_attempt_at, attempts_before_replay, replay_url, state_before_replay, delivered_at)",
  },
  delivery_attempts: { service: "select, insert" },
  rejected_requests: { service: "select, insert" },
  holds: {
    service:
      "select, insert, update (captured, voided, expired, remaining, refunded, is_open, capture_count, void_count, refund_count, event_count)",
  },
  hold_events: { service: "select, insert, update (refunded)" },
  // Written by a function of the owner alone (0028-closed-holds.sql).
  closed_holds: { service: "select" },
  // A node that ends a grant tells the others by the version, which only ever goes up by one (0011-reference-version.sql).
  reference_version: { service: "select, update (version)" },
  // Written by functions of the owner alone (0040-reference-acts.sql): a role that could write callers and their keys could let anybody in.
  partners: { service: "select" },
  partner_credentials: { service: "select" },
  shown_credentials: { service: "select" },
  // Written by a function that the service alone may call (0046-sealing-key.sql): by it nobody else reads what is added.
  sealing_key: { service: "select" },
  shown_grants: { service: "select" },
  merchants: { service: "select" },
  customer_grants: { service: "select, update (generation, hash, expires_at), delete", administration: "insert" },
  ended_grants: { service: "select, insert, delete" },
  service_state: { service: "select, insert, update (value)" },
  simulated_instructions: {
    service: "select, insert, update (is_unprocessed, final_at, returned_at, final_acknowledged, return_acknowledged)",
  },
  rail_leases: {
    service:
      "select, insert, update (holder, fence, expires_at, sequence, released_sequence, stopped_because, compared_fence, ahead_since)",
  },
  // Differences of a rail's directory that the service finds; an operator decides.
  rail_differences: {
    service: "select, insert, delete",
    administration: "update (decision, reason, decided_at)",
  },
  rail_instructions: {
    service: "select, insert, update (valid_until, sequence, fence, written_at, state, rejection, trace_no), delete",
  },
  rail_result_files: { service: "select, insert, update (up_to, beyond), delete" },
  rail_result_lines_set_aside: { service: "select, insert" },
  requested_rejections: { service: "select, insert, update (act_id)" },
  set_aside_results: { service: "select, insert, update (closed_at)" },
  planned_faults: { service: "select, insert, update (remaining), delete" },
  search_words: { service: "select, insert" },
  kept_calls: { service: "select, insert, update (inquiries, at, code, correlation)" },
  search_keys: { service: "select, insert, update (key)" },
  search_positions: { service: "select, update (position, holder, expires_at)" },
  migrations: { service: "select" },
  partitions: { service: "select" },
  detached_partitions: { service: "select" },
  detached_balances: { service: "select" },
};

const nodes = [
  "make_partition",
  "drop_partitions",
  "count_default_rows",
  "move_closed_holds",
  "apply_act",
  "carry_out_act",
  "expire_acts",
  "keep_audit_position",
  "prune_operator_sessions",
  "finish_move",
  "leave_account",
  "stay_account",
  "receive_account",
  "arrive_account",
];
const people = [
  "propose_act",
  "approve_act",
  "approve_acts",
  "refuse_act",
  "apply_act",
  "unmask_record",
  "end_operator_session",
];

/** Functions that run with the owner's rights, by who may call them. Others are everybody's. */
const functions: Readonly<Record<RoleKind, readonly string[]>> = {
  service: [...nodes, "publish_sealing_key"],
  administration: [...new Set([...nodes, ...people]), "add_cell"],
  console: [...people, "open_operator_session", "use_operator_session"],
  operator: people,
  audit: ["keep_audit_position"],
  emergency: ["open_break_glass_session"],
  jobs: ["find_detach_obstacles", "detach_partitions", "empty_search"],
};

/** As an `oid`: where the session's search_path leads to. */
const schemaOfTables = "(select relnamespace from pg_class where oid = to_regclass('accounts'))";

/** One right, such as `update (name) on partners`. */
export interface Right {
  readonly table: string;
  readonly verb: "select" | "insert" | "update" | "delete";
  /** Absent: on the whole table. */
  readonly column?: string;
}

export function rightsOf(kind: RoleKind): readonly Right[] {
  return Object.keys(rights).flatMap((table) => textsOf(table, kind).flatMap((text) => readRights(table, text)));
}

/** As `grant` takes them. */
function textsOf(table: string, kind: RoleKind): readonly string[] {
  const { service = "", administration } = rights[table] ?? {};
  if (kind === "service") return [service];
  if (kind === "administration") return administration === undefined ? [service] : [service, administration];
  return kind === "emergency" || unread[kind].has(table) ? [] : ["select"];
}

function readRights(table: string, text: string): readonly Right[] {
  return [...text.matchAll(/(select|insert|update|delete)(?: \(([^)]+)\))?/g)].flatMap(([, name, columns]) => {
    const verb = name as Right["verb"];
    if (columns === undefined) return [{ table, verb }];
    return columns.split(", ").map((column) => ({ table, verb, column }));
  });
}

/** Gives the role its rights on our tables and takes every other: those of an earlier release, too. Inside a transaction. */
export async function grantRights(client: Client, role: string, kind: RoleKind): Promise<void> {
  const name = client.escapeIdentifier(role);
  const onTables = Object.keys(rights).flatMap((table) => [
    `revoke all on ${table} from ${name}`,
    ...textsOf(table, kind).map((text) => `grant ${text} on ${table} to ${name}`),
  ]);
  const all = new Set(Object.values(functions).flat());
  const [[schema] = []] = await queryRows(client, { text: `select ${schemaOfTables}::regnamespace` });
  const statements = [
    `grant usage on schema ${schema} to ${name}`,
    ...onTables,
    `revoke execute on function ${[...all].join(", ")} from ${name}`,
    `grant execute on function ${functions[kind].join(", ")} to ${name}`,
  ];
  // In one message: some hundred round trips are a tenth of a second of each start of a sandbox.
  await client.query(statements.join("; "));
  await client.query("delete from operator_doors where database_role = $1", [role]);
  if (kind === "console") await client.query("insert into operator_doors (database_role) values ($1)", [role]);
}

export interface MissingRights {
  /** The session's role. */
  readonly role: string;
  /** Rights of administration that it lacks, such as `insert on partners` and `execute on propose_act`. */
  readonly missing: readonly string[];
}

export async function findMissingRights(pool: Pool): Promise<MissingRights> {
  const all = rightsOf("administration");
  const rows = await queryRows(pool, {
    text: `select current_user, array_to_json(array(
      select position from unnest($1::text[], $2::text[], $3::text[]) with ordinality r (place, verb, name, position)
      where not case when name is null then has_table_privilege(place, verb) else has_column_privilege(place, name, verb) end
      order by position))`,
    values: [all.map(({ table }) => table), all.map(({ verb }) => verb), all.map(({ column }) => column ?? null)],
  });
  const [role, positions] = rows[0] ?? [];
  const missing = (JSON.parse(positions ?? "[]") as number[]).flatMap((position) => all[position - 1] ?? []);
  const notCalled = await queryRows(pool, {
    text: `select proname from pg_proc where pronamespace = ${schemaOfTables} and proname = any($1::text[])
      and not has_function_privilege(oid, 'execute') order by proname`,
    values: [functions.administration],
  });
  const onTables = new Set(missing.map(({ table, verb }) => `${verb} on ${table}`));
  return { role: role ?? "", missing: [...onTables, ...notCalled.map(([name]) => `execute on ${name}`)] };
}

/** True when both lead to one database of one server. */
export async function isSameDatabase(one: Pool, other: Pool): Promise<boolean> {
  const find = {
    text: "select concat_ws(' ', oid, pg_postmaster_start_time()) from pg_database where datname = current_database()",
  };
  const [[a], [b]] = await Promise.all([queryRows(one, find), queryRows(other, find)]);
  return a?.[0] !== undefined && a[0] === b?.[0];
}

/** True when PostgreSQL denied a statement for want of a right. */
export function isDenied(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "42501";
}
