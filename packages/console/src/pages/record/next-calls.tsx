/** Calls that a partner may make about it now, each filled in. */
import type { Timeline, TimelineEvent } from "@titian/control/types";
import { moneyText } from "../../design/money.tsx";
import { Panel } from "../../design/page.tsx";
import { tryHref } from "../../routing/router.ts";
import { record } from "../../texts/record.ts";

interface NextCall {
  readonly operation: string;
  readonly label: keyof ReturnType<typeof record>["nextCalls"];
  /** Members of its body. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly amount?: string;
}

export function NextCalls({ timeline }: { readonly timeline: Timeline }) {
  const texts = record();
  const { partnerId, currency } = timeline;
  return (
    <Panel title={texts.next} lead={texts.nextLead}>
      <div class="row">
        {nextCallsOf(timeline).map(({ operation, label, body, amount }) => (
          <a key={operation} class="button" href={tryHref(operation, partnerId, body)}>
            {texts.nextCalls[label]}
            {amount !== undefined && ` ${moneyText(amount, currency)}`}
          </a>
        ))}
      </div>
    </Panel>
  );
}

function nextCallsOf(timeline: Timeline): readonly NextCall[] {
  const { kind, referenceNo, partnerReferenceNo, serviceCode, hold } = timeline;
  if (kind === "payment" && hold) return callsOfHold(timeline, hold);
  const body = { serviceCode, originalReferenceNo: referenceNo, originalPartnerReferenceNo: partnerReferenceNo };
  return [{ operation: "statusInquiryBank", label: "status", body }];
}

const isZero = (amount: string): boolean => !/[1-9]/.test(amount);

type Hold = NonNullable<Timeline["hold"]>;

function callsOfHold(timeline: Timeline, hold: Hold): readonly NextCall[] {
  const { referenceNo, partnerReferenceNo, merchantId, currency, events } = timeline;
  const original = { originalReferenceNo: referenceNo, originalPartnerReferenceNo: partnerReferenceNo, merchantId };
  const calls: NextCall[] = [];
  const add = (operation: string, label: NextCall["label"], body: NextCall["body"], amount?: string): void =>
    void calls.push({ operation, label, body: { ...original, ...body }, ...(amount !== undefined && { amount }) });
  const { remaining } = hold;
  if (!isZero(remaining)) {
    const money = { value: remaining, currency };
    add("authCapture", "capture", { captureAmount: money }, remaining);
    // One of the two says how much.
    add("authVoid", "void", { voidAmount: money, voidRemainingAmount: null }, remaining);
  }
  const refund = refundOf(events, hold);
  if (refund) {
    const { amount, captureNo } = refund;
    add("authRefund", "refund", { refundAmount: { value: amount, currency }, originalCaptureNo: captureNo }, amount);
  }
  add("authPaymentQuery", "state", {});
  const numberOf = (kind: TimelineEvent["kind"]) => events.findLast((event) => event.kind === kind)?.partnerReferenceNo;
  const [captureNo, voidNo] = [numberOf("captured"), numberOf("voided")];
  if (captureNo !== undefined) add("authCaptureQuery", "lastCapture", { partnerCaptureNo: captureNo });
  if (voidNo !== undefined) add("authVoidQuery", "lastVoid", { partnerVoidNo: voidNo });
  return calls;
}

interface Refund {
  readonly amount: string;
  readonly captureNo?: string | undefined;
}

/** All that can still be refunded; after an expiry that of the last capture, which the call has to name. */
function refundOf(events: readonly TimelineEvent[], { captured, refunded, expired }: Hold): Refund | undefined {
  const all = minus(captured, refunded);
  if (isZero(all)) return undefined;
  if (isZero(expired)) return { amount: all };
  const captures = events.flatMap(({ kind, amount, referenceNo }) =>
    kind === "captured" && amount !== undefined ? [{ amount, captureNo: referenceNo }] : [],
  );
  const left = captures.map(({ amount, captureNo }) => {
    const refunds = events.filter((event) => event.kind === "refunded" && event.captureNo === captureNo);
    const rest = refunds.reduce(
      (sum, event) => (event.amount === undefined ? sum : minus(sum, event.amount)),
      `${amount}`,
    );
    return { amount: rest, captureNo };
  });
  return left.findLast(({ amount }) => !isZero(amount));
}

/** Both have the decimals of their currency. */
function minus(one: string, other: string): string {
  const [, decimals = ""] = one.split(".");
  const digits = BigInt(one.replace(".", "")) - BigInt(other.replace(".", ""));
  const text = String(digits).padStart(decimals.length + 1, "0");
  return decimals === "" ? text : `${text.slice(0, -decimals.length)}.${text.slice(-decimals.length)}`;
}
