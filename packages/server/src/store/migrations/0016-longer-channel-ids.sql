-- A partner may be agreed a CHANNEL-ID longer than the standard's five characters.

alter table partners drop constraint partners_channel_id_check;
alter table partners add constraint partners_channel_id_check check (length(channel_id) between 1 and 36);
