/** Random parts made into requests about the holds that a run has by then. */
import { randomUUID } from "node:crypto";
import type { HoldModel, Kept } from "./naive-model.ts";
import { writeOf } from "./naive-model.ts";
import type { ModelCall, ModelHold } from "./naive-world.ts";
import { captured, moneyOf, refunded, unspent } from "./naive-world.ts";
import type { AnyCall, OneCall, OneQuery, Wrong } from "./random-steps.ts";
import type { RunScene } from "./model-fixture.ts";

export interface Building {
  readonly scene: RunScene;
  readonly model: HoldModel;
  /** Business time at which it will be sent. */
  readonly now: number;
  /** All calls of the run so far, copies among them. */
  readonly history: readonly ModelCall[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Without what is undefined, as a request comes from the edge. */
function present(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

const named = (prefix: string, index: number | undefined) => (index === undefined ? undefined : `${prefix}-${index}`);

export function buildCall({ call, again, isOfOther }: OneCall, partner: string, building: Building): ModelCall {
  const { scene, history } = building;
  const fresh = freshCall(call, partner, building);
  const other = scene.partners.find((one) => one !== partner) ?? partner;
  const mine = history.filter((one) => one.partner === (isOfOther && again?.change === "signature" ? other : partner));
  const before = again && mine.at(-1 - (again.of % Math.max(1, mine.length)));
  if (!before) return fresh;
  const { externalId, signature, sentAt } = fresh;
  const { number, amountField } = writeOf(before);
  const changed = (fields: Fields): Fields => present({ ...before.request, ...fields });
  switch (again.change) {
    case "nothing":
      return before;
    case "signature":
      return { ...before, partner, signature, sentAt };
    case "signature of before":
      return { ...before, signature, sentAt: before.sentAt - 1 };
    case "title":
      return { ...before, signature, sentAt, request: changed({ title: "Another title", reason: "Another reason" }) };
    case "number":
      return { ...before, signature, sentAt, request: changed({ [number]: randomUUID() }) };
    case "id":
      return {
        ...before,
        signature,
        sentAt,
        externalId,
        request: changed({ title: "Sent again", reason: "Sent again" }),
      };
    case "id and amount":
      return { ...before, signature, sentAt, externalId, request: changed({ [amountField]: amountIn(call) }) };
    case "id and flag":
      return { ...before, signature, sentAt, externalId, request: changed(otherFlag(before)) };
    case "id and payer":
      return { ...before, signature, sentAt, externalId, request: changed(otherPayer(before, scene)) };
    case "id and customer":
      return {
        ...before,
        signature,
        sentAt,
        externalId,
        customerAccountNo: otherThan(before.customerAccountNo, scene),
      };
    case "id and name":
      return { ...fresh, request: { ...fresh.request, [writeOf(fresh).number]: before.request[number] } };
  }
}

/** With its one flag turned. */
function otherFlag({ name, request }: ModelCall): Fields {
  const flag = { authCapture: "lastCapture", authVoid: "voidRemainingAmount" }[name];
  return flag === undefined ? {} : { [flag]: request[flag] === "true" ? "false" : "true" };
}

function otherPayer({ name, request }: ModelCall, scene: RunScene): Fields {
  if (name !== "authPayment") return {};
  const info = (request["additionalInfo"] ?? {}) as { readonly sourceAccountNo?: string };
  return { additionalInfo: { ...info, sourceAccountNo: otherThan(info.sourceAccountNo, scene) } };
}

const otherThan = (accountNo: string | undefined, { accountNos }: RunScene) =>
  accountNos.find((one) => one !== accountNo);

function freshCall(call: AnyCall, partner: string, building: Building): ModelCall {
  const { scene, model, history } = building;
  const { id, number, customer } = call;
  const holds = model.world.holds.filter((hold) => hold.partner === partner);
  const hold = call.wrong === "hold" ? model.world.holds.at(-1) : pickHold(call, holds);
  // What there is nothing to do to yet becomes a payment, nearly always.
  const name = holds.length === 0 && call.wrong === undefined ? "authPayment" : call.name;
  const no = named("number", number) ?? randomUUID();
  const request =
    name === "authPayment" ? paymentRequest(call, no, partner, building) : changeRequest(call, no, hold, model);
  return {
    name,
    partner,
    externalId: named("id", id) ?? randomUUID(),
    signature: randomUUID(),
    // Two apart, so that another may have been sent in between.
    sentAt: 2 * history.length,
    request: present(request),
    customerAccountNo: customerOf(customer, scene),
  };
}

/** Mostly one that has something left for such a call. */
function pickHold({ name, isAnyHold, hold }: AnyCall, holds: readonly ModelHold[]): ModelHold | undefined {
  const fitting = holds.filter((one) => (name === "authRefund" ? captured(one) > refunded(one) : unspent(one) > 0n));
  const among = isAnyHold === true || fitting.length === 0 ? holds : fitting;
  return among.at(-1 - (hold % Math.max(1, among.length)));
}

const customerOf = (index: number | undefined, { accountNos }: RunScene) =>
  index === undefined ? undefined : accountNos[index];

function paymentRequest(call: AnyCall, no: string, partner: string, { scene, now }: Building): Fields {
  const { payer, merchant, subMerchant, store, lasts } = call;
  // The second partner's own payers are the second and third.
  const payers = partner === scene.partners[0] ? scene.accountNos : scene.accountNos.slice(1);
  const info = present({
    sourceAccountNo: payer === undefined ? undefined : (payers[payer] ?? "nobody"),
    validUpTo: lasts === undefined ? undefined : new Date(now + lasts).toISOString(),
    externalStoreId: named("store", store),
  });
  return {
    partnerReferenceNo: no,
    merchantId: scene.merchantIds[merchant] ?? "NOBODY",
    title: "Stay",
    subMerchantId: named("sub", subMerchant),
    amount: call.amount === undefined ? undefined : amountIn({ ...call, amount: 3 * call.amount }),
    additionalInfo: Object.keys(info).length === 0 ? undefined : info,
  };
}

function changeRequest(call: AnyCall, no: string, hold: ModelHold | undefined, model: HoldModel): Fields {
  const asked = call.amount === undefined ? undefined : amountIn(call);
  const original = originalOf(hold, call.wrong);
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
        captureAmount: asked,
        lastCapture: call.flag,
      };
    case "authVoid":
      return { ...more, ...required, partnerVoidNo: no, voidAmount: asked, voidRemainingAmount: call.flag };
    default: {
      const { captureOf, wrong } = call;
      const captures = (wrong === "hold" ? model.world.holds[0] : hold)?.captures ?? [];
      const originalCaptureNo =
        captureOf === undefined ? undefined : (captures[captureOf % (captures.length + 1)]?.no ?? "no capture");
      const store = call.namesMore ? { externalStoreId: storeOf(hold, wrong) } : {};
      return {
        ...more,
        ...store,
        originalPartnerReferenceNo,
        partnerRefundNo: no,
        refundAmount: asked,
        originalCaptureNo,
      };
    }
  }
}

/** Everything a call may say of its hold, with what shall be wrong about it. */
function originalOf(hold: ModelHold | undefined, wrong: Wrong | undefined): Fields {
  return {
    originalReferenceNo: hold?.no ?? "01JD7K3M9QZ8V2X4B6N8P0R2T4",
    originalPartnerReferenceNo: wrong === "number" ? "another number" : (hold?.number ?? "no number"),
    merchantId: wrong === "merchant" ? "NOBODY" : (hold?.merchantId ?? "SHOP"),
    subMerchantId: wrong === "sub-merchant" ? "sub-9" : hold?.subMerchantId,
  };
}

const storeOf = (hold: ModelHold | undefined, wrong: Wrong | undefined) =>
  wrong === "store" ? "store-9" : hold?.externalStoreId;

function amountIn({ amount = 1, currency, isShort }: AnyCall) {
  const money = moneyOf(BigInt(amount), currency);
  return isShort ? { ...money, value: money.value.replace(/0$/, "") } : money;
}

export function buildQuery(query: OneQuery, { scene, model }: Pick<Building, "scene" | "model">): ModelCall {
  const partner = scene.partners[query.partner] ?? "";
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
    customerAccountNo: customerOf(customer, scene),
  };
}

function paymentQuery(query: OneQuery, partner: string, model: HoldModel): Fields {
  const { by, wrong, namesMerchant } = query;
  const own = model.world.holds.filter((hold) => hold.partner === partner);
  const hold = (wrong === "hold" ? model.world.holds : own).at(-1 - query.hold);
  const { originalReferenceNo, originalPartnerReferenceNo, merchantId, subMerchantId } = originalOf(hold, wrong);
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
      return { ...merchant, externalStoreId: storeOf(hold, wrong) };
    case "rejected": {
      const rejected = keptOf(model.archive.rejected, partner, "authPayment").at(-1 - query.of);
      const said = rejected?.call.request ?? {};
      const also = namesMerchant ? { merchantId: wrong === "merchant" ? "NOBODY" : said["merchantId"] } : {};
      return { ...also, originalPartnerReferenceNo: said["partnerReferenceNo"] ?? "never sent" };
    }
    case "nothing":
      return {};
  }
}

function changeQuery(query: OneQuery, partner: string, model: HoldModel): Fields {
  const isCapture = query.name === "authCaptureQuery";
  const about = isCapture ? "authCapture" : "authVoid";
  const { accepted, rejected } = model.archive;
  const kept = keptOf([...accepted, ...rejected], partner, about)
    .toSorted((a, b) => a.turn - b.turn)
    .at(-1 - query.of);
  const said = kept?.call.request ?? {};
  const own = model.world.holds.find((hold) => hold.no === said["originalReferenceNo"]);
  const { originalReferenceNo, originalPartnerReferenceNo, merchantId } = originalOf(own, query.wrong);
  const ours = query.wrong === "hold" ? model.world.holds[0]?.no : kept?.no;
  return {
    originalReferenceNo,
    merchantId,
    originalPartnerReferenceNo: query.by === "both" ? originalPartnerReferenceNo : undefined,
    [isCapture ? "partnerCaptureNo" : "partnerVoidNo"]:
      said[isCapture ? "partnerCaptureNo" : "partnerVoidNo"] ?? "never sent",
    [isCapture ? "captureNo" : "voidNo"]: query.namesOurs ? ours : undefined,
  };
}

const keptOf = (kept: readonly Kept[], partner: string, name: string) =>
  kept.filter(({ call }) => call.partner === partner && call.name === name);
