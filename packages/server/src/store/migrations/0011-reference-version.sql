-- The version of the reference data goes up by one with each change: nodes copy what is stamped with a later version than
-- they have, so that a version that fell back, or jumped, would hide a suspension from them.
create function reject_other_version() returns trigger language plpgsql as $$
begin
  raise exception 'the version of the reference data goes up by one: % to %', old.version, new.version
    using errcode = 'restrict_violation';
end $$;

create trigger reference_version_goes_up_by_one before update on reference_version
  for each row when (new.version is distinct from old.version + 1) execute function reject_other_version();
