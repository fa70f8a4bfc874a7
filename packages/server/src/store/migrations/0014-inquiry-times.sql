-- Only an item of a bulk that was never submitted has no inquiry time (spec D13). One that its rail reported before had none
-- either, and nothing asked about it: it is due now.
update transfers set next_inquiry_at = accepted_at where is_open and state <> 'queued' and next_inquiry_at is null;
alter table transfers add constraint transfers_asked
  check (not is_open or state = 'queued' or next_inquiry_at is not null) not valid;
