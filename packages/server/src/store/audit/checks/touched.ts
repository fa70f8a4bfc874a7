/** Accounts, holds and bulks that a slice is about: all between its bounds, or those that its journals touched. */
import { inSlice } from "./check.ts";

/** Statements that answer ids; a hold that only its events name is among them. */
export const accountsBetween = `select id from accounts where ${inSlice("id")}`;
const holdsOfSlice = `select id from holds where ${inSlice("id")} union select id from closed_holds where ${inSlice("id")}`;
export const holdsBetween = `${holdsOfSlice} union select hold_id from hold_events where ${inSlice("hold_id")}`;

export const bulksBetween = `select id from bulks where ${inSlice("id")}`;

export const holdsTouched = `${holdsOfSlice} union select hold_id from hold_events where ${inSlice("command_id")}`;
export const accountsTouched = `select account_id as id from entries where ${inSlice("journal_id")}
  union select h.payer_account_id from (${holdsTouched}) touched
    cross join lateral (select payer_account_id from holds where id = touched.id limit 1) h`;
/** Bulks of which an item had its result or was returned, or that were notified. */
export const bulksTouched = `select bulk_id as id from transfers where ${inSlice("resolution_journal_id")} and bulk_id is not null
  union select bulk_id from transfers where ${inSlice("return_journal_id")} and bulk_id is not null
  union select aggregate_id from outbox where ${inSlice("id")} and service = 21`;
