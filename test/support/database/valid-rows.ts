/** A valid row of each table that a batch writes, by the names of its columns; every call makes other keys. */
import { switchNames } from "../../../packages/server/src/admin/switches.ts";
import { randomBytes } from "node:crypto";
import type { Client } from "pg";
import { newId } from "../../../packages/server/src/basics/ids.ts";

export type Row = Readonly<Record<string, unknown>>;

const accepted = "2026-11-23T03:00:00Z";
const later = "2026-11-23T04:00:00Z";

const transfer = () => ({
  id: newId(),
  partner: newId(),
  service: 18,
  rail: "interbank",
  source_account_id: newId(),
  currency: "IDR",
  amount: 10,
  fee: 1,
  daily_limit_amount: 10,
  business_date: 20_261_123,
  suspense_part: 0,
  state: "pending",
  is_open: true,
  resolved_synchronously: false,
  version: 0,
  accepted_at: accepted,
  submitted_at: accepted,
  next_inquiry_at: later,
});

const account = () => {
  const id = newId();
  const terms = { name: "holder", currency: "IDR", purpose: "customer", type: "S", status: "active", balance: 10 };
  return { ...terms, id, account_no: id.replaceAll(/\D/g, ""), minimum_balance: 0, version: 1, opened_at: accepted };
};

let positions = 1_000;

const actProposal = () => ({
  position: (positions += 1),
  act_id: newId(),
  step: "proposed",
  who: "me",
  at: accepted,
  kind: "funding",
  target: "1001",
  reference: "",
  after: {},
  reason: "a reason",
  expires_at: later,
  previous: randomBytes(32),
  hash: randomBytes(32),
});

const hold = () => ({
  id: newId(),
  partner: newId(),
  partner_reference_key: newId(),
  partner_reference_no: "P1",
  merchant_id: "M1",
  payer_account_id: newId(),
  settlement_account_id: newId(),
  currency: "IDR",
  held: 10,
  captured: 0,
  voided: 0,
  expired: 0,
  remaining: 10,
  refunded: 0,
  is_open: true,
  capture_count: 0,
  void_count: 0,
  refund_count: 0,
  event_count: 0,
  expires_at: later,
  created_at: accepted,
});

const bulk = () => ({
  id: newId(),
  partner: newId(),
  source_account_id: newId(),
  currency: "IDR",
  item_count: 2,
  amount: 10,
  fee: 1,
  settled_count: 0,
  rejected_count: 0,
  returned_count: 0,
  rejected_amount: 0,
  rejected_fee: 0,
  is_open: true,
  version: 0,
  accepted_at: accepted,
});

const paymentRequest = () => ({
  id: newId(),
  partner: newId(),
  payer_account_id: newId(),
  currency: "IDR",
  requested_amount: 10,
  expires_at: later,
  state: "waiting",
  version: 0,
  accepted_at: accepted,
});

let sequences = 0;

export const validRows = {
  accounts: account,
  entries: () => {
    const ids = { account_id: newId(), journal_id: newId() };
    return { ...ids, version: 1, kind: 1, currency: "IDR", amount: 10, balance_after: 10, created_at: accepted };
  },
  acts: () => {
    const ids = { id: newId(), journal_id: newId() };
    return { ...ids, kind: "opening", reason: "opening balance", entries: "", at: accepted };
  },
  act_steps: actProposal,
  open_acts: () => {
    return { act_id: newId(), kind: "funding", target: newId(), reference: "", state: "proposed", expires_at: later };
  },
  operators: () => {
    const ids = { id: newId(), subject: newId(), database_role: newId() };
    return { ...ids, issuer: "https://login.bank.example", name: "Sri" };
  },
  sealing_key: () => ({ id: 1, key_id: "0a1b2c3d", public_key: "A".repeat(43) }),
  cells: () => ({
    number: 1 + ((sequences += 1) % 255),
    ranges: JSON.stringify([{ from: "cell1", to: "cell2" }]),
    added_at: accepted,
    version: 1,
  }),
  moved_accounts: () => ({ account_no: newId(), cell: 1, act_id: newId(), number: 1, version: 1 }),
  account_moves: () => ({ account_no: newId(), arrives_from: 1, number: 1, status: "active", minimum_balance: 0 }),
  switches: () => ({
    name: switchNames[(sequences += 1) % switchNames.length],
    act_id: newId(),
    reason: "a reason",
    closed_at: accepted,
  }),
  operator_sessions: () => {
    const times = { started_at: accepted, last_used_at: accepted, expires_at: later };
    const whose = { id: newId(), operator_id: newId(), secret_hash: randomBytes(32) };
    return { ...whose, came_by: "cli", address: "::1", has_second_factor: false, ...times };
  },
  request_keys: () => ({ key: newId(), request_id: newId() }),
  bound_keys: () => ({ key: newId(), cell: 1, bound_at: accepted, previous: 0 }),
  accepted_requests: () => {
    const hashes = { body_hash: newId(), request_fingerprint: newId() };
    const keys = { id: newId(), external_id_key: newId(), partner_reference_key: newId(), ...hashes };
    return { ...keys, partner: newId(), service: 18, external_id: "E1", payload: "{}", accepted_at: accepted };
  },
  holds: hold,
  closed_holds: () => ({ ...hold(), captured: 10, remaining: 0, is_open: false, event_count: 1, closed_at: later }),
  hold_events: () => {
    const ids = { hold_id: newId(), command_id: newId() };
    return { ...ids, sequence: 1, kind: 1, amount: 10, refunded: 0, created_at: accepted };
  },
  transfers: transfer,
  bulks: bulk,
  payment_requests: paymentRequest,
  outbox: () => {
    const ids = { id: newId(), partner: newId(), aggregate_id: newId() };
    return { ...ids, service: 76, status: "00", created_at: accepted };
  },
  delivery_attempts: () => ({ outbox_id: newId(), attempt: 1, at: accepted, url: "", duration_ms: 1 }),
  set_aside_results: () => {
    return { rail: "skn", reference_no: newId(), state: "settled", reason: "unknown", set_aside_at: accepted };
  },
  rail_leases: () => ({ rail: newId() }),
  rail_instructions: () => {
    const ids = { rail: "skn", reference_no: newId(), idempotency_key: newId() };
    return { ...ids, terms: "{}", valid_until: later, sequence: (sequences += 1) };
  },
  rail_result_files: () => ({ rail: "skn", name: newId(), up_to: 0, beyond: [] }),
  rail_result_lines_set_aside: () => {
    return { rail: "skn", file: newId(), line: 1, fault: "", text: "", set_aside_at: accepted };
  },
} as const satisfies Record<string, () => Row>;

export type Table = keyof typeof validRows;

/** Adds a row that is valid but for the changes; answers the row. */
export async function insertRow(client: Client, table: Table, changes: Row = {}): Promise<Row> {
  const row: Row = { ...validRows[table](), ...changes };
  const names = Object.keys(row);
  const parameters = names.map((_, position) => `$${position + 1}`);
  await client.query(`insert into ${table} (${names.join()}) values (${parameters.join()})`, Object.values(row));
  return row;
}
