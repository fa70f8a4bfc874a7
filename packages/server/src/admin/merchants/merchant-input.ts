/** Input of an operator about a merchant, checked before anything is written. */
import { longestHoldMs, shortestHoldMs } from "../../ledger/holds/authorize.ts";
import { type Minor, zero } from "../../ledger/money.ts";
import type { MerchantSettings } from "../../store/reference/reference.ts";
import { isPartyName, rejectPartyName } from "../partner-input.ts";
import { type AdminResult, rejected } from "../result.ts";

export interface MerchantTermsInput {
  readonly name?: string;
  /** Gets captured money. */
  readonly settlementAccountNo?: string;
  /** Default payer account, used when the request names none; null removes it. */
  readonly payerAccountNo?: string | null;
  /**
   * Default hold amount, used when the request names none: minor units of the settlement account's; null removes it.
   */
  readonly defaultHoldAmount?: Minor | null;
  /** True: its authorized payments need a customer token (spec D2); not said of a new merchant: they do not. */
  readonly customerTokenRequired?: boolean;
  /** Duration of a hold where a call does not say (s), a minute to 90 days; not said of a new merchant: 7 days. */
  readonly holdSeconds?: number;
  /** For how many days a capture may be refunded, 30 to 1,825; not said of a new merchant: 365. Of later captures alone. */
  readonly refundDays?: number;
}

const merchantIdShape = /^[!-~]{1,64}$/;

export function rejectMerchantId(merchantId: string): AdminResult<never> | undefined {
  if (merchantIdShape.test(merchantId)) return undefined;
  return rejected("invalidField", "A merchant id has 1 to 64 visible ASCII characters.", "merchantId");
}

export function rejectMerchantTerms(terms: MerchantTermsInput): AdminResult<never> | undefined {
  const { name, defaultHoldAmount, holdSeconds, refundDays } = terms;
  if (name !== undefined && !isPartyName(name)) return rejectPartyName();
  if (typeof defaultHoldAmount === "bigint" && defaultHoldAmount <= zero) {
    return rejected("invalidField", "A default hold amount is more than zero.", "defaultHoldAmount");
  }
  if (holdSeconds !== undefined && !isHoldTime(holdSeconds)) {
    return rejected("invalidField", "A hold lasts a whole number of seconds: a minute to 90 days.", "holdSeconds");
  }
  if (refundDays !== undefined && !(Number.isInteger(refundDays) && refundDays >= 30 && refundDays <= 1_825)) {
    return rejected("invalidField", "A capture may be refunded for 30 to 1,825 whole days.", "refundDays");
  }
  return undefined;
}

/** The settings with the given changes, always in one order: repeats are detected by their text. */
export function applyMerchantSettings(settings: MerchantSettings, terms: MerchantTermsInput): MerchantSettings {
  const {
    defaultHoldAmount: amountBefore,
    customerTokenRequired: before,
    holdSeconds: timeBefore,
    ...others
  } = settings;
  const { refundDays: daysBefore, ...rest } = others;
  const { defaultHoldAmount, customerTokenRequired = before, holdSeconds = timeBefore } = terms;
  const { refundDays = daysBefore } = terms;
  const amount = defaultHoldAmount === undefined ? amountBefore : defaultHoldAmount?.toString();
  return {
    ...rest,
    ...(amount !== undefined && { defaultHoldAmount: amount }),
    // "No" is not stored, so that it is the same as absent.
    ...(customerTokenRequired === true && { customerTokenRequired }),
    ...(holdSeconds !== undefined && { holdSeconds }),
    ...(refundDays !== undefined && { refundDays }),
  };
}

function isHoldTime(seconds: number): boolean {
  const ms = seconds * 1_000;
  return Number.isInteger(seconds) && ms >= shortestHoldMs && ms <= longestHoldMs;
}
