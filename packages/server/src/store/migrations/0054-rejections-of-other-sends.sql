-- A call that was sent before a rejected one gets that rejection (docs/specification.md, D7), and keeps it: copies of the call
-- find it by their signature, and older sends of its own external id, or of its number and content, get it, too.
alter table rejected_requests add column of_another_send uuid;
