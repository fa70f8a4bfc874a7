/** Which accounts and holds a slice is about: all between its bounds, or those that its journals touched. */
import { inSlice } from "./check.ts";

/** Statements that answer ids; a hold that only its lines name is among them. */
export const accountsBetween = `select id from accounts where ${inSlice("id")}`;
export const holdsBetween = `select id from holds where ${inSlice("id")}
  union select hold from hold_lines where ${inSlice("hold")}`;

export const holdsTouched = `select id from holds where ${inSlice("id")}
  union select hold from hold_lines where ${inSlice("command")}`;
export const accountsTouched = `select account_id as id from entries where ${inSlice("journal_id")}
  union select h.payer from (${holdsTouched}) touched
    cross join lateral (select payer from holds where id = touched.id limit 1) h`;
