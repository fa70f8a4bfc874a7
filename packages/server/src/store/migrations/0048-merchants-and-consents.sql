-- Merchants are suspended at once and resumed by an approval (docs/adr/0086-suspension-of-merchants.md), as partners are; and consents of
-- customers as operators see them.

-- Functions that run with the owner's rights look for temporary tables last: a caller's must not stand for ours.
select set_config('search_path', current_setting('search_path') || ', pg_temp', true);

-- The act that wrote the status; null: that of its terms did.
alter table merchants add column status_act_id uuid;

-- As in 0040-reference-acts.sql, and: a change of terms leaves the status, which has acts of its own.
create or replace function apply_merchant(act act_steps) returns jsonb language plpgsql set search_path from current as $$
declare
  of_partner uuid;
  known merchants;
  stamped bigint := bump_reference_version();
  named uuid;
begin
  perform check_merchant_terms(act.after);
  select id into of_partner from partners where partner_id = act.target and status <> 'retired';
  perform require_reference(of_partner is not null, 'partner');
  perform require_reference(act.reference ~ '^[!-~]{1,64}$', 'merchant id');
  select * into known from merchants where (partner, merchant_id) = (of_partner, act.reference);
  if act.before is distinct from (case when known.id is not null then merchant_terms(known) end) then
    raise exception 'the merchant was changed since the act was proposed' using errcode = 'restrict_violation';
  end if;
  perform require_reference(act.after ->> 'status' = coalesce(known.status, 'active'), 'status');
  named := coalesce(known.id, (act.after ->> 'id')::uuid);
  insert into merchants (id, partner, merchant_id, name, status, settlement_account_id, payer_account_id, settings, version, created_at, act_id)
    values (named, of_partner, act.reference, act.after ->> 'name', act.after ->> 'status', (act.after ->> 'settlementAccount')::uuid,
      (act.after ->> 'payerAccount')::uuid, (act.after -> 'settings')::json, stamped, act.at, act.act_id)
    on conflict (partner, merchant_id) do update set name = excluded.name,
      settlement_account_id = excluded.settlement_account_id, payer_account_id = excluded.payer_account_id,
      settings = excluded.settings, version = excluded.version, act_id = excluded.act_id;
  return jsonb_build_object('merchant', named);
end $$;

-- Suspended, or active again. The target is the partner's id, the reference that of the merchant.
create function apply_merchant_status(act act_steps) returns jsonb language plpgsql set search_path from current as $$
declare
  written uuid;
begin
  if act.after ->> 'status' is distinct from (case act.kind when 'merchantSuspension' then 'suspended'
      when 'merchantResumption' then 'active' end) then
    raise exception 'an act of the kind % does not do this', act.kind using errcode = 'restrict_violation';
  end if;
  if act.kind = 'merchantResumption'
      and exists (select from open_acts where (kind, target, reference) = ('merchantSuspension', act.target, act.reference)) then
    raise exception 'the suspension waits for its approval: refuse that act' using errcode = 'restrict_violation';
  end if;
  update merchants m set status = act.after ->> 'status', status_act_id = act.act_id, version = bump_reference_version()
    from partners p where p.id = m.partner and p.partner_id = act.target and p.status <> 'retired' and m.merchant_id = act.reference
      and m.status = act.before ->> 'status' and m.status <> act.after ->> 'status' returning m.id into written;
  if written is null then
    raise exception 'the merchant was changed since the act was proposed' using errcode = 'restrict_violation';
  end if;
  return jsonb_build_object('merchant', written);
end $$;

-- A suspension that was refused; nothing where another act has changed the status since.
create function undo_merchant_suspension(act act_steps) returns jsonb language plpgsql set search_path from current as $$
begin
  update merchants set status = 'active', version = bump_reference_version()
    where status = 'suspended' and status_act_id = act.act_id;
  return jsonb_build_object('undone', found);
end $$;

insert into act_kinds (kind, effect, at_once, apply, undo) values
  ('merchantSuspension', 'data', true, 'apply_merchant_status', 'undo_merchant_suspension'),
  ('merchantResumption', 'data', false, 'apply_merchant_status', null);
insert into act_rights (kind, step, role) values
  ('merchantSuspension', 'proposed', 'operator'), ('merchantSuspension', 'approved', 'approver'),
  ('merchantResumption', 'proposed', 'operator'), ('merchantResumption', 'approved', 'approver');

-- Consents of customers as operators see them: without the hash of the code or refresh token that is good next.
create view shown_grants as select id, partner, account_id, generation, expires_at from customer_grants;

revoke execute on function apply_merchant_status, undo_merchant_suspension from public;
