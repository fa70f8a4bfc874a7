/**
 * Bodies that work at once: the contract's examples with accounts, merchants and times of this sandbox, new numbers, and
 * the partner's newest payment or transfer where an operation is about one.
 */
import {
  formatTimestamp,
  object,
  type OperationName,
  type OperationRow,
  operations,
  optional,
  record,
  type Static,
  string,
} from "@titian/contract";
import { valueOf, writeAmount } from "@titian/control";
import {
  createAuthCode,
  type AuthCodeDeps,
  findTimeline,
  type Found,
  type HoldSummary,
  listNewestHolds,
  listNewestTransfers,
  type QueryDeps,
} from "@titian/server/admin";
import { seededBeneficiaries, type SeededPartner } from "../seed-data.ts";
import { withNewNumbers } from "./new-number.ts";

export interface SampleDeps extends AuthCodeDeps {
  readonly queries: QueryDeps;
  /** The same for the further cells that work; absent: there is home alone. */
  readonly queriesOfFurther?: () => readonly QueryDeps[];
}

export const sample = object({
  partnerId: string(),
  operation: string(),
  body: record({}),
  needs: optional(object({ operation: string() }, { description: "what has to be done first" })),
});
export type SampleAnswer = Static<typeof sample>;

type Body = Readonly<Record<string, unknown>>;

const dayMs = 86_400_000;
/** Number of the partner's newest that are looked at. */
const lookBack = 200;

export async function sampleOf(
  deps: SampleDeps,
  row: OperationRow,
  partner: SeededPartner,
): Promise<Found<SampleAnswer>> {
  const { name: operation, example, about } = row;
  const { partnerId } = partner;
  const fields = await fieldsOf(deps, row, partner);
  const body = withoutUndefined({ ...withNewNumbers(example.request), ...fields });
  const needs = fields === undefined ? { operation: about.startsFrom ?? "" } : undefined;
  return { partnerId, operation, body, needs };
}

function withoutUndefined(body: Body): Body {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

/** The fields in which a sample differs from the example; undefined ones are left out. Undefined: nothing suits. */
async function fieldsOf(deps: SampleDeps, row: OperationRow, partner: SeededPartner): Promise<Body | undefined> {
  const { noun, startsFrom } = row.about;
  if (startsFrom === undefined)
    return "authCode" in row.request ? authorize(deps, partner) : fill(deps.queries.clock.now(), row, partner);
  return noun === "hold" ? aboutHold(deps, row, startsFrom, partner) : aboutTransfer(deps, partner);
}

/** Settles on every rail. */
const elsewhere = { beneficiaryAccountNo: "8800000001", beneficiaryAccountName: "Ratna Kusuma" };

/** Fills in values of the seed, and times. The free-form members of an example are not. */
export function fill(now: number, { request }: OperationRow, partner: SeededPartner): Body {
  const [source] = partner.sourceAccounts;
  const isElsewhere = "beneficiaryBankCode" in request || "bankCode" in request;
  const values: Body = {
    sourceAccountNo: source?.accountNo,
    sourceAccountName: source?.name,
    merchantId: partner.merchants[0]?.merchantId,
    transactionDate: formatTimestamp(now),
    expiredDatetime: formatTimestamp(now + dayMs),
    additionalInfo: undefined,
    ...(isElsewhere ? elsewhere : { beneficiaryAccountNo: seededBeneficiaries[0]?.accountNo }),
  };
  return Object.fromEntries(Object.entries(values).filter(([name]) => name in request));
}

async function authorize(deps: SampleDeps, { partnerId, sourceAccounts }: SeededPartner): Promise<Body> {
  const accountNo = sourceAccounts[0]?.accountNo ?? "";
  const { authCode } = valueOf(await createAuthCode(deps, { partnerId, accountNo }));
  return { authCode };
}

/** Sums of a hold that a change adds to, by the field of its amount. */
const sums: Readonly<Record<string, "captured" | "voided" | "refunded">> = {
  captureAmount: "captured",
  voidAmount: "voided",
  refundAmount: "refunded",
};

/** By the partner's newest hold that the operation may be about, or by its newest change that it asks for. */
async function aboutHold(
  deps: SampleDeps,
  { kind, about, example }: OperationRow,
  startsFrom: OperationName,
  { partnerId }: SeededPartner,
): Promise<Body | undefined> {
  const original: OperationRow = operations[startsFrom];
  const sum = sums[original.about.amount ?? ""];
  const suits = (one: HoldSummary & { readonly partnerId: string }) =>
    one.partnerId === partnerId && amountFor(one, kind, sum) > 0n;
  const found = await inCells(deps, async (queries) => {
    const { holds } = await listNewestHolds(queries, { limit: lookBack });
    const hold = holds.find(suits);
    return hold && { queries, hold, at: hold.placedAt };
  });
  if (found === undefined) return undefined;
  const { hold, queries } = found;
  const { merchantId } = hold;
  const references: Body = {
    originalReferenceNo: hold.referenceNo,
    originalPartnerReferenceNo: hold.partnerReferenceNo,
  };
  const { within = "", partnerNumber = "" } = original.about;
  if (kind === "read" && sum !== undefined) {
    const timeline = await findTimeline(queries, hold.referenceNo);
    const number = timeline?.events.findLast((event) => event.kind === sum)?.partnerReferenceNo;
    return number === undefined ? undefined : { merchantId, [within]: references[within], [partnerNumber]: number };
  }
  const { amount = "" } = about;
  const part = amount in example.request ? { [amount]: partOf(hold, amountFor(hold, kind, sum)) } : undefined;
  return { ...references, merchantId, ...part };
}

/** Amount that was changed so, or that may still be changed. */
function amountFor(hold: HoldSummary, kind: OperationRow["kind"], sum: (typeof sums)[string] | undefined): bigint {
  if (kind === "read") return sum === undefined ? hold.held : hold[sum];
  if (sum === undefined) return hold.remaining;
  return hold.expired === 0n ? hold.captured - hold.refunded : 0n;
}

/** A fifth of what there is, so that it can be done again; all of a small amount. */
function partOf({ currency }: HoldSummary, amount: bigint) {
  const part = amount / 5n;
  return { value: writeAmount(part < 100n ? amount : part - (part % 100n), currency), currency };
}

async function aboutTransfer(deps: SampleDeps, { partnerId }: SeededPartner): Promise<Body | undefined> {
  const found = await inCells(deps, async (queries) => {
    const { transfers } = await listNewestTransfers(queries, { limit: lookBack });
    const transfer = transfers.find((one) => one.partnerId === partnerId);
    return transfer && { ...transfer, at: transfer.acceptedAt };
  });
  return found && { serviceCode: found.serviceCode, originalPartnerReferenceNo: found.partnerReferenceNo };
}

/** The newest that a cell has; undefined: none has one. */
async function inCells<Value extends { readonly at: number }>(
  { queries, queriesOfFurther }: SampleDeps,
  look: (queries: QueryDeps) => Promise<Value | undefined>,
): Promise<Value | undefined> {
  const found = await Promise.all([queries, ...(queriesOfFurther?.() ?? [])].map(look));
  return found.filter((one) => one !== undefined).toSorted((one, other) => other.at - one.at)[0];
}
