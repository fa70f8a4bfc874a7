/** Short batches: a few decided commands, written in one round trip by a function of the database (0052-short-batches.sql). */
import type { Session, Statement, StatementValue, TextRow } from "../../postgres/session.ts";
import { plainArray } from "../../postgres/sql-arrays.ts";
import { bigintArray, countArray, timeArray, uuidArray } from "../../statements/binary-arrays.ts";
import { encodeArrays, readArrays, statementBehindShortBatch } from "../../statements/row-statements.ts";
import { accountUpdateColumns, type FoundAccounts, readFoundAccounts } from "../accounts.ts";
import { entryColumns } from "../entries.ts";
import { keysOfRequests, newRequestColumns } from "./accepted-requests.ts";
import { rangeOfRejections } from "./rejected-requests.ts";
import { oneRequest, valuesOfOneRequest } from "./one-request.ts";
import { keyValues } from "./request-keys.ts";
import type { BehindShortBatch, ShortBatch } from "./short-batch.ts";

/** The statements that `write` sends, to be sent behind a short batch; undefined: one of them cannot be. */
export function behindShortBatch(write: (session: Session) => void): readonly BehindShortBatch[] | undefined {
  const sent: BehindShortBatch[] = [];
  let all = true;
  const run: Session["run"] = async (written, values = []) => {
    const statement = statementBehindShortBatch(written);
    if (statement) sent.push({ statement, values });
    else all = false;
    return [];
  };
  write({ ...noSession, run });
  return all ? sent : undefined;
}

const noSession: Session = {
  run: () => Promise.resolve([]),
  commit: () => Promise.resolve(undefined),
  roundTrip: (send) => send(),
  isLost: () => false,
  close: () => Promise.resolve(),
};

/**
 * written: by the open transaction, and `xmin` is what the accounts' rows have from now on · changed: an account was not as it
 * was read, or is locked; `found`: as they are · rejected: a rejection applies to one of the calls · taken: one of the keys
 * is. Unless it says `written`, nothing was.
 */
export type ShortBatchResult =
  | { readonly kind: "written"; readonly xmin: string }
  | { readonly kind: "changed"; readonly found: FoundAccounts }
  | { readonly kind: "rejected" | "taken" };

const requestsAt = 12;
const entriesAt = requestsAt + Object.keys(newRequestColumns).length;
const updatesAt = entriesAt + Object.keys(entryColumns).length;
const { where, set } = accountUpdateColumns;

const several: Statement = {
  name: "write-short-batch",
  text: `select write_short_batch_v1($1::timestamptz, $2::uuid[], $3::xid[], $4::bigint[], $5::bigint[], $6::timestamptz[],
    $7::uuid[], $8::uuid, $9::uuid, $10::uuid[], $11::uuid[], ${[
      ...readArrays(newRequestColumns, requestsAt),
      ...readArrays(entryColumns, entriesAt),
      ...readArrays(where, updatesAt),
      ...readArrays(set, updatesAt + Object.keys(where).length),
    ].join(", ")})`,
};

/** Writes the batch in the open transaction, if nothing has changed since it was decided. It is no async function: see `Session.run`. */
export function writeShortBatch(session: Session, batch: ShortBatch): Promise<ShortBatchResult> {
  const one = valuesOfOneRequest(batch);
  const written = one ? session.run(oneRequest, one) : session.run(several, valuesOf(batch));
  const others = batch.behind.map(({ statement, values }) => session.run(statement, values));
  return Promise.all([written, ...others]).then(([[row]]) => readResult(row?.[0] as string));
}

function valuesOf({ at, read, calls, requests, entries, updates }: ShortBatch): readonly StatementValue[] {
  return [
    at,
    uuidArray(read.map(({ account }) => account.id)),
    plainArray(read.map(({ xmin }) => xmin)),
    countArray(read.map(({ account }) => account.version)),
    bigintArray(read.map(({ account }) => account.balance)),
    timeArray(calls.map((call) => call.sentAt)),
    uuidArray(calls.map((call) => call.signatureKey)),
    ...rangeOfRejections(calls),
    ...keyValues(keysOfRequests(requests)),
    ...encodeArrays(newRequestColumns, requests),
    ...encodeArrays(entryColumns, entries),
    ...encodeArrays(where, updates),
    ...encodeArrays(set, updates),
  ];
}

function readResult(text: string): ShortBatchResult {
  const [kind = ""] = text.split(" ", 1);
  const rest = text.slice(kind.length + 1);
  switch (kind) {
    case "written":
      return { kind, xmin: rest };
    case "changed":
      return { kind, found: readFoundAccounts(JSON.parse(rest) as readonly TextRow[]) };
    case "rejected":
    case "taken":
      return { kind };
    default:
      throw new Error(`A short batch was answered with "${kind}".`);
  }
}
