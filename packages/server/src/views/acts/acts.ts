/** Operators' acts for people: what each would change, in words with names and amounts, and what came of it. */
import { homeCell, toReferenceNo } from "../../basics/ids.ts";
import {
  type ActPage,
  type ActRow,
  findAct as findRow,
  findOpenAct as findOpenRow,
  listActs as listRows,
} from "../../store/reads/acts.ts";
import { describeAct, type DescribeDeps } from "./describe-act.ts";

export async function listActs(deps: DescribeDeps, page: ActPage) {
  const rows = await listRows(deps.pool, page);
  const acts = await Promise.all(rows.map((row) => showAct(deps, row)));
  return { acts, next: rows.length === page.limit ? rows.at(-1)?.position : undefined };
}

const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

export async function findAct(deps: DescribeDeps, id: string) {
  const row = isUuid(id) ? await findRow(deps.pool, id) : undefined;
  return row && showAct(deps, row);
}

/**
 * The oldest one that waits for its approval or a node; `target`: an account number, a partner's id, or the referenceNo of a transfer.
 * `reference`: that of the act; absent: any.
 */
export async function findOpenAct(deps: DescribeDeps, target: string, reference?: string) {
  const row = await findOpenRow(deps.pool, target, reference);
  return row && showAct(deps, row);
}

export type ShownAct = Awaited<ReturnType<typeof showAct>>;

async function showAct(deps: DescribeDeps, row: ActRow) {
  const { id, decision, carriedOut, ...act } = row;
  const { en, id: indonesian, personalParts = [] } = await describeAct(deps, row);
  return {
    ...act,
    actId: id,
    cell: deps.cell === homeCell ? undefined : deps.cell,
    does: en,
    doesTranslations: { id: indonesian },
    personalParts,
    entries: typeof act.after["entries"] === "string" ? act.after["entries"] : undefined,
    decidedBy: decision?.by,
    decidedAt: decision?.at,
    refusal: decision?.reason,
    carriedOutBy: carriedOut?.by,
    carriedOutAt: carriedOut?.at,
    found: act.state === "rejected" ? describeResult(carriedOut?.result) : undefined,
    journalNo: carriedOut?.journalId === undefined ? undefined : toReferenceNo(carriedOut.journalId),
  };
}

/** A rejection of the ledger has a message; else there is what was found in place of what the act was approved for. */
function describeResult({ message, found }: Readonly<Record<string, unknown>> = {}): string {
  return typeof message === "string"
    ? message
    : `found: ${typeof found === "string" ? found : "something else than was approved"}`;
}
