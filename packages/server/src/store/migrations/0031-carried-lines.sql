-- A line that the database has forgotten, and that cannot be written back, is decided on as carried: its instruction counts as
-- handed over, and nothing is booked (docs/rails.md#directory-and-database).
alter table rail_differences drop constraint rail_differences_check1;
alter table rail_differences add constraint rail_differences_decision check ((kind, decision) in
  (('ahead', 'adopted'), ('ahead', 'not_carried'), ('ahead', 'carried'), ('behind', 'carried'), ('behind', 'export_again')));

create function reject_unknown_carried() returns trigger language plpgsql as $$
begin
  if not exists (select from rail_instructions
      where rail = new.rail and reference_no = new.reference_no and written_at is not null) then
    raise exception 'a line counts as carried together with its instruction' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create trigger rail_differences_carried before update on rail_differences for each row
  when (new.kind = 'ahead' and new.decision = 'carried') execute function reject_unknown_carried();
