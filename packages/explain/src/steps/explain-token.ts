/** Step 4: the access token and the customer's token (spec D3). */
import { formatTimestamp } from "@titian/contract";
import type { Received } from "../received.ts";
import type { Diagnosis, PartnerSecrets } from "../report.ts";
import { masked, shown } from "../shown.ts";
import { diagnose } from "../state.ts";
import { readToken, type TokenText } from "./read-token.ts";
import { signerInMode2 } from "./signer-in-mode-2.ts";

const lastTime = Date.UTC(2999, 11, 31);

export function explainToken(received: Received, known: readonly PartnerSecrets[]): Diagnosis {
  const { headers, token, partner, evidence } = received;
  const header = headers.authorization ?? "";
  const about = (id: Parameters<typeof diagnose>[2], parameters = {}) =>
    diagnose("token", "Authorization", id, parameters);
  if (header === "" || /^bearer *$/i.test(header)) {
    const signer = signerInMode2(received, known);
    if (signer !== undefined) {
      const parties = { partner: shown(received.partnerId), owner: signer.partnerId };
      return diagnose("header", "X-PARTNER-ID", "partner.signedByOther", parties);
    }
    return partner === undefined && received.partnerId !== ""
      ? about("token.absentUnknownPartner", { partner: shown(received.partnerId) })
      : about("token.absent");
  }
  if (token === undefined) return scheme(header, about);
  const text = readToken(token);
  if (text === undefined) return about("token.garbage", { token: masked(token) });
  const isOurs = evidence.tokensIssuedHere?.includes(token);
  if (isOurs === false) return about("token.notOurs", { token: masked(token) });
  if (text.isCustomers) return about("token.customerAsPartner");
  const expiry = expiredBefore(text, evidence.businessTime);
  if (expiry !== undefined) return about(isOurs === true ? "token.expired" : "token.saysExpired", expiry);
  const owner = known.find(({ key }) => key === text.subject);
  if (owner?.status === "suspended") return about("token.suspended", { partner: owner.partnerId });
  if (owner?.status === "retired") return about("token.retired", { partner: owner.partnerId });
  return isOurs === true ? about("token.ended") : about("token.notOurs", { token: masked(token) });
}

/** Another first word may be a part of the token. */
const schemes = /^(?:basic|digest|token|jwt|oauth|hmac|mac|api-?key|negotiate)$/i;

function scheme(
  header: string,
  about: (
    id: "token.schemeMissing" | "token.otherScheme" | "token.garbage",
    parameters?: Readonly<Record<string, string>>,
  ) => Diagnosis,
): Diagnosis {
  const [first = "", rest] = header.split(/ +(.*)/, 2);
  if (rest === undefined || rest === "") {
    return readToken(first) === undefined
      ? about("token.garbage", { token: masked(first) })
      : about("token.schemeMissing");
  }
  return /^bearer$/i.test(first)
    ? about("token.garbage", { token: masked(rest) })
    : about("token.otherScheme", { scheme: schemes.test(first) ? first : masked(first) });
}

/** A token's lifetime as it says itself, if that has ended. */
function expiredBefore({ expiresAt }: TokenText, at: number | undefined) {
  if (expiresAt === undefined || at === undefined || expiresAt > at || expiresAt < 0 || expiresAt > lastTime)
    return undefined;
  return { expiredAt: formatTimestamp(expiresAt), seconds: String(Math.floor((at - expiresAt) / 1_000)) };
}

export function explainCustomerToken(received: Received, known: readonly PartnerSecrets[]): Diagnosis {
  const { headers, customerToken, partner, evidence } = received;
  const about = (id: Parameters<typeof diagnose>[2], parameters = {}) =>
    diagnose("token", "Authorization-Customer", id, parameters);
  const header = headers["authorization-customer"];
  if (header === undefined) return about("customerToken.absent");
  if (customerToken === undefined) {
    return readToken(header) === undefined ? about("customerToken.invalid") : about("customerToken.schemeMissing");
  }
  const text = readToken(customerToken);
  const isOurs = evidence.tokensIssuedHere?.includes(customerToken);
  if (text === undefined || isOurs === false) return about("customerToken.invalid");
  if (!text.isCustomers) return about("customerToken.partnerToken");
  const expiry = expiredBefore(text, evidence.businessTime);
  if (expiry !== undefined)
    return about(isOurs === true ? "customerToken.expired" : "customerToken.saysExpired", expiry);
  const owner = known.find(({ key }) => key === text.subject);
  if (owner !== undefined && partner !== undefined && owner.key !== partner.key)
    return about("customerToken.otherPartners", { partner: owner.partnerId });
  return about(isOurs === true ? "customerToken.ended" : "customerToken.invalid");
}
