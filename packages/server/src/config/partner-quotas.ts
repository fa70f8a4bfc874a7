/** Settings of what one partner may have stored in a day, and of when its look-ups of accounts are told of. */
import { whole } from "./types.ts";

export const partnerQuotaVariables = {
  TITIAN_PARTNER_REJECTIONS_PER_DAY: whole(1, 1_000_000_000, 1_000_000, "a number"),
  TITIAN_PARTNER_FREE_FORM_MIB_PER_DAY: whole(1, 10_000_000, 10_240, "MiB"),
  TITIAN_PARTNER_LOOK_UPS_ALERT: whole(10, 100_000, 5_000, "a number"),
};

type Numbers = Readonly<Record<keyof typeof partnerQuotaVariables, number>>;

const mebibyte = 1_048_576;

export interface PartnerQuotas {
  /** Quotas of one partner, counted by this process alone. */
  readonly storedQuotaLimits: { readonly rejectionsPerDay: number; readonly freeFormBytesPerDay: number };
  /** Accounts that a partner looks up in an hour before the log tells of it. */
  readonly lookUpsAlert: number;
}

export function readPartnerQuotas(settings: Numbers): PartnerQuotas {
  return {
    storedQuotaLimits: {
      rejectionsPerDay: settings.TITIAN_PARTNER_REJECTIONS_PER_DAY,
      freeFormBytesPerDay: settings.TITIAN_PARTNER_FREE_FORM_MIB_PER_DAY * mebibyte,
    },
    lookUpsAlert: settings.TITIAN_PARTNER_LOOK_UPS_ALERT,
  };
}
