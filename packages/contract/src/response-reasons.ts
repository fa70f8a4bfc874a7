/**
 * The reasons in brackets at the end of a message where one case has several causes (spec D6), with the services
 * that use them; without services all do. The words are part of the interface.
 */
import type { JsonFault } from "./json/json-fault.ts";
import type { CaseName } from "./response-cases.ts";

const all = undefined;
const holdServices = ["65", "67", "69"] as const;
const singleRailServices = ["18", "22", "23"] as const;
const railServices = [...singleRailServices, "20"] as const;
/** Also a payment request, whose beneficiary may be at another bank. */
const railRequests = [...railServices, "19"] as const;
const transferServices = ["17", ...railServices] as const;
const payingServices = ["63", ...transferServices] as const;
/** The beneficiary of a bulk's item is known to its rail alone, after the response. */
const creditingServices = ["63", "17", ...singleRailServices, "19"] as const;

export const responseReasons = {
  badRequest: {
    "Not JSON": all,
    "Not an object": all,
    "Not UTF-8": all,
    "Byte order mark": all,
    "Lone surrogate": all,
    "Duplicate key": all,
    "Forbidden key": all,
    "Too deep": all,
    "Too many values": all,
    "Free-form member too large": all,
    "Body too large": all,
  },
  unauthorized: {
    Signature: all,
    Timestamp: all,
    "Unknown client": all,
    "Connection not allowed": all,
    "Invalid authorization code": ["74"],
    "Invalid refresh token": ["74"],
  },
  featureNotAllowed: { "Service not assigned to this partner": all },
  exceedsTransactionAmountLimit: {
    "Account limit": payingServices,
    "Rail limit": railRequests,
    "Hold remainder": ["65", "67"],
    "Refundable amount": ["69"],
  },
  activityCountLimitExceeded: { "Account limit": payingServices, "Hold limit": holdServices, "Open requests": ["19"] },
  featureNotAllowedAtThisTime: {
    "Rail closed until 06:30": ["22", "23"],
    "Rail closed by operator": railServices,
    "Service closed": [...payingServices, "19"],
    "Rail down": ["18"],
  },
  dormantAccount: {
    "Source account": [...payingServices, "19"],
    "Beneficiary account": creditingServices,
  },
  inactiveAccount: {
    "Source account": [...payingServices, "19"],
    "Beneficiary account": [...creditingServices, "15", "16"],
  },
  accountLimitExceeded: { "Source account": payingServices, "Beneficiary account": singleRailServices },
  transactionNotPermitted: {
    "Source account": payingServices,
    "Same account": ["63", "17", "19"],
    "Refund window": ["69"],
  },
  transactionNotFound: {
    "References disagree": ["63", ...holdServices],
    "External ids are kept 7 days, numbers for ever": ["36", "53"],
  },
  bankNotSupported: { "Unknown bank": all, "Own bank": railServices, "Bank not reachable": singleRailServices },
  invalidAccount: { "Unknown beneficiary account": all, "Unknown source account": ["19"] },
  invalidAmount: {
    "Zero amount": all,
    "Below minimum": railRequests,
    "Fee exceeds amount": railRequests,
    "Amounts disagree": ["67"],
  },
  conflict: { "X-EXTERNAL-ID was used for another request": all },
  /** The number that was used before, where it is not `partnerReferenceNo`. */
  duplicatePartnerReferenceNo: {
    partnerBulkId: ["20"],
    partnerCaptureNo: ["65"],
    partnerVoidNo: ["67"],
    partnerRefundNo: ["69"],
  },
} as const satisfies Partial<Record<CaseName, Readonly<Record<string, readonly string[] | undefined>>>>;

/** In brackets of its own behind the message of any rejection that was given to another send of the same request (spec D7). */
export const anotherSend = "Another send was rejected";

/** The reason of a 400xx00 for bytes that are no strict JSON object. */
export const jsonReasons: Readonly<Record<JsonFault, ReasonOf<"badRequest">>> = {
  syntax: "Not JSON",
  notObject: "Not an object",
  encoding: "Not UTF-8",
  byteOrderMark: "Byte order mark",
  loneSurrogate: "Lone surrogate",
  duplicateKey: "Duplicate key",
  forbiddenKey: "Forbidden key",
  tooDeep: "Too deep",
  tooManyValues: "Too many values",
  freeFormTooLarge: "Free-form member too large",
};

/** The fixed reasons of a case. */
export type ReasonOf<Name extends CaseName> = Name extends keyof typeof responseReasons
  ? keyof (typeof responseReasons)[Name] & string
  : never;

const byCase: Partial<Record<CaseName, Readonly<Record<string, readonly string[] | undefined>>>> = responseReasons;

/** The reasons that a service uses with a case, in the table's order. */
export function reasonsOf(name: CaseName, serviceCode: string): readonly string[] {
  return Object.entries(byCase[name] ?? {})
    .filter(([, services]) => services === undefined || services.includes(serviceCode))
    .map(([reason]) => reason);
}
