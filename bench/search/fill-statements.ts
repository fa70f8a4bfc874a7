/**
 * SQL that makes records as people look for them: a few names, amounts and accounts that very many records have, and many that
 * few have. Numbers, ids and what is drawn follow from the number of the record, so that two fills are the same.
 */
import { operations } from "@titian/contract";

/** Twenty records: a hold, a payment request, and 18 transfers, 9 of them within the bank; every tenth of those is a bulk. */
const { authPayment, requestForPayment, interbankBulkTransfer } = operations;
const { intrabankTransfer, interbankTransfer, rtgsTransfer, sknTransfer } = operations;
export const recordsOfTransfer = 20 / 18;

/** Functions that write the hashes of words as the service does (packages/server/src/admin/search/hash-words.ts). */
export const functionStatements: readonly string[] = [
  `create function first_bytes(digest bytea, count int) returns text language sql immutable as $$
    select encode(substr(digest, 1, count), 'hex') $$`,
  `create function digest_of(parts text[]) returns bytea language sql immutable as $$
    select sha256(convert_to(array_to_string(parts, E'\\x1f'), 'UTF8')) $$`,
  `create function to_word(hex text) returns bigint language sql immutable as $$ select ('x' || hex)::bit(64)::bigint $$`,
  `create function account_word(word text) returns bigint language sql immutable as $$
    select to_word(first_bytes(digest_of(array['account', '', word]), 8)) $$`,
  `create function number_word(word text) returns bigint language sql immutable as $$
    select to_word(first_bytes(digest_of(array['number', left(word, -3)]), 4) || first_bytes(digest_of(array['number', '', word]), 4)) $$`,
  `create function amount_word(day text, word text) returns bigint language sql immutable as $$
    select to_word(first_bytes(digest_of(array['amount', day]), 4) || first_bytes(digest_of(array['amount', day, word]), 4)) $$`,
  `create function keyed_word(kind text, word text, inner_pad bytea, outer_pad bytea) returns bigint language sql immutable as $$
    select to_word(first_bytes(sha256(outer_pad || sha256(inner_pad || convert_to(kind || E'\\x1f' || word, 'UTF8'))), 8)) $$`,
  `create function record_id(at timestamptz, n bigint) returns uuid language sql immutable as $$
    select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 3)
      || '8' || substr(md5(n::text), 4, 15))::uuid $$`,
  "create table payers (position int primary key, id uuid not null, account_no text not null, first_name text not null, last_name text not null)",
  `insert into payers select n - 1, id, account_no, 'Nama' || n % 300, 'Pemilik' || n from (
     select row_number() over (order by account_no) as n, id, account_no from accounts where account_no like '77%') numbered`,
  "update accounts a set name = first_name || ' ' || last_name from payers p where p.id = a.id",
  "create table partner_ids (position int primary key, id uuid not null)",
  "insert into partner_ids select row_number() over (order by partner_id) - 1, id from partners",
  "create table first_names (position int primary key, name text not null)",
  `insert into first_names select n - 1, coalesce((array['Siti', 'Budi', 'Dewi', 'Agus', 'Rina'])[n], 'Nama' || n) from generate_series(1, 300) n`,
];

export interface Week {
  /** Numbers of its records, from the first up to and without the second. */
  readonly numbers: readonly [number, number];
  /** ISO times. */
  readonly from: string;
  readonly to: string;
}

/** The records of a week, in a table of the session. The cube of a random number is mostly small: the first are frequent. */
export function drawStatements({ numbers: [first, end], from, to }: Week): readonly string[] {
  const at = `'${from}'::timestamptz + ('${to}'::timestamptz - '${from}'::timestamptz) * ((n - ${first}) / ${end - first}::float8)`;
  return [
    "drop table if exists drawn, filled",
    `select setseed(${(first % 1_000) / 1_000})`,
    `create temp table drawn as select n, ${at} as at,
       case n % 20 when 0 then ${authPayment.code} when 1 then ${requestForPayment.code}
         when 2 then (case when n % 200 = 2 then ${interbankBulkTransfer.code} else ${intrabankTransfer.code} end)
         when 18 then ${rtgsTransfer.code} when 19 then ${sknTransfer.code}
         else (case when n % 20 < 12 then ${intrabankTransfer.code} else ${interbankTransfer.code} end) end as service,
       floor(power(random(), 3) * (select count(*) from partner_ids))::int as partner_at,
       floor(power(random(), 3) * (select count(*) from payers))::int as payer_at,
       floor(random() * (select count(*) from payers))::int as payee_at,
       floor(power(random(), 3) * 300)::int as name_at,
       'Marga' || floor(power(random(), 2) * 20000)::int as last_name,
       (880000000 + floor(power(random(), 2) * 300000))::bigint::text as foreign_no,
       case when random() < 0.2 then 10000 + floor(random() * 5000000)::int
         else 50000 * (1 + floor(power(random(), 3) * 400)::int) end as amount
     from generate_series(${first}::bigint, ${end - 1}::bigint) n`,
    `create temp table filled as select drawn.*, record_id(at, n) as id, 'TRX-2026-' || n as number, 'EXT' || n as external_id,
       to_char(at at time zone 'Asia/Jakarta', 'YYYY-MM-DD') as day, service <> ${intrabankTransfer.code} as leaves,
       p.id as partner, payer.id as payer, payer.account_no as payer_no, payee.id as payee, payee.account_no as payee_no,
       payer.first_name as payer_first, payer.last_name as payer_last, payee.first_name as payee_first, payee.last_name as payee_last,
       f.name as first_name, md5('hash' || n)::uuid as hash, md5('external' || n)::uuid as external_hash,
       md5('reference' || n)::uuid as reference_key
     from drawn join partner_ids p on p.position = partner_at join payers payer on payer.position = payer_at
       join payers payee on payee.position = payee_at join first_names f on f.position = name_at`,
    "analyze filled",
  ];
}

const transferCodes = `(${interbankTransfer.code}, ${rtgsTransfer.code}, ${sknTransfer.code})`;

/** The rows that the service keeps of them. `bulk`: id of a bulk whose items are its interbank transfers; empty: none. */
export function keepStatements(bulk: string): readonly string[] {
  const item = `${bulk === "" ? "false" : "true"} and service = ${interbankTransfer.code}`;
  const state = `case when n % 1000 = 12 then 'pending' when n % 50 = 13 then 'rejected' when n % 100 = 14 then 'returned' else 'settled' end`;
  const isOpen = "(n % 1000 = 12)";
  return [
    `insert into accepted_requests (id, partner, service, external_id_key, partner_reference_key, body_hash, request_fingerprint,
       external_id, payload, accepted_at)
     select id, partner, service, external_hash, reference_key, hash, hash, external_id,
       json_build_object('request', json_strip_nulls(json_build_object('partnerReferenceNo', number, 'partnerBulkId',
           case when service = ${interbankBulkTransfer.code} then number end,
           'amount', json_build_object('value', amount || '.00', 'currency', 'IDR'), 'sourceAccountNo', payer_no,
           'beneficiaryAccountNo', case when leaves then foreign_no else payee_no end,
           'beneficiaryAccountName', first_name || ' ' || last_name, 'beneficiaryBankCode', case when leaves and service <> ${requestForPayment.code} then '014' end,
           'bankCode', case when service = ${requestForPayment.code} then '014' end,
           'remark', 'Pembayaran faktur bulan ini', 'merchantId', case when service = ${authPayment.code} then 'M1' end)),
         'currency', 'IDR')::text, at
     from filled order by id`,
    "insert into request_keys (key, request_id) select external_hash, id from filled union all select reference_key, id from filled order by 1",
    `insert into rejected_requests (id, partner, service, external_id_key, partner_reference_key, signature_key, kind, payload, rejected_at, sent_at)
     select record_id(at, n + 1), partner, service, hash, hash, hash, 'insufficientFunds', '{}', at, at from filled where n % 20 = 3`,
    `insert into entries (account_id, version, journal_id, kind, currency, amount, balance_after, created_at)
     select payer, 2 * n + 2, id, 2, 'IDR', -amount * 100, 0, at from filled where service = ${intrabankTransfer.code}
     union all select payee, 2 * n + 3, id, 2, 'IDR', amount * 100, 0, at from filled where service = ${intrabankTransfer.code} order by 3`,
    `insert into transfers (id, partner, service, rail, source_account_id, currency, amount, fee, daily_limit_amount, business_date,
       suspense_part, state, is_open, trace_no, resolved_synchronously, resolved_by, returned_by, resolution_journal_id,
       return_journal_id, bulk_id, bulk_position, version, accepted_at, submitted_at, next_inquiry_at)
     select id, partner, service, case service when ${interbankTransfer.code} then 'interbank' when ${rtgsTransfer.code} then 'rtgs' else 'sknbi' end,
       payer, 'IDR', amount * 100, 250000, amount * 100, (at at time zone 'Asia/Jakarta')::date - '1970-01-01'::date, n % 16, ${state}, ${isOpen},
       'T' || n, false, case when not ${isOpen} then 'rail' end, case when ${state} = 'returned' then 'rail' end,
       case when not ${isOpen} then record_id(at + interval '1 second', n) end, case when ${state} = 'returned' then record_id(at + interval '2 seconds', n) end,
       case when ${item} then nullif('${bulk}', '')::uuid end, case when ${item} then n::int end, 1, at, at, at
     from filled where service in ${transferCodes}`,
    `insert into holds (id, partner, partner_reference_key, partner_reference_no, merchant_id, payer_account_id, settlement_account_id,
       currency, held, captured, voided, expired, remaining, refunded, is_open, capture_count, void_count, refund_count, event_count,
       expires_at, created_at)
     select id, partner, reference_key, number, 'M1', payer, payee, 'IDR', amount, 0, 0, 0, amount, 0, true, 0, 0, 0, 0, now() + interval '7 days', at
     from filled where service = ${authPayment.code} and n % 400 = 0`,
    `insert into closed_holds (id, partner, partner_reference_key, partner_reference_no, merchant_id, payer_account_id, settlement_account_id,
       currency, held, captured, voided, expired, remaining, refunded, is_open, capture_count, void_count, refund_count, event_count,
       expires_at, created_at, closed_at)
     select id, partner, reference_key, number, 'M1', payer, payee, 'IDR', amount, amount, 0, 0, 0, 0, false, 1, 0, 0, 1, at + interval '7 days', at, at
     from filled where service = ${authPayment.code} and n % 400 <> 0`,
    `insert into hold_events (hold_id, sequence, kind, command_id, amount, created_at)
     select id, 1, 3, id, amount, at from filled where service = ${authPayment.code} and n % 400 <> 0`,
    `insert into payment_requests (id, partner, payer_account_id, currency, requested_amount, expires_at, state, approved_amount,
       approval_journal_id, answered_at, answered_by, version, accepted_at)
     select id, partner, payer, 'IDR', amount, case when n % 400 = 1 then now() else at end + interval '7 days', case when n % 400 = 1 then 'waiting' else 'approved' end,
       case when n % 400 <> 1 then amount end, case when n % 400 <> 1 then record_id(at + interval '1 second', n) end,
       case when n % 400 <> 1 then at end, case when n % 400 <> 1 then 'payer' end, 1, at
     from filled where service = ${requestForPayment.code}`,
    `insert into bulks (id, partner, source_account_id, currency, item_count, amount, fee, settled_count, rejected_count, returned_count,
       rejected_amount, rejected_fee, is_open, ended_at, version, accepted_at)
     select id, partner, payer, 'IDR', 1, amount, 0, case when n % 4000 = 2 then 0 else 1 end, 0, 0, 0, 0, n % 4000 = 2,
       case when n % 4000 <> 2 then at end, 1, at from filled where service = ${interbankBulkTransfer.code}`,
    `insert into outbox (id, partner, service, aggregate_id, status, created_at, state, attempt_count, delivered_at)
     select record_id(at, n + 2), partner, case service when ${rtgsTransfer.code} then 76 else 75 end, id, '00', at,
       case when n % 400 = 18 then 'dead' when n % 400 = 38 then 'kept' when n % 2000 = 59 then 'waiting' else 'delivered' end, 1, at
     from filled where n % 20 in (18, 19)`,
    `insert into delivery_attempts (outbox_id, attempt, at, url, http_status, response_code, reply, duration_ms)
     select record_id(at, n + 2), 1, at, 'https://shop.example/v1.0/transfer-rtgs/notify', 200, '2007600', '{"responseCode":"2007600"}', 12
     from filled where n % 20 in (18, 19)`,
  ];
}

export interface Pads {
  /** Hex, of the key of the records' month. */
  readonly inner: string;
  readonly outer: string;
}

/** Words of the records from a time up to another, in the order of the index. */
export function wordsStatement({ from, to }: Pick<Week, "from" | "to">, { inner, outer }: Pads): string {
  const keyed = (kind: string, word: string) => `keyed_word('${kind}', ${word}, '\\x${inner}', '\\x${outer}')`;
  return `insert into search_words (word, record)
    select word, id from filled cross join lateral unnest(array[number_word(number), number_word(external_id),
      amount_word(day, amount::text), account_word(payer_no),
      case when leaves then ${keyed("foreign", "foreign_no")} else account_word(payee_no) end,
      ${keyed("name", "lower(first_name)")}, ${keyed("name", "lower(last_name)")},
      ${keyed("name", "lower(payer_first)")}, ${keyed("name", "lower(payer_last)")},
      case when not leaves then ${keyed("name", "lower(payee_first)")} end, case when not leaves then ${keyed("name", "lower(payee_last)")} end]) word
    where word is not null and at >= '${from}' and at < '${to}' order by word, id on conflict do nothing`;
}

/** Behind all weeks: accounts have the versions of their entries. */
export const lastStatements: readonly string[] = [
  "update accounts a set version = (select coalesce(max(version), 1) from entries e where e.account_id = a.id) where account_no like '77%'",
];
