-- The public key that client secrets are sealed with (docs/adr/0084-sealing-without-the-master-key.md). A node publishes it: no other
-- role writes it, since whoever did could read the secrets that are added after that.

-- Functions that run with the owner's rights look for temporary tables last: a caller's must not stand for ours.
select set_config('search_path', current_setting('search_path') || ', pg_temp', true);

create table sealing_key (
  id smallint primary key check (id = 1),
  -- Id of the master key that the private half is derived from.
  key_id text not null check (key_id ~ '^[0-9a-f]{8}$'),
  -- X25519, in Base64url.
  public_key text not null check (public_key ~ '^[A-Za-z0-9_-]{43}$')
);

-- Publishes the first key, or one in the place of that which the caller has seen.
create function publish_sealing_key(new_id text, new_key text, old_id text, old_key text) returns void
  language sql security definer set search_path from current set lock_timeout = '1s' as $$
  insert into sealing_key (id, key_id, public_key) values (1, new_id, new_key)
    on conflict (id) do update set key_id = new_id, public_key = new_key
      where (sealing_key.key_id, sealing_key.public_key) = (old_id, old_key);
$$;
revoke execute on function publish_sealing_key from public;
