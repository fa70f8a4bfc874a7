/** Whether every transfer to another bank has come to its end: each call was answered with one. */
import { query } from "../database/databases.ts";

const statement = `select (select count(*) from transfers where is_open)::text as open,
  (select coalesce(sum(balance), 0) from accounts where purpose = 'suspense')::text as suspense`;

/** Throws when a transfer is open or money is left on a suspense account. */
export async function checkSettled(name: string, url: string): Promise<void> {
  const [row] = await query(url, statement);
  const [open, suspense] = [String(row?.["open"]), String(row?.["suspense"])];
  if (open === "0" && suspense === "0") return;
  throw new Error(`${name}: ${open} transfers are open, and ${suspense} is left on suspense accounts.`);
}
