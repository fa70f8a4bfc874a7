/**
 * Addressee of a notification, in the part that its signature covers: no signature covers `X-PARTNER-ID` (spec D14).
 */
import { optional } from "../fields/field.ts";
import { PartnerId } from "../fields/types.ts";

export const notificationInfo = { partnerId: optional(PartnerId) };
