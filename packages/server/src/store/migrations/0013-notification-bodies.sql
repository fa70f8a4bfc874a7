-- Bodies of notifications (spec D14). A notification has the same body at every attempt, also after an upgrade: 1, as releases
-- before this one write it, without the partner's name · 2: keys in order, `additionalInfo.partnerId`. They insert no version.
alter table outbox add column body_version smallint not null default 1;
