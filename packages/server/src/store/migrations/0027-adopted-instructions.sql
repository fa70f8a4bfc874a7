-- A line that is adopted is one that the database knows from then on as handed over (docs/rails.md#adopt-what-was-forgotten,
-- ADR 0061): its instruction stands before the decision, in one transaction.
create function reject_unknown_adoption() returns trigger language plpgsql as $$
begin
  if not exists (select from rail_instructions
      where rail = new.rail and reference_no = new.reference_no and sequence = new.sequence and written_at is not null) then
    raise exception 'a line is adopted together with its instruction' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create trigger rail_differences_adopted before update on rail_differences for each row
  when (new.decision = 'adopted') execute function reject_unknown_adoption();
