/** Operators' acts for people: what each would change, in words with names and amounts, and what came of it. */
import { currencyScale } from "@titian/contract";
import { fromReferenceNo, toReferenceNo } from "../../basics/ids.ts";
import { formatMinor, minor } from "../../ledger/money.ts";
import { findAccountByNumber } from "../../store/reads/accounts.ts";
import { type ActPage, type ActRow, findAct as findRow, listActs as listRows } from "../../store/reads/acts.ts";
import { findTransfer } from "../../store/reads/transfers.ts";
import type { QueryDeps } from "../query-deps.ts";

type Deps = Pick<QueryDeps, "pool">;

export async function listActs(deps: Deps, page: ActPage) {
  const rows = await listRows(deps.pool, page);
  const acts = await Promise.all(rows.map((row) => showAct(deps, row)));
  return { acts, next: rows.length === page.limit ? rows.at(-1)?.position : undefined };
}

const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

export async function findAct(deps: Deps, id: string) {
  const row = isUuid(id) ? await findRow(deps.pool, id) : undefined;
  return row && showAct(deps, row);
}

async function showAct(deps: Deps, row: ActRow) {
  const { id, decision, carriedOut, ...act } = row;
  return {
    ...act,
    actId: id,
    does: await describe(deps, row),
    entries: typeof act.after["entries"] === "string" ? act.after["entries"] : undefined,
    decidedBy: decision?.by,
    decidedAt: decision?.at,
    refusal: decision?.reason,
    carriedOutAt: carriedOut?.at,
    found: act.state === "rejected" ? describeResult(carriedOut?.result) : undefined,
    journalNo: carriedOut?.journalId === undefined ? undefined : toReferenceNo(carriedOut.journalId),
  };
}

/** Never fails: the list shows an act that nobody can read, too. */
async function describe(deps: Deps, row: ActRow): Promise<string> {
  return describeKind(deps, row).catch(() => `An act on ${row.target} that cannot be read: refuse it`);
}

async function describeKind({ pool }: Deps, { kind, target, reference, after }: ActRow): Promise<string> {
  switch (kind) {
    case "operator":
      return "Name the first operators";
    case "opening":
      return `Open account ${target} of ${String(after["name"])} with ${money(after["balance"], after["currency"])}`;
    case "funding": {
      const holder = (await findAccountByNumber(pool, target))?.name ?? "unknown";
      return `Put ${money(after["amount"], after["currency"])} on account ${target} of ${holder}, reference ${reference}`;
    }
    case "adoption":
      return `Write payment ${target} of the ${reference} rail back: ${money(after["amount"], after["currency"])}`;
    case "resolution":
    case "return": {
      const id = fromReferenceNo(target);
      const transfer = id === undefined ? undefined : await findTransfer(pool, id);
      const of = transfer ? ` of ${money(transfer.sentAmount, transfer.currency)}` : "";
      const how = after["isAfterInquiry"] === true ? ", once its rail says that it does not have it" : "";
      return `Record transfer ${target}${of} as ${String(after["resolution"])}${how}; it was ${String(after["seen"])}`;
    }
  }
}

/** `amount` in minor units. */
function money(amount: unknown, currency: unknown): string {
  const code = String(currency);
  return `${code} ${formatMinor(minor(BigInt(String(amount))), currencyScale(code) ?? 0)}`;
}

/** A rejection of the ledger has a message; else there is what was found in place of what the act was approved for. */
function describeResult({ message, found }: Readonly<Record<string, unknown>> = {}): string {
  return typeof message === "string"
    ? message
    : `found: ${typeof found === "string" ? found : "something else than was approved"}`;
}
