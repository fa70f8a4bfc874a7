/**
 * Types of the control API's requests and answers: the console's pages import no more. Amounts are decimal texts such
 * as "1500000.00"; times are ISO 8601 with +07:00, of business time; an absent value is left out. `next` is null on the
 * last page; else it is the `before` (of some `after` or `cursor`) of the next one.
 *
 * A page authenticates by the cookie of `POST /session`. Each of its calls carries `X-Titian-Console: 1`, also that for the
 * stream. 401: get a session. A call that was rejected is answered `{error: {code, message, field?}}`.
 */
import type { controlCalls } from "./control-calls.ts";
import type { deviceCalls } from "./operators/device-calls.ts";
import type { operatorCalls } from "./operators/operator-calls.ts";
import type { unmaskCalls } from "./production/unmask-calls.ts";
import type { AnswerOf, CallsByRoute } from "./rows/define-call.ts";

export type { AmountText, TimeText } from "@titian/server/admin";
export type {
  AccountDetailsView,
  AccountView,
  EntryView,
  NumberedEntryView,
  PostingView,
} from "./accounts/account-view.ts";
export type { ActView, OpenActView } from "./acts/act-view.ts";
export type { BulkDetailsView, BulkItemFilter, BulkItemView, BulkView } from "./bulks/bulk-calls.ts";
export type { CallDetails, CallView, CountView, MinuteView, SkippedView } from "./calls/call-views.ts";
export type { RefusalView, Statement } from "./calls/refusal-views.ts";
export type { ErrorBody } from "./control-error.ts";
export type { HoldDetailsView, HoldEventView, HoldView } from "./holds/hold-calls.ts";
export type { MerchantView } from "./merchants/merchant-calls.ts";
export type { Match } from "./money/search-calls.ts";
export type { Side, Timeline, TimelineAction, TimelineEvent } from "./money/timeline-calls.ts";
export type { NotificationView } from "./notifications/notification-calls.ts";
export type { ReceiverTestView } from "./notifications/receiver-test.ts";
export type { PartnerDetailsView, PartnerView } from "./partners/partner-calls.ts";
export type { PaymentRequestDetailsView, PaymentRequestView } from "./payment-requests/payment-request-calls.ts";
export type { RailMode, RailView } from "./rails/rail-calls.ts";
export type { AnswerOf, AnyCall, CallsByRoute, InputsOf } from "./rows/define-call.ts";
export type { Call, Role } from "./rows/define-call.ts";
export type { SessionRequest } from "./sessions/session-calls.ts";
export type { SwitchView } from "./switches/switch-calls.ts";
export type { TransferView } from "./transfers/transfer-calls.ts";
export type { OpenTransferView, TransferDetailsView } from "./transfers/transfer-details.ts";

export type ControlCall = (typeof controlCalls)[number];
type Rows = CallsByRoute<ControlCall>;
/** Calls of production alone, by route. */
export type CallsOfProduction = CallsByRoute<(typeof unmaskCalls)[number]>;
/** By route, such as `GET /accounts`. */
export type ControlAnswers = { readonly [Route in keyof Rows]: AnswerOf<Rows[Route]> };

/** Calls of operators about themselves and their sessions, at a mount of their own. */
export type CallsOfOperators = CallsByRoute<(typeof deviceCalls)[number] | (typeof operatorCalls)[number]>;
