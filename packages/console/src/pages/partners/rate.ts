import type { PartnerView } from "@titian/control/types";
import { partners } from "../../texts/operations/partners.ts";

/** Its limit of calls, for people. */
export function rateOf({ rateLimit }: Pick<PartnerView, "rateLimit">): string {
  const texts = partners();
  return rateLimit == null ? texts.noRate : texts.rateText(rateLimit.perSecond, rateLimit.burst);
}
