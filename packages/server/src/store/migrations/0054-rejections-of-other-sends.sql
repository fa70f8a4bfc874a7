-- A call that was sent before a rejected one gets that rejection (docs/specification.md, D7), and keeps it: copies of the call
-- find it by their signature. Its keys are those of its signature, so that it is found by nothing else.
alter table rejected_requests add column of_another_send uuid;
