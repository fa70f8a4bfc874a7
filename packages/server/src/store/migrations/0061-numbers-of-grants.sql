-- Consents are home's, and their accounts may lie in another cell, which need not answer for them: a grant keeps the number.

-- As in 0056-functions-in-their-schema.sql: functions look in the schema of the tables alone, and for temporary tables last.
select set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- Null in grants of earlier releases, whose accounts are home's.
alter table customer_grants add column account_no text;

-- As in 0048-merchants-and-consents.sql.
create or replace view shown_grants as
  select id, partner, account_id, generation, expires_at, account_no from customer_grants;

-- As in 0055-statements-of-functions.sql; of an account that is not here the act has the id.
create or replace function apply_grant_revocation(act act_steps) returns jsonb language plpgsql set search_path from current as $$
declare
  stamped bigint := bump_reference_version();
  ended int;
  -- An access token lives for 15 days; one that is signed elsewhere at this moment lives a moment longer.
  tokens_expire_at timestamptz := greatest((act.after ->> 'tokensExpireAt')::timestamptz, clock_timestamp() + interval '15 days 1 hour');
  account uuid := coalesce((select id from accounts where account_no = act.target), (act.after ->> 'accountId')::uuid);
begin
  with gone as (
    delete from customer_grants where partner = (select id from partners where partner_id = split_part(act.reference, ' ', 1))
      and account_id = account returning id)
  insert into ended_grants (id, version, expires_at) select id, stamped, tokens_expire_at from gone;
  get diagnostics ended = row_count;
  return jsonb_build_object('grants', ended);
end $$;
