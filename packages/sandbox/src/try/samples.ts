/**
 * Bodies that work at once: the contract's examples with accounts, merchants and times of this sandbox, new numbers, and
 * the partner's newest payment or transfer where an operation is about one.
 */
import { formatTimestamp, type OperationName, type OperationRow } from "@titian/contract";
import {
  createAuthCode,
  type AuthCodeDeps,
  findTimeline,
  listNewestHolds,
  listNewestTransfers,
  type NewestHold,
  type QueryDeps,
} from "@titian/server/admin";
import { controlErrorOf, writeAmount, type SampleAnswer } from "@titian/control";
import { seededBeneficiaries, type SeededPartner } from "../seed-data.ts";
import { newNumber } from "./new-number.ts";

export interface SampleDeps extends AuthCodeDeps {
  readonly queries: QueryDeps;
}

type Body = Readonly<Record<string, unknown>>;
/** The fields in which a sample differs from the example; undefined ones are left out. Undefined: nothing suits. */
type Make = (deps: SampleDeps, partner: SeededPartner) => Promise<Body | undefined>;

const dayMs = 86_400_000;
/** How far back the partner's newest are looked for. */
const lookBack = 200;

export async function sampleOf(deps: SampleDeps, row: OperationRow, partner: SeededPartner): Promise<SampleAnswer> {
  const { name: operation, example } = row;
  const { partnerId } = partner;
  const fields = await makers[operation]?.(deps, partner);
  const body = withoutUndefined({ ...withNewNumbers(example.request), ...fields });
  const needs = fields === undefined && operation in needed ? { operation: needed[operation] ?? "" } : undefined;
  return { partnerId, operation, body, needs };
}

const numbers: ReadonlySet<string> = new Set([
  "partnerReferenceNo",
  "partnerBulkId",
  "partnerCaptureNo",
  "partnerVoidNo",
  "partnerRefundNo",
]);

function withNewNumbers(example: Body): Body {
  const isNumber = (name: string) => numbers.has(name);
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => [
      name,
      isNumber(name) ? newNumber() : Array.isArray(value) ? value.map((entry: Body) => withNewNumbers(entry)) : value,
    ]),
  );
}

function withoutUndefined(body: Body): Body {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

const sourceOf = ({ sourceAccounts }: SeededPartner) => sourceAccounts[0]?.accountNo;
const merchantOf = ({ merchants }: SeededPartner) => merchants[0]?.merchantId;
const ours = seededBeneficiaries[0]?.accountNo;
/** Settles on every rail. */
const elsewhere = { beneficiaryAccountNo: "8800000001", beneficiaryAccountName: "Ratna Kusuma" };

const transfer: Make = async ({ queries }, partner) => ({
  sourceAccountNo: sourceOf(partner),
  transactionDate: formatTimestamp(queries.clock.now()),
});
const railTransfer: Make = async (deps, partner) => ({ ...(await transfer(deps, partner)), ...elsewhere });

const makers: Readonly<Partial<Record<OperationName, Make>>> = {
  authPayment: async (_deps, partner) => ({ merchantId: merchantOf(partner), additionalInfo: undefined }),
  authPaymentQuery: (deps, partner) => aboutHold(deps, partner, () => true),
  authCapture: async (deps, partner) => {
    const found = await findNewest(deps, partner, ({ remaining }) => remaining > 0n);
    return found && { ...referencesTo(found), captureAmount: partOf(found, found.remaining) };
  },
  authCaptureQuery: (deps, partner) => aboutChange(deps, partner, "captured"),
  authVoid: (deps, partner) => aboutHold(deps, partner, ({ remaining }) => remaining > 0n),
  authVoidQuery: (deps, partner) => aboutChange(deps, partner, "voided"),
  authRefund: async (deps, partner) => {
    const found = await findNewest(
      deps,
      partner,
      ({ captured, refunded, expired }) => expired === 0n && captured > refunded,
    );
    return found && { ...referencesTo(found), refundAmount: partOf(found, found.captured - found.refunded) };
  },
  intrabankTransfer: async (deps, partner) => ({ ...(await transfer(deps, partner)), beneficiaryAccountNo: ours }),
  interbankTransfer: railTransfer,
  rtgsTransfer: railTransfer,
  sknTransfer: railTransfer,
  requestForPayment: async ({ queries }, partner) => ({
    sourceAccountNo: sourceOf(partner),
    sourceAccountName: partner.sourceAccounts[0]?.name,
    expiredDatetime: formatTimestamp(queries.clock.now() + dayMs),
    ...elsewhere,
  }),
  interbankBulkTransfer: transfer,
  statusInquiryBank: aboutTransfer,
  statusInquiryNonBank: aboutTransfer,
  internalAccountInquiry: async () => ({ beneficiaryAccountNo: ours }),
  externalAccountInquiry: async () => ({ beneficiaryAccountNo: elsewhere.beneficiaryAccountNo }),
  accessTokenB2b2c: async (deps, partner) => {
    const accountNo = sourceOf(partner) ?? "";
    const result = await createAuthCode(deps, { partnerId: partner.partnerId, accountNo });
    if (!result.ok) throw controlErrorOf(result.rejection);
    return { authCode: result.value.authCode };
  },
};

/** What there must be first. */
const needed: Readonly<Partial<Record<OperationName, OperationName>>> = {
  authPaymentQuery: "authPayment",
  authCapture: "authPayment",
  authCaptureQuery: "authCapture",
  authVoid: "authPayment",
  authVoidQuery: "authVoid",
  authRefund: "authCapture",
  statusInquiryBank: "intrabankTransfer",
  statusInquiryNonBank: "intrabankTransfer",
};

async function findNewest(
  { queries }: SampleDeps,
  { partnerId }: SeededPartner,
  suits: (hold: NewestHold) => boolean,
): Promise<NewestHold | undefined> {
  const { holds } = await listNewestHolds(queries, { limit: lookBack });
  return holds.find((hold) => hold.partnerId === partnerId && suits(hold));
}

function referencesTo({ referenceNo, partnerReferenceNo, merchantId }: NewestHold): Body {
  return { originalReferenceNo: referenceNo, originalPartnerReferenceNo: partnerReferenceNo, merchantId };
}

/** A fifth of what there is, so that it can be done again; all of a small amount. */
function partOf({ currency }: NewestHold, amount: bigint) {
  const part = amount / 5n;
  return { value: writeAmount(part < 100n ? amount : part - (part % 100n), currency), currency };
}

async function aboutHold(deps: SampleDeps, partner: SeededPartner, suits: (hold: NewestHold) => boolean) {
  const found = await findNewest(deps, partner, suits);
  return found && referencesTo(found);
}

/** By the partner's own number of its newest capture or void. */
async function aboutChange(
  deps: SampleDeps,
  partner: SeededPartner,
  kind: "captured" | "voided",
): Promise<Body | undefined> {
  const found = await findNewest(deps, partner, (hold) => hold[kind] > 0n);
  const timeline = found && (await findTimeline(deps.queries, found.referenceNo));
  const number = timeline?.events.findLast((event) => event.kind === kind)?.partnerReferenceNo;
  if (found === undefined || number === undefined) return undefined;
  const { referenceNo: originalReferenceNo, merchantId } = found;
  return { originalReferenceNo, merchantId, [kind === "captured" ? "partnerCaptureNo" : "partnerVoidNo"]: number };
}

async function aboutTransfer({ queries }: SampleDeps, { partnerId }: SeededPartner): Promise<Body | undefined> {
  const { transfers } = await listNewestTransfers(queries, { limit: lookBack });
  const found = transfers.find((one) => one.partnerId === partnerId);
  return found && { serviceCode: String(found.service), originalPartnerReferenceNo: found.partnerReferenceNo };
}
