/** Builds requests from random parts, about the holds that a run has by then. */
import { randomUUID } from "node:crypto";
import { writeFields, type WriteName } from "../write-fields.ts";
import type { HoldModel } from "./hold-model.ts";
import { captured, type ModelCall, type ModelHold, moneyOf, refunded, unreleased } from "./hold-state.ts";
import type { RunFixture } from "./model-fixture.ts";
import { type Fields, present } from "./model-reply.ts";
import type { AnyCall, Mismatch, OneCall, OneQuery } from "./random-steps.ts";
import { type Recorded, writeOf } from "./writes.ts";

export interface RunSoFar {
  readonly fixture: RunFixture;
  readonly model: HoldModel;
  /** Business time of the next calls. */
  readonly now: number;
  /** All calls of the run so far, copies among them. */
  readonly history: readonly ModelCall[];
}

const named = (prefix: string, index: number | undefined) => (index === undefined ? undefined : `${prefix}-${index}`);

export function buildCall({ call, repeat, isOfOther }: OneCall, partner: string, run: RunSoFar): ModelCall {
  const { fixture, history } = run;
  const fresh = freshCall(call, partner, run);
  const other = fixture.partners.find((one) => one !== partner) ?? partner;
  const mine = history.filter((one) => one.partner === (isOfOther && repeat?.change === "signature" ? other : partner));
  const before = repeat && mine.at(-1 - (repeat.of % Math.max(1, mine.length)));
  if (!before) return fresh;
  const { externalId, signature, sentAt } = fresh;
  const { number, amount } = writeOf(before).fields;
  const signedAgain = { ...before, signature, sentAt };
  const withNewId = { ...signedAgain, externalId };
  const changed = (fields: Fields) => ({ request: present({ ...before.request, ...fields }) });
  switch (repeat.change) {
    case "nothing":
      return before;
    case "signature":
      return { ...signedAgain, partner };
    case "signature of before":
      return { ...signedAgain, sentAt: before.sentAt - 1 };
    case "title":
      return { ...signedAgain, ...changed({ title: "Another title", reason: "Another reason" }) };
    case "number":
      return { ...signedAgain, ...changed({ [number]: randomUUID() }) };
    case "id":
      return { ...withNewId, ...changed({ title: "Sent again", reason: "Sent again" }) };
    case "id and amount":
      return { ...withNewId, ...changed({ [amount]: amountIn(call) }) };
    case "id and flag":
      return { ...withNewId, ...changed(otherFlag(before)) };
    case "id and payer":
      return { ...withNewId, ...changed(otherPayer(before, fixture)) };
    case "id and customer":
      return { ...withNewId, customerAccountNo: otherThan(before.customerAccountNo, fixture) };
    case "id and name":
      return { ...fresh, request: { ...fresh.request, [writeOf(fresh).fields.number]: before.request[number] } };
  }
}

/** Its one flag, inverted. */
function otherFlag({ name, request }: ModelCall): Fields {
  const flag = { authCapture: "lastCapture", authVoid: "voidRemainingAmount" }[name];
  return flag === undefined ? {} : { [flag]: request[flag] === "true" ? "false" : "true" };
}

function otherPayer({ name, request }: ModelCall, fixture: RunFixture): Fields {
  if (name !== "authPayment") return {};
  const info = (request["additionalInfo"] ?? {}) as { readonly sourceAccountNo?: string };
  return { additionalInfo: { ...info, sourceAccountNo: otherThan(info.sourceAccountNo, fixture) } };
}

const otherThan = (accountNo: string | undefined, { accountNos }: RunFixture) =>
  accountNos.find((one) => one !== accountNo);

function freshCall(call: AnyCall, partner: string, run: RunSoFar): ModelCall {
  const { fixture, model, history } = run;
  const { id, number, customer } = call;
  const holds = model.state.holds.filter((hold) => hold.partner === partner);
  const hold = call.mismatch === "hold" ? model.state.holds.at(-1) : pickHold(call, holds);
  // Without a hold most calls become payments.
  const name = holds.length === 0 && call.mismatch === undefined ? "authPayment" : call.name;
  const no = named("number", number) ?? randomUUID();
  const request =
    name === "authPayment" ? paymentRequest(call, no, partner, run) : changeRequest(call, no, hold, model);
  return {
    name,
    partner,
    externalId: named("id", id) ?? randomUUID(),
    signature: randomUUID(),
    // Two apart, so that another can lie between them.
    sentAt: 2 * history.length,
    request: present(request),
    customerAccountNo: customerOf(customer, fixture),
  };
}

/** Mostly a hold on which such a call can succeed. */
function pickHold({ name, isAnyHold, hold }: AnyCall, holds: readonly ModelHold[]): ModelHold | undefined {
  const fitting = holds.filter((one) => (name === "authRefund" ? captured(one) > refunded(one) : unreleased(one) > 0n));
  const among = isAnyHold === true || fitting.length === 0 ? holds : fitting;
  return among.at(-1 - (hold % Math.max(1, among.length)));
}

const customerOf = (index: number | undefined, { accountNos }: RunFixture) =>
  index === undefined ? undefined : accountNos[index];

function paymentRequest(call: AnyCall, no: string, partner: string, { fixture, now }: RunSoFar): Fields {
  const { payer, merchant, subMerchant, store, validMs } = call;
  // The second partner's own payers are the second and third.
  const payers = partner === fixture.partners[0] ? fixture.accountNos : fixture.accountNos.slice(1);
  const info = present({
    sourceAccountNo: payer === undefined ? undefined : (payers[payer] ?? "nobody"),
    validUpTo: validMs === undefined ? undefined : new Date(now + validMs).toISOString(),
    externalStoreId: named("store", store),
  });
  return {
    partnerReferenceNo: no,
    merchantId: fixture.merchantIds[merchant] ?? "NOBODY",
    title: "Stay",
    subMerchantId: named("sub", subMerchant),
    amount: call.amount === undefined ? undefined : amountIn({ ...call, amount: 3 * call.amount }),
    additionalInfo: Object.keys(info).length === 0 ? undefined : info,
  };
}

function changeRequest(call: AnyCall, no: string, hold: ModelHold | undefined, model: HoldModel): Fields {
  const amount = call.amount === undefined ? undefined : amountIn(call);
  const original = originalOf(hold, call.mismatch);
  const more = call.namesMore ? original : {};
  const { originalReferenceNo, originalPartnerReferenceNo, merchantId } = original;
  const required = { originalReferenceNo, originalPartnerReferenceNo, merchantId };
  switch (call.name) {
    case "authCapture":
      return {
        ...more,
        ...required,
        partnerCaptureNo: no,
        title: "Bill",
        captureAmount: amount,
        lastCapture: call.flag,
      };
    case "authVoid":
      return { ...more, ...required, partnerVoidNo: no, voidAmount: amount, voidRemainingAmount: call.flag };
    default: {
      const { captureOf, mismatch } = call;
      const captures = (mismatch === "hold" ? model.state.holds[0] : hold)?.captures ?? [];
      const originalCaptureNo =
        captureOf === undefined ? undefined : (captures[captureOf % (captures.length + 1)]?.no ?? "no capture");
      const store = call.namesMore ? { externalStoreId: storeOf(hold, mismatch) } : {};
      return {
        ...more,
        ...store,
        originalPartnerReferenceNo,
        partnerRefundNo: no,
        refundAmount: amount,
        originalCaptureNo,
      };
    }
  }
}

/** References to a hold, with the mismatch. */
function originalOf(hold: ModelHold | undefined, mismatch: Mismatch | undefined): Fields {
  return {
    originalReferenceNo: hold?.no ?? "01JD7K3M9QZ8V2X4B6N8P0R2T4",
    originalPartnerReferenceNo: mismatch === "number" ? "another number" : (hold?.number ?? "no number"),
    merchantId: mismatch === "merchant" ? "NOBODY" : (hold?.merchantId ?? "SHOP"),
    subMerchantId: mismatch === "sub-merchant" ? "sub-9" : hold?.subMerchantId,
  };
}

const storeOf = (hold: ModelHold | undefined, mismatch: Mismatch | undefined) =>
  mismatch === "store" ? "store-9" : hold?.externalStoreId;

function amountIn({ amount = 1, currency, isShort }: AnyCall) {
  const money = moneyOf(BigInt(amount), currency);
  return isShort ? { ...money, value: money.value.replace(/0$/, "") } : money;
}

export function buildQuery(query: OneQuery, { fixture, model }: Pick<RunSoFar, "fixture" | "model">): ModelCall {
  const partner = fixture.partners[query.partner] ?? "";
  const { name, customer } = query;
  const request =
    name === "authPaymentQuery" ? paymentQuery(query, partner, model) : changeQuery(query, partner, model);
  return {
    name,
    partner,
    externalId: randomUUID(),
    signature: randomUUID(),
    sentAt: 0,
    request: present(request),
    customerAccountNo: customerOf(customer, fixture),
  };
}

function paymentQuery(query: OneQuery, partner: string, model: HoldModel): Fields {
  const { by, mismatch, namesMerchant } = query;
  const own = model.state.holds.filter((hold) => hold.partner === partner);
  const hold = (mismatch === "hold" ? model.state.holds : own).at(-1 - query.hold);
  const { originalReferenceNo, originalPartnerReferenceNo, merchantId, subMerchantId } = originalOf(hold, mismatch);
  const merchant = namesMerchant ? { merchantId, subMerchantId } : {};
  switch (by) {
    case "reference":
      return { ...merchant, originalReferenceNo };
    case "number":
      return { ...merchant, originalPartnerReferenceNo };
    case "both":
      return { ...merchant, originalReferenceNo, originalPartnerReferenceNo };
    case "merchant":
      return { merchantId };
    case "sub-merchant":
      return { ...merchant, subMerchantId };
    case "store":
      return { ...merchant, externalStoreId: storeOf(hold, mismatch) };
    case "rejected": {
      const rejected = recordsOf(model.records.rejected, partner, "authPayment").at(-1 - query.of);
      const request = rejected?.call.request ?? {};
      const also = namesMerchant ? { merchantId: mismatch === "merchant" ? "NOBODY" : request["merchantId"] } : {};
      return { ...also, originalPartnerReferenceNo: request["partnerReferenceNo"] ?? "never sent" };
    }
    case "nothing":
      return {};
  }
}

function changeQuery(query: OneQuery, partner: string, model: HoldModel): Fields {
  const name = query.name === "authCaptureQuery" ? "authCapture" : "authVoid";
  const { number, no } = writeFields[name];
  const { accepted, rejected } = model.records;
  const found = recordsOf([...accepted, ...rejected], partner, name)
    .toSorted((a, b) => a.position - b.position)
    .at(-1 - query.of);
  const request = found?.call.request ?? {};
  const own = model.state.holds.find((hold) => hold.no === request["originalReferenceNo"]);
  const { originalReferenceNo, originalPartnerReferenceNo, merchantId } = originalOf(own, query.mismatch);
  const ours = query.mismatch === "hold" ? model.state.holds[0]?.no : found?.no;
  return {
    originalReferenceNo,
    merchantId,
    originalPartnerReferenceNo: query.by === "both" ? originalPartnerReferenceNo : undefined,
    [number]: request[number] ?? "never sent",
    [no]: query.namesOurs ? ours : undefined,
  };
}

const recordsOf = (records: readonly Recorded[], partner: string, name: WriteName) =>
  records.filter(({ call }) => call.partner === partner && call.name === name);
