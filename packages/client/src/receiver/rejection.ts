/** A request that is not accepted: what the provider is answered, and why, for the receiver's own log. */
import type { CaseName, JsonFault, ReadFault } from "@titian/contract";
import { jsonReasons } from "@titian/contract";

/**
 * The check that failed, in the order of the checks. `partner`: `X-PARTNER-ID`, or after the signature the partner that
 * the body names. `number`: `isOurs`. `store`: a method of the notification store threw.
 */
export type ReceiverStep =
  | "path"
  | "headers"
  | "token"
  | "partner"
  | "timestamp"
  | "body"
  | "signature"
  | "fields"
  | "number"
  | "duplicate"
  | "handler"
  | "store";

export interface RequestRejection {
  readonly step: ReceiverStep;
  /** A sentence for the log. Without secrets; may name fields and headers, never their values but the text to sign. */
  readonly cause: string;
  readonly caseName: CaseName;
  /** The faulty header or field. */
  readonly field?: string | undefined;
  /** In brackets behind the message of the response. */
  readonly reason?: string | undefined;
  /** Error that the handler, the store or a function of the options threw. */
  readonly error?: unknown;
}

/** Argument of `onRejected`. */
export interface RejectedNotification extends RequestRejection {
  /** 21, 73, 75 or 76; absent for an unknown path. */
  readonly serviceCode?: string | undefined;
  /** 7 digits, as answered. */
  readonly responseCode: string;
  /** `X-EXTERNAL-ID` as received. Not signed. */
  readonly externalId?: string | undefined;
}

export type ObserveRejection = (rejected: RejectedNotification) => void;

export function reject(
  step: ReceiverStep,
  caseName: CaseName,
  cause: string,
  detail: Pick<RequestRejection, "field" | "reason" | "error"> = {},
): RequestRejection {
  return { step, caseName, cause, ...detail };
}

export function rejectJson(fault: JsonFault): RequestRejection {
  const reason = jsonReasons[fault];
  return reject("fields", "badRequest", `The body is not a strict JSON object: ${reason}.`, { reason });
}

export function rejectField({ case: caseName, field }: ReadFault): RequestRejection {
  return reject("fields", caseName, `The field ${field ?? ""} is missing or malformed.`, { field });
}

export const isRejection = (value: unknown): value is RequestRejection =>
  typeof value === "object" && value !== null && "step" in value && "caseName" in value;
