-- A public key says who signed, so no two partners have the same. Changes of reference data come one at a time, so a look
-- before each insert is enough.
create function refuse_key_of_another() returns trigger language plpgsql as $$
begin
  if exists (
    select from partner_credentials where kind = 'publicKey' and value = new.value and partner <> new.partner
  ) then
    raise exception 'another partner has this public key'
      using errcode = 'unique_violation', constraint = 'partner_credentials_key_of_one';
  end if;
  return new;
end $$;

create trigger partner_credentials_key_of_one before insert on partner_credentials
  for each row when (new.kind = 'publicKey') execute function refuse_key_of_another();
