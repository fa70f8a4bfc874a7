-- Short batches (engine/batch/short-batch.ts): a few commands that were decided from remembered accounts, written in one round
-- trip. Names have a version: nodes of two releases run beside each other.
-- Both functions lock first, and look at everything else in later statements, each with a snapshot of its own: what was
-- committed while the lock was not held is seen. No block catches an error: a subtransaction would have an id of its own, and
-- the accounts' xmin would be another.
-- They answer one of: `written <id>`, the transaction's, which is now the accounts' xmin; `changed <rows>`, JSON of the
-- accounts as they are, where one is not as it is remembered, or locked; `rejected`, where a rejection applies to a request;
-- `taken`, where one of its keys is. Unless it is `written`, nothing was.

-- Accounts as they are, for a batch that was decided on others.
create function changed_accounts_v1(ids uuid[]) returns text language plpgsql as $$
begin
  -- Its commit confirms reads, so it must wait for a standby, also where nothing was free to be locked.
  perform pg_logical_emit_message(true, 'titian', '');
  return 'changed ' || coalesce((select json_agg(json_build_array(a.id, a.account_no, a.name, a.currency, a.purpose, a.type,
      a.status, a.authorized_partner_ids::text, a.balance::text, a.held::text, a.version::text, a.minimum_balance::text,
      a.limit_per_transfer::text, a.limit_daily::text, a.limit_daily_count::text, a.daily_debit_date::text,
      a.daily_debit_total::text, a.daily_debit_count::text, a.xmin::text))
    from accounts a where a.id = any(ids)), '[]')::text;
end $$;

-- One request that moves money between two accounts, without arrays: a quarter less time with one caller.
create function write_one_request_v1(
  decided_at timestamptz,
  -- The account with the lower id, as it is remembered and as it becomes.
  id_1 uuid, xmin_1 xid, version_1 bigint, balance_1 bigint,
  new_balance_1 bigint, held_1 bigint, debit_date_1 int, debit_total_1 bigint, debit_count_1 int, amount_1 bigint,
  id_2 uuid, xmin_2 xid, version_2 bigint, balance_2 bigint,
  new_balance_2 bigint, held_2 bigint, debit_date_2 int, debit_total_2 bigint, debit_count_2 int, amount_2 bigint,
  entry_kind int, entry_currency text,
  sent_on timestamptz, signature uuid, first_id uuid, last_id uuid,
  request uuid, partner uuid, service int, hash_of_external_id uuid, hash_of_number uuid, body uuid, fingerprint uuid,
  external text, request_payload text, info text
) returns text language plpgsql as $$
begin
  -- Nobody is waited for while rows are locked: a locked row counts as a changed one.
  -- Postings alone raise the version: holds, daily use and terms change xmin. After 2^32 transactions xmin may come again.
  perform from accounts where id = id_1 and xmin = xmin_1 and version = version_1 and balance = balance_1
    for no key update skip locked;
  if not found then return changed_accounts_v1(array[id_1, id_2]); end if;
  perform from accounts where id = id_2 and xmin = xmin_2 and version = version_2 and balance = balance_2
    for no key update skip locked;
  if not found then return changed_accounts_v1(array[id_1, id_2]); end if;
  if exists (select from rejected_requests r where r.signature_key = signature and r.id between first_id and last_id)
    or exists (select from rejected_requests r where r.external_id_key = hash_of_external_id and r.id between first_id and last_id
      and r.sent_at >= sent_on)
    or exists (select from rejected_requests r where r.partner_reference_key = hash_of_number and r.request_fingerprint = fingerprint
      and r.id between first_id and last_id and r.sent_at >= sent_on) then
    return 'rejected';
  end if;
  -- The external id first: it can be given up again, a number cannot.
  insert into request_keys (key, request_id) values (hash_of_external_id, request) on conflict do nothing;
  if not found then return 'taken'; end if;
  insert into request_keys (key, request_id) values (hash_of_number, request) on conflict do nothing;
  if not found then
    delete from request_keys where key = hash_of_external_id and request_id = request;
    return 'taken';
  end if;
  insert into accepted_requests (id, partner, service, external_id_key, partner_reference_key, body_hash, request_fingerprint,
      external_id, payload, additional_info, accepted_at)
    values (request, write_one_request_v1.partner, write_one_request_v1.service, hash_of_external_id, hash_of_number, body, fingerprint,
      external, request_payload, info, decided_at);
  insert into entries (account_id, version, journal_id, kind, currency, amount, balance_after, created_at) values
    (id_1, version_1 + 1, request, entry_kind, entry_currency, amount_1, new_balance_1, decided_at),
    (id_2, version_2 + 1, request, entry_kind, entry_currency, amount_2, new_balance_2, decided_at);
  update accounts set version = version_1 + 1, balance = new_balance_1, held = held_1, daily_debit_date = debit_date_1,
    daily_debit_total = debit_total_1, daily_debit_count = debit_count_1 where id = id_1;
  update accounts set version = version_2 + 1, balance = new_balance_2, held = held_2, daily_debit_date = debit_date_2,
    daily_debit_total = debit_total_2, daily_debit_count = debit_count_2 where id = id_2;
  -- Statements behind it in the packet add their rows only where they find this.
  perform set_config('titian.short_batch', 'written', true);
  return 'written ' || pg_current_xact_id()::xid::text;
end $$;

-- Several requests, or one of other accounts and entries.
create function write_short_batch_v1(
  decided_at timestamptz,
  -- All accounts that were read, in the order of their ids.
  account_ids uuid[], xmins xid[], versions bigint[], balances bigint[],
  -- When the calls were sent, their signatures, and between which ids rejections matter to them.
  sent_ats timestamptz[], signature_keys uuid[], first_id uuid, last_id uuid,
  -- In the order of the keys.
  keys uuid[], key_requests uuid[],
  -- In the order of the calls.
  request_ids uuid[], partners uuid[], services int[], external_id_keys uuid[], partner_reference_keys uuid[],
  body_hashes uuid[], fingerprints uuid[], external_ids text[], payloads text[], additional_infos text[],
  entry_accounts uuid[], entry_versions bigint[], journal_ids uuid[], kinds int[], currencies text[], amounts bigint[],
  balances_after bigint[],
  moved_ids uuid[], old_versions bigint[], new_versions bigint[], new_balances bigint[], new_held bigint[], debit_dates int[],
  debit_totals bigint[], debit_counts int[]
) returns text language plpgsql as $$
declare
  found_xmins xid[];
  found_versions bigint[];
  found_balances bigint[];
  written bigint;
begin
  select array_agg(a.writer), array_agg(a.version), array_agg(a.balance) into found_xmins, found_versions, found_balances
    from (select xmin as writer, version, balance from accounts where id = any(account_ids)
      order by id for no key update skip locked) a;
  if found_xmins is distinct from xmins or found_versions is distinct from versions or found_balances is distinct from balances then
    return changed_accounts_v1(account_ids);
  end if;
  if exists (select from unnest(signature_keys) requested (key) cross join lateral (
      select from rejected_requests where signature_key = requested.key and id between first_id and last_id limit 1) found)
    or exists (select from unnest(external_id_keys, sent_ats) requested (key, sent_at) cross join lateral (
      select from rejected_requests where external_id_key = requested.key and id between first_id and last_id
        and sent_at >= requested.sent_at limit 1) found)
    or exists (select from unnest(partner_reference_keys, fingerprints, sent_ats) requested (key, fingerprint, sent_at)
      cross join lateral (
      select from rejected_requests where partner_reference_key = requested.key and request_fingerprint = requested.fingerprint
        and id between first_id and last_id and sent_at >= requested.sent_at limit 1) found) then
    return 'rejected';
  end if;
  if exists (select from request_keys k where k.key = any(keys)) then return 'taken'; end if;
  insert into request_keys (key, request_id)
    select given.key, given.request_id from (select unnest(keys) as key, unnest(key_requests) as request_id) given
    on conflict do nothing;
  get diagnostics written = row_count;
  -- Another session has taken one meanwhile.
  if written <> cardinality(keys) then
    raise exception 'a request key is taken' using errcode = 'serialization_failure';
  end if;
  insert into accepted_requests (id, partner, service, external_id_key, partner_reference_key, body_hash, request_fingerprint,
      external_id, payload, additional_info, accepted_at)
    select r.id, r.partner, r.service, r.external_id_key, r.partner_reference_key, r.body_hash, r.fingerprint, r.external_id,
      r.payload, r.additional_info, decided_at
    from (select unnest(request_ids) as id, unnest(partners) as partner, unnest(services) as service,
      unnest(external_id_keys) as external_id_key, unnest(partner_reference_keys) as partner_reference_key,
      unnest(body_hashes) as body_hash, unnest(fingerprints) as fingerprint, unnest(external_ids) as external_id,
      unnest(payloads) as payload, unnest(additional_infos) as additional_info) r;
  insert into entries (account_id, version, journal_id, kind, currency, amount, balance_after, created_at)
    select e.account_id, e.version, e.journal_id, e.kind, e.currency, e.amount, e.balance_after, decided_at
    from (select unnest(entry_accounts) as account_id, unnest(entry_versions) as version, unnest(journal_ids) as journal_id,
      unnest(kinds) as kind, unnest(currencies) as currency, unnest(amounts) as amount, unnest(balances_after) as balance_after) e;
  update accounts t set version = c.version, balance = c.balance, held = c.held, daily_debit_date = c.debit_date,
      daily_debit_total = c.debit_total, daily_debit_count = c.debit_count
    from (select unnest(moved_ids) as id, unnest(old_versions) as old_version, unnest(new_versions) as version,
      unnest(new_balances) as balance, unnest(new_held) as held, unnest(debit_dates) as debit_date,
      unnest(debit_totals) as debit_total, unnest(debit_counts) as debit_count) c
    where t.id = c.id and t.version = c.old_version;
  get diagnostics written = row_count;
  if written <> cardinality(moved_ids) then
    raise exception 'an account is not at the version that was decided on' using errcode = 'division_by_zero';
  end if;
  -- Statements behind it in the packet add their rows only where they find this.
  perform set_config('titian.short_batch', 'written', true);
  return 'written ' || pg_current_xact_id()::xid::text;
end $$;
