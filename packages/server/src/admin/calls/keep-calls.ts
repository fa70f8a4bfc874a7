/** Keeps calls beside the records that they touched, behind their answers (docs/guides/finding.md, ADR 0072). */
import type { CaseName } from "@titian/contract";
import { idAt, newId } from "../../basics/ids.ts";
import type { Clock } from "../../basics/clock.ts";
import type { Secrets } from "../../basics/secrets.ts";
import type { Job } from "../../jobs/job.ts";
import type { StatementPool } from "../../store/postgres/connect.ts";
import { addKeptCalls, type KeptCall } from "../../store/tables/search/kept-calls.ts";
import { ensureSearchKeys, monthOf } from "../search/search-keys.ts";
import type { CallBuffer, WaitingCall } from "./call-buffer.ts";
import { createBodySeal } from "../search/kept-body.ts";
import { findNamedRecords, type NamedRecord, type OwnCall } from "./named-record.ts";

export interface KeepDeps {
  readonly pool: StatementPool;
  readonly clock: Pick<Clock, "real">;
  readonly secrets: Secrets;
  readonly buffer: Pick<CallBuffer, "take">;
  readonly reference: { byPartnerId(partnerId: string): { readonly key: string } | undefined };
  /** A body without the secrets in it. */
  readonly hide: (body: string) => string;
  /** Age from which records get no calls any more (ms). */
  readonly keepMs: number;
  /** Calls a run: a bound of what keeping takes from answering. */
  readonly perSecond: number;
  /** Told of calls that were taken and are not kept. */
  readonly onLost: (calls: number) => void;
}

const everyMs = 1_000;
const atOnce = 500;
/** Rejected calls of a partner that name no record, kept in a run: each is a row for nobody but who has its correlation id. */
const namelessMax = 25;
const bodyCharactersMax = 4_096;
/** The same call as one before it: its body is that one's. */
const copies: ReadonlySet<CaseName | undefined> = new Set(["conflict", "duplicatePartnerReferenceNo"]);

export function createKeepCalls(deps: KeepDeps): Job {
  const run: Job["run"] = async (mayGoOn) => {
    let taken = 0;
    while (taken < deps.perSecond && (await mayGoOn())) {
      const calls = deps.buffer.take(Math.min(atOnce, deps.perSecond - taken));
      if (calls.length === 0) break;
      taken += calls.length;
      try {
        await keep(deps, calls);
      } catch (error) {
        // Not taken up again: one that cannot be written would keep out all behind it.
        deps.onLost(calls.length);
        throw error;
      }
    }
    return taken;
  };
  return { name: "keep-calls", everyMs, actsOnTime: false, run };
}

interface Named extends OwnCall, NamedRecord {}

async function keep(deps: KeepDeps, waiting: readonly WaitingCall[]): Promise<void> {
  const calls = waiting.flatMap((call): readonly OwnCall[] => {
    const partner = deps.reference.byPartnerId(call.partnerId)?.key;
    return partner === undefined ? [] : [{ call, partner }];
  });
  const names = await findNamedRecords(deps.pool, calls);
  const oldest = idAt(deps.clock.real() - deps.keepMs);
  const named = calls
    .map((call, at): Named => ({ ...call, record: names[at]?.record, number: names[at]?.number }))
    .filter(({ record }) => record === undefined || record >= oldest);
  const isInquiry = ({ call }: Named) => call.operation.kind === "read" && call.rejection === undefined;
  const rows = [
    ...inquiriesOf(named.filter(isInquiry)),
    ...(await rowsOf(
      deps,
      withoutSurplus(
        named.filter((call) => !isInquiry(call)),
        deps.onLost,
      ),
    )),
  ];
  await addKeptCalls(deps.pool, rows);
}

/** One row a record. An inquiry that was answered without a record of ours, about a rejected request, is not kept. */
function inquiriesOf(inquiries: readonly Named[]): readonly KeptCall[] {
  const rows = new Map<string, KeptCall>();
  for (const { call, record } of inquiries) {
    if (record === undefined) continue;
    const before = rows.get(record);
    const isLater = before === undefined || before.at <= call.at;
    const last = isLater ? factsOf(call) : before;
    rows.set(record, { ...nothing, ...last, record, inquiries: (before?.inquiries ?? 0) + 1 });
  }
  return [...rows.values()];
}

const nothing = { inquiries: undefined, partner: undefined, number: undefined, address: undefined, body: undefined };

const factsOf = ({ correlationId, at, responseCode }: WaitingCall) => ({ correlationId, at, responseCode });

/** Without accepted calls of no record, and without rejected ones of none that are too many. */
function withoutSurplus(calls: readonly Named[], onLost: KeepDeps["onLost"]): readonly Named[] {
  const nameless = new Map<string, number>();
  return calls.filter(({ call: { rejection }, partner, record }) => {
    if (record !== undefined) return true;
    if (rejection === undefined) return false;
    const count = (nameless.get(partner) ?? 0) + 1;
    nameless.set(partner, count);
    if (count > namelessMax) onLost(1);
    return count <= namelessMax;
  });
}

async function rowsOf(deps: KeepDeps, calls: readonly Named[]): Promise<readonly KeptCall[]> {
  const rows = calls.map(({ call, partner, record, number }) => ({
    body: copies.has(call.rejection) || (record ?? number) === undefined ? undefined : call.body,
    row: {
      ...nothing,
      ...factsOf(call),
      record: record ?? newId(),
      address: call.address,
      ...(record === undefined && { partner, number }),
    },
  }));
  const months = new Set(rows.flatMap(({ row, body }) => (body === undefined ? [] : [monthOf(row.record)])));
  if (months.size === 0) return rows.map(({ row }) => row);
  const keys = await ensureSearchKeys(deps, months);
  const seals = new Map([...keys].map(([month, key]) => [month, createBodySeal(key)]));
  return rows.map(({ row, body }): KeptCall => {
    if (body === undefined) return row;
    const text = deps.hide(body.toString("utf8")).slice(0, bodyCharactersMax);
    // Nothing is kept that the key of a month would have to seal which was ended.
    return { ...row, body: seals.get(monthOf(row.record))?.seal(text, row.correlationId) };
  });
}
