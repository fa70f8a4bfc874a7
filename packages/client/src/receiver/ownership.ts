/**
 * Ownership of a genuine notification: it must be for this partner (spec D14). In mode 2 the provider signs for all
 * partners with one key, and no header but the time is signed: only the body says whose notification it is.
 */
import { isObject } from "@titian/contract";
import type { NotificationSubject } from "./notification-routes.ts";
import type { NotificationKey } from "./notification-store.ts";
import { type RequestRejection, reject } from "./rejection.ts";
import { withTimeLimit } from "./time-limit.ts";

/** Second argument of `isOurs`, beside the number. */
export interface NumberContext {
  readonly serviceCode: NotificationKey["serviceCode"];
  /**
   * Your own number: `originalPartnerReferenceNo`, of 21 `partnerBulkId`. Other partners may use the same one: alone it
   * proves nothing.
   */
  readonly partnerReferenceNo: string | undefined;
}

/**
 * Says that the provider gave this number to a transfer or bulk of yours. `number` is `originalReferenceNo`, of 21
 * `bulkId`; of a provider that leaves it out `originalPartnerReferenceNo`. False also while your transfer's response is
 * not stored yet: the provider sends the notification again.
 */
export type IsOurs = (number: string, context: NumberContext) => boolean | Promise<boolean>;

export interface OwnershipSettings {
  readonly partnerId: string;
  readonly partnerIdInBody: "required" | "optional";
  readonly isOurs: IsOurs | undefined;
  readonly handlerTimeoutMs: number;
}

/** The partner that the signed body names. */
export function checkPartner(
  { additionalInfo }: Readonly<Record<string, unknown>>,
  { partnerId, partnerIdInBody }: OwnershipSettings,
): RequestRejection | undefined {
  const named = isObject(additionalInfo) ? (additionalInfo["partnerId"] ?? undefined) : undefined;
  if (named === partnerId || (named === undefined && partnerIdInBody === "optional")) return undefined;
  const field = "additionalInfo.partnerId";
  if (named === undefined) {
    const cause = `${field} is missing. For a provider that sends none set partnerIdInBody to "optional".`;
    return reject("partner", "invalidMandatoryField", cause, { field });
  }
  const cause = `${field} is not ours: it is another partner's notification.`;
  return reject("partner", "unauthorized", cause, { reason: "Unknown client" });
}

export async function checkNumber(
  serviceCode: NotificationKey["serviceCode"],
  { referenceNo, partnerReferenceNo }: NotificationSubject,
  { isOurs, handlerTimeoutMs }: OwnershipSettings,
): Promise<RequestRejection | undefined> {
  if (isOurs === undefined) return undefined;
  const number = referenceNo ?? partnerReferenceNo;
  if (number === undefined) {
    const field = "originalReferenceNo";
    return reject("number", "invalidMandatoryField", "The body has no number that isOurs could be asked about.", {
      field,
    });
  }
  try {
    const isOwn = await withTimeLimit(handlerTimeoutMs, () => isOurs(number, { serviceCode, partnerReferenceNo }));
    if (isOwn === true) return undefined;
  } catch (error) {
    return reject("number", "generalError", "isOurs failed or took too long.", { error });
  }
  return reject("number", "transactionNotFound", "isOurs says that the number is none of ours.");
}
