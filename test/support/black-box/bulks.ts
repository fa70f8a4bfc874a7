/** Bulks (20) as a partner's system sends them, and their status as 36 reports it. */
import { withClient } from "../database/with-client.ts";
import { eventually } from "./answers.ts";
import { type Answer, type Caller, type Json, newNumber } from "./caller.ts";
import type { SandboxFile } from "./sandbox-file.ts";
import { idr, statusPath } from "./transfers.ts";

export const bulkPath = "transfer-interbank-bulk";

/** A valid item to an account at another bank that no scenario is about. */
export function bulkItem(more: Json = {}): Json {
  return {
    partnerReferenceNo: newNumber(),
    bankCode: "014",
    beneficiaryAccountNo: "7001001001",
    beneficiaryAccountName: "Siti Nur Aini",
    amount: idr("10000.00"),
    ...more,
  };
}

/** `items`: as they are, or how many of them. */
export function bulkBody(from: string, items: number | readonly Json[] = 3, more: Json = {}): Json {
  return {
    customerReference: "PAYROLL",
    sourceAccountNo: from,
    transactionDate: "2026-11-21T10:00:00+07:00",
    partnerBulkId: newNumber(),
    bulkObject: typeof items === "number" ? Array.from({ length: items }, () => bulkItem()) : items,
    ...more,
  };
}

export const itemsOf = ({ bulkObject }: Json) => bulkObject as readonly Json[];
export const numberOf = (item: Json | undefined) => String(item?.["partnerReferenceNo"]);

/** The body with fields of one item changed. */
export function changeItem(body: Json, position: number, more: Json): Json {
  return { ...body, bulkObject: itemsOf(body).map((item, at) => (at === position ? { ...item, ...more } : item)) };
}

/** The response to a status inquiry (36) by references of a bulk or of an item. */
export function inquireBulk(caller: Caller, references: Json): Promise<Answer> {
  return caller.call(statusPath, { serviceCode: "20", ...references });
}

/** The status of the bulk that a response to 20 accepted, when all its items have their results. */
export async function untilBulkEnds(caller: Caller, { body: { bulkId } }: Answer): Promise<Answer> {
  return eventually(async () => {
    const found = await inquireBulk(caller, { originalReferenceNo: bulkId });
    return found.body["latestTransactionStatus"] !== "03" && found;
  });
}

/** Rows of bulks and of their items, of all partners. */
export function countBulkRows({ databaseUrl }: SandboxFile): Promise<Json> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<Json>(
      `select (select count(*) from bulks)::int bulks, (select count(*) from transfers where bulk_id is not null)::int items,
         (select count(*) from accepted_requests where service = 20)::int requests`,
    );
    return rows[0] ?? {};
  });
}
