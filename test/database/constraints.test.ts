/** The invariants stand in the database, too: each constraint rejects a row that is valid but for it. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Client, DatabaseError } from "pg";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { useDatabase } from "../support/database/database.ts";
import { insertRow, type Row, type Table, validRows } from "../support/database/valid-rows.ts";

const database = await useDatabase();
const client = new Client({ connectionString: database.ownerUrl });
await client.connect();
// One entry alone is no balanced journal.
await client.query("alter table entries disable trigger entries_balanced");
// Nor is it a copy of a hold.
await client.query("alter table closed_holds disable trigger closed_holds_equal");
// Nor was the act carried out.
await client.query("alter table acts disable trigger acts_with_steps");
// Nor is there the session's operator.
await client.query("alter table operator_sessions drop constraint operator_sessions_operator_id_fkey");
after(async () => {
  await client.end();
  await database.drop();
});

const time = "2026-11-23T03:30:00Z";
const settled = { state: "settled", is_open: false, resolution_journal_id: newId(), resolved_by: "rail" };
const returned = { ...settled, state: "returned", returned_by: "rail" };
const answered = { answered_at: time, answered_by: "payer" };
const approved = { ...answered, state: "approved", approved_amount: 10, approval_journal_id: newId() };

/** A step of an act that is no proposal. */
const ofStep = (step: string): Row => ({
  step,
  kind: null,
  target: null,
  reference: null,
  after: null,
  reason: null,
  expires_at: null,
});
const carriedOut = () => ({ ...ofStep("carried out"), outcome: "done", journal_id: newId(), entries: "" });

/** By table and constraint: the changes that break it alone. */
const checks: { readonly [Of in Table]: Readonly<Record<string, Row>> } = {
  accounts: {
    accounts_held_check: { held: -1 },
    accounts_available: { held: 11 },
    accounts_transit: { purpose: "transit", account_no: "transit:in:IDR:01" },
  },
  entries: { entries_version_check: { version: 0 }, entries_amount_check: { amount: 0 } },
  acts: { acts_kind_check: { kind: "" }, acts_reason_check: { reason: "" } },
  act_steps: {
    act_steps_position_check: { position: -1 },
    act_steps_step_check: ofStep("odd"),
    act_steps_target_check: { target: "" },
    act_steps_reference_check: { reference: "x".repeat(65) },
    act_steps_reason_check: { reason: "" },
    act_steps_ticket_check: { ticket: "" },
    act_steps_outcome_check: { ...ofStep("carried out"), outcome: "odd" },
    act_steps_previous_check: { previous: Buffer.of(1) },
    act_steps_hash_check: { hash: Buffer.of(1) },
    act_steps_proposal: { kind: null },
    act_steps_reason: { reason: null },
    act_steps_proposer: { proposer: "me" },
    act_steps_four_eyes: { ...ofStep("approved"), proposer: "me" },
    act_steps_outcome: { outcome: "rejected" },
    act_steps_journal: { ...carriedOut(), outcome: "rejected" },
    act_steps_entries: { ...carriedOut(), entries: null },
  },
  open_acts: { open_acts_state_check: { state: "done" } },
  operators: {
    operators_issuer_check: { issuer: "titian" },
    operators_subject_check: { subject: "" },
    operators_name_check: { name: "" },
  },
  sealing_key: {
    sealing_key_id_check: { id: 2 },
    sealing_key_key_id_check: { key_id: "0A1B2C3D" },
    sealing_key_public_key_check: { public_key: "A" },
  },
  cells: { cells_number_check: { number: 256 }, cells_ranges_check: { ranges: "[]" } },
  moved_accounts: {
    moved_accounts_cell_check: { cell: 256 },
    moved_accounts_moving_to_check: { moving_to: 256 },
    moved_accounts_way: { moving_to: 1 },
    moved_accounts_refusal: { moving_to: 2, refusal: "it stays" },
  },
  account_moves: {
    account_moves_moved_to_check: { moved_to: 256, arrives_from: null },
    account_moves_arrives_from_check: { arrives_from: 256 },
    account_moves_status_check: { status: "closed" },
    account_moves_minimum_balance_check: { minimum_balance: -1 },
    account_moves_way: { moved_to: 1 },
  },
  switches: { switches_name_check: { name: "rail:x" }, switches_reason_check: { reason: "" } },
  operator_sessions: {
    operator_sessions_secret_hash_check: { secret_hash: Buffer.of(1) },
    operator_sessions_came_by_check: { came_by: "door" },
    operator_sessions_address_check: { address: "" },
    operator_sessions_lifetime: { expires_at: "2026-11-23T15:00:00.001Z" },
    operator_sessions_ended: { ended_at: time },
    operator_sessions_act: { act_id: newId() },
    operator_sessions_break_glass: { came_by: "breakGlass", act_id: newId(), expires_at: "2026-11-23T03:30:00.001Z" },
  },
  request_keys: {},
  bound_keys: { bound_keys_cell_check: { cell: 256 }, bound_keys_check: { previous: 1 } },
  accepted_requests: {},
  holds: {
    holds_held_check: { held: 0, remaining: 0, is_open: false },
    holds_captured_check: { captured: -1, remaining: 11 },
    holds_voided_check: { voided: -1, remaining: 11 },
    holds_expired_check: { expired: -1, remaining: 11 },
    holds_remaining_check: { captured: 11, remaining: -1, is_open: false },
    holds_refunded_check: { refunded: -1 },
    holds_algebra: { captured: 1 },
    holds_refunded: { refunded: 1 },
    holds_open: { is_open: false },
  },
  closed_holds: {
    closed_holds_algebra: { captured: 9 },
    closed_holds_refunded: { refunded: 11 },
    closed_holds_closed: { is_open: true },
  },
  hold_events: {
    hold_events_sequence_check: { sequence: 0 },
    hold_events_kind_check: { kind: 5 },
    hold_events_amount_check: { amount: 0 },
    hold_events_refunded: { refunded: 11 },
    hold_events_capture: { kind: 4 },
    hold_events_refund_until: { kind: 2, refund_until: "2027-11-23" },
  },
  transfers: {
    transfers_amount_check: { amount: 0 },
    transfers_fee_check: { fee: -1 },
    transfers_suspense_part_check: { suspense_part: 16 },
    transfers_state_check: { ...settled, state: "odd" },
    transfers_bulk: { bulk_position: 1 },
    transfers_inquiry: { state: "queued", next_inquiry_at: null },
    transfers_asked: { bulk_id: newId(), bulk_position: 1, next_inquiry_at: null },
    transfers_open: { ...settled, state: "pending" },
    transfers_resolved: { ...settled, resolution_journal_id: null },
    transfers_resolved_by: { ...settled, resolved_by: "partner" },
    transfers_returned: returned,
    transfers_returned_by: { ...returned, return_journal_id: newId(), returned_by: null },
  },
  bulks: {
    bulks_item_count_check: { item_count: 0, is_open: false, ended_at: time },
    bulks_amount_check: { amount: 0 },
    bulks_rejected_count_check: { rejected_count: -1 },
    bulks_returned_count_check: { returned_count: -1 },
    bulks_check: { rejected_amount: 11 },
    bulks_check1: { rejected_fee: 2 },
    bulks_counts: { returned_count: 1 },
    bulks_open: { is_open: false, ended_at: time },
    bulks_ended: { ended_at: time },
  },
  payment_requests: {
    payment_requests_requested_amount_check: { requested_amount: 0 },
    payment_requests_state_check: { ...answered, state: "odd" },
    payment_requests_approved_amount_check: { ...approved, requested_amount: null, approved_amount: 0 },
    payment_requests_answered_by_check: { ...answered, state: "declined", answered_by: "rail" },
    payment_requests_accepted_in_time: { expires_at: time, accepted_at: time },
    payment_requests_approved: { ...approved, approval_journal_id: null },
    payment_requests_amount: { ...approved, approved_amount: 11 },
    payment_requests_answered: { answered_by: "payer" },
    payment_requests_answered_in_time: { ...answered, state: "declined", expires_at: time },
  },
  outbox: { outbox_state_check: { state: "odd" }, outbox_state_before_replay: { state_before_replay: "odd" } },
  delivery_attempts: { delivery_attempts_attempt_check: { attempt: 0 } },
  set_aside_results: {
    set_aside_results_reference_no_check: { reference_no: "x".repeat(65) },
    set_aside_results_state_check: { state: "x".repeat(17) },
    set_aside_results_reason_check: { reason: "odd" },
    set_aside_results_trace_no_check: { trace_no: "x".repeat(17) },
  },
  rail_leases: {
    rail_leases_fence_check: { fence: -1 },
    rail_leases_sequence_check: { sequence: -1 },
    rail_leases_check: { ahead_since: time },
  },
  rail_instructions: {
    rail_instructions_reference_no_check: { reference_no: "" },
    rail_instructions_idempotency_key_check: { idempotency_key: "x".repeat(65) },
    rail_instructions_sequence_check: { sequence: 0 },
    rail_instructions_state_check: { state: "pending" },
    rail_instructions_rejection_check: { rejection: "x".repeat(65) },
    rail_instructions_trace_no_check: { trace_no: "x".repeat(17) },
  },
  rail_result_files: { rail_result_files_up_to_check: { up_to: -1 } },
  rail_result_lines_set_aside: {},
};

/** Implied by others, so that no row breaks one of them alone. */
const implied: readonly string[] = ["bulks_fee_check", "bulks_settled_count_check"];

/** By table: the columns of each unique key. */
const keys: { readonly [Of in Table]: readonly (readonly string[])[] } = {
  accounts: [["id"], ["account_no"]],
  entries: [["account_id", "version"]],
  acts: [["id"], ["journal_id"]],
  act_steps: [["position"], ["hash"], ["journal_id"], ["act_id", "step"]],
  open_acts: [["act_id"], ["kind", "target", "reference"]],
  operators: [["database_role"], ["issuer", "subject"]],
  sealing_key: [],
  cells: [["number"]],
  moved_accounts: [["account_no"]],
  account_moves: [["account_no"]],
  switches: [["name"]],
  operator_sessions: [["id"], ["secret_hash"]],
  request_keys: [["key"]],
  bound_keys: [["key"]],
  accepted_requests: [["id"]],
  holds: [["id"]],
  closed_holds: [["id"]],
  hold_events: [["hold_id", "sequence"]],
  transfers: [["id"], ["return_journal_id"], ["bulk_id", "bulk_position"]],
  bulks: [["id"]],
  payment_requests: [["id"], ["approval_journal_id"]],
  outbox: [["id"], ["aggregate_id", "status"]],
  delivery_attempts: [["outbox_id", "attempt"]],
  set_aside_results: [["rail", "reference_no", "state"]],
  rail_leases: [["rail"]],
  rail_instructions: [
    ["rail", "reference_no"],
    ["rail", "idempotency_key"],
    ["rail", "sequence"],
  ],
  rail_result_files: [["rail", "name"]],
  rail_result_lines_set_aside: [["rail", "file", "line"]],
};

/** Rows whose other values differ. */
const withKeys: Partial<Record<Table, () => Row>> = {
  act_steps: carriedOut,
  transfers: () => ({
    ...returned,
    resolution_journal_id: newId(),
    return_journal_id: newId(),
    bulk_id: newId(),
    bulk_position: 1,
  }),
  payment_requests: () => ({ ...approved, approval_journal_id: newId() }),
};

const tables = Object.keys(validRows) as readonly Table[];

async function errorOf(work: Promise<unknown>): Promise<DatabaseError> {
  const error = await work.then(
    () => new Error("nothing was rejected"),
    (found: unknown) => found,
  );
  assert.ok(error instanceof DatabaseError, String(error));
  return error;
}

test("every check constraint has a row that it rejects", async () => {
  const { rows } = await client.query<{ conname: string }>(
    "select conname from pg_constraint where contype = 'c' and conrelid = any($1::regclass[]) order by 1",
    [tables],
  );
  const names = [...Object.values(checks).flatMap((of) => Object.keys(of)), ...implied];
  assert.deepEqual(
    rows.map(({ conname }) => conname),
    names.toSorted(),
  );
});

for (const table of tables) {
  for (const [name, changes] of Object.entries(checks[table])) {
    test(`the check constraint ${name} rejects a row`, async () => {
      const { code, constraint } = await errorOf(insertRow(client, table, changes));
      assert.deepEqual({ code, constraint }, { code: "23514", constraint: name });
    });
  }
  for (const columns of keys[table]) {
    test(`two rows of ${table} cannot have one ${columns.join(" and ")}`, async () => {
      const newRow = () => withKeys[table]?.() ?? {};
      const first = await insertRow(client, table, newRow());
      await insertRow(client, table, newRow());
      const same = Object.fromEntries(columns.map((column) => [column, first[column]]));
      const { code } = await errorOf(insertRow(client, table, { ...newRow(), ...same }));
      assert.equal(code, "23505");
    });
  }
}
