/**
 * Every response case: the standard's general table, and 503/00, which we add for overload (spec D6).
 * A response code is HTTP status, service code and case code in one text of 7 digits: 4046500 is status 404, service 65
 * (capture), case 00.
 */

interface ResponseCase {
  /** HTTP status of the response. */
  readonly status: number;
  /** Case code, two digits. */
  readonly case: string;
  readonly message: string;
  /** True: the name of a field follows the message; for reasons see `responseReasons`. */
  readonly namesField: boolean;
}

const row = <const Code extends string>(status: number, code: Code, message: string, namesField = false) => ({
  status,
  case: code,
  message,
  namesField,
});

export const responseCases = {
  success: row(200, "00", "Successful"),
  requestInProgress: row(202, "00", "Request In Progress"),
  badRequest: row(400, "00", "Bad Request"),
  invalidFieldFormat: row(400, "01", "Invalid Field Format", true),
  invalidMandatoryField: row(400, "02", "Invalid Mandatory Field", true),
  unauthorized: row(401, "00", "Unauthorized."),
  invalidToken: row(401, "01", "Invalid Token (B2B)"),
  invalidCustomerToken: row(401, "02", "Invalid Customer Token"),
  tokenNotFound: row(401, "03", "Token Not Found (B2B)"),
  customerTokenNotFound: row(401, "04", "Customer Token Not Found"),
  transactionExpired: row(403, "00", "Transaction Expired"),
  featureNotAllowed: row(403, "01", "Feature Not Allowed"),
  exceedsTransactionAmountLimit: row(403, "02", "Exceeds Transaction Amount Limit"),
  suspectedFraud: row(403, "03", "Suspected Fraud"),
  activityCountLimitExceeded: row(403, "04", "Activity Count Limit Exceeded"),
  doNotHonor: row(403, "05", "Do Not Honor"),
  featureNotAllowedAtThisTime: row(403, "06", "Feature Not Allowed At This Time."),
  cardBlocked: row(403, "07", "Card Blocked"),
  cardExpired: row(403, "08", "Card Expired"),
  dormantAccount: row(403, "09", "Dormant Account"),
  needToSetTokenLimit: row(403, "10", "Need To Set Token Limit"),
  otpBlocked: row(403, "11", "OTP Blocked"),
  otpLifetimeExpired: row(403, "12", "OTP Lifetime Expired"),
  otpSent: row(403, "13", "OTP Sent To Cardholder"),
  insufficientFunds: row(403, "14", "Insufficient Funds"),
  transactionNotPermitted: row(403, "15", "Transaction Not Permitted."),
  suspendTransaction: row(403, "16", "Suspend Transaction"),
  tokenLimitExceeded: row(403, "17", "Token Limit Exceeded"),
  inactiveAccount: row(403, "18", "Inactive Card/Account/Customer"),
  merchantBlacklisted: row(403, "19", "Merchant Blacklisted"),
  merchantLimitExceeded: row(403, "20", "Merchant Limit Exceed"),
  setLimitNotAllowed: row(403, "21", "Set Limit Not Allowed"),
  tokenLimitInvalid: row(403, "22", "Token Limit Invalid"),
  accountLimitExceeded: row(403, "23", "Account Limit Exceed"),
  invalidTransactionStatus: row(404, "00", "Invalid Transaction Status"),
  transactionNotFound: row(404, "01", "Transaction Not Found"),
  invalidRouting: row(404, "02", "Invalid Routing"),
  bankNotSupported: row(404, "03", "Bank Not Supported By Switch"),
  transactionCancelled: row(404, "04", "Transaction Cancelled"),
  merchantNotRegisteredForCards: row(404, "05", "Merchant Is Not Registered For Card Registration Services"),
  needToRequestOtp: row(404, "06", "Need To Request OTP"),
  journeyNotFound: row(404, "07", "Journey Not Found"),
  invalidMerchant: row(404, "08", "Invalid Merchant"),
  noIssuer: row(404, "09", "No Issuer"),
  invalidApiTransition: row(404, "10", "Invalid API Transition"),
  invalidAccount: row(404, "11", "Invalid Card/Account/Customer/Virtual Account"),
  invalidBill: row(404, "12", "Invalid Bill/Virtual Account"),
  invalidAmount: row(404, "13", "Invalid Amount"),
  paidBill: row(404, "14", "Paid Bill"),
  invalidOtp: row(404, "15", "Invalid OTP"),
  partnerNotFound: row(404, "16", "Partner Not Found"),
  invalidTerminal: row(404, "17", "Invalid Terminal"),
  inconsistentRequest: row(404, "18", "Inconsistent Request"),
  expiredBill: row(404, "19", "Invalid Bill/Virtual Account"),
  notSupported: row(405, "00", "Requested Function Is Not Supported"),
  operationNotAllowed: row(405, "01", "Requested Operation Is Not Allowed"),
  conflict: row(409, "00", "Conflict"),
  duplicatePartnerReferenceNo: row(409, "01", "Duplicate partnerReferenceNo"),
  tooManyRequests: row(429, "00", "Too Many Requests"),
  generalError: row(500, "00", "General Error"),
  internalServerError: row(500, "01", "Internal Server Error"),
  externalServerError: row(500, "02", "External Server Error"),
  serviceUnavailable: row(503, "00", "Service Unavailable"),
  timeout: row(504, "00", "Timeout"),
} as const satisfies Record<string, ResponseCase>;

export type CaseName = keyof typeof responseCases;
