/** Headers of a call as a page shows them: those of the document, and the two that OpenAPI does not list. */
import { type DescribedOperation, headerNames, type OperationRow } from "@titian/contract";
import type { FieldEntry } from "../blocks/block.ts";
import { texts } from "../frame/texts.ts";
import type { Language } from "../languages.ts";

export const exampleTimestamp = "2026-11-21T10:00:00+07:00";
export const exampleToken = "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJwYXJ0bmVyIn0.c2lnbmF0dXJl";
export const exampleClientKey = "client-SHOP01";

const examples: Readonly<Record<string, string>> = {
  [headerNames.contentType]: "application/json",
  [headerNames.authorization]: "Bearer eyJhbGciOiJFUzI1NiJ9.eyJzdWIi…",
  [headerNames.authorizationCustomer]: "Bearer eyJhbGciOiJFUzI1NiJ9.eyJjdXN0…",
  [headerNames.timestamp]: exampleTimestamp,
  [headerNames.signature]: "38Vl2YEN9S5cOMnk72tSvtfsHyhNCx6h87Jf3TCQN…",
  [headerNames.clientKey]: exampleClientKey,
  [headerNames.partnerId]: "SHOP01",
  [headerNames.externalId]: "41807553358950093184",
  [headerNames.channelId]: "95221",
  [headerNames.origin]: "www.shop.example",
  [headerNames.ipAddress]: "203.0.113.7",
  [headerNames.deviceId]: "09864ADCASA",
  [headerNames.latitude]: "-6.1745",
  [headerNames.longitude]: "106.8227",
};

const contentType = { name: headerNames.contentType, isRequired: true, description: "The body is JSON, in UTF-8." };
const tokenOf: Readonly<Record<OperationRow["direction"], string>> = {
  toProvider: "Bearer and the access token of service 73, in signing mode 1. None in mode 2.",
  toPartner: "Bearer and the token that the partner issues to the provider, in signing mode 1. None in mode 2.",
};

export function headerEntries(
  { kind, direction }: OperationRow,
  { headers }: DescribedOperation,
  language: Language,
): readonly FieldEntry[] {
  const token = { name: headerNames.authorization, isRequired: false, description: tokenOf[direction] };
  const all = [contentType, ...(kind === "token" ? [] : [token]), ...headers];
  return all.map(({ name, isRequired, description }) => ({
    id: `header-${name}`,
    name,
    type: language === "en" ? "text" : "teks",
    presence:
      texts[isRequired ? "required" : name === headerNames.authorization ? "conditional" : "optional"][language],
    isMandatory: isRequired,
    description,
    example: examples[name],
    children: [],
  }));
}
