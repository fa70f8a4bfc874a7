/** The headers of the documentation. */
import { type CallKind, headerNames, headerPatterns, requiredHeaders } from "../headers.ts";
import { offsetPattern, timestampPattern } from "../timestamps.ts";
import type { JsonSchema } from "./schemas.ts";

type HeaderKey = keyof typeof headerNames;

type HeaderText = {
  readonly description: string;
  readonly schema: JsonSchema;
};

/** Text of any form: most of these are not checked. */
const text: JsonSchema = { type: "string" };
const patterned = (pattern: RegExp): JsonSchema => ({ type: "string", pattern: pattern.source });

/** In OpenAPI these two are no parameters: media types and security schemes describe them. */
type OpenApiOwn = "contentType" | "authorization";

const documented: Readonly<Record<Exclude<HeaderKey, OpenApiOwn>, HeaderText>> = {
  authorizationCustomer: {
    description: "Bearer token of the customer (service 74), where the merchant requires one.",
    schema: text,
  },
  timestamp: {
    description: "Time of the call, ISO 8601 with offset or Z.",
    schema: { type: "string", pattern: `^${timestampPattern}(?:${offsetPattern})$` },
  },
  signature: { description: "Signature in standard Base64; hex is accepted too.", schema: text },
  clientKey: {
    description: "Client key of the partner, from onboarding.",
    schema: patterned(headerPatterns.clientKey),
  },
  partnerId: { description: "Id of the partner, from onboarding.", schema: patterned(headerPatterns.partnerId) },
  externalId: {
    description:
      "Id of the call, chosen by the caller: the idempotency key of a write. A retry reuses it, a new call needs a new one.",
    schema: patterned(headerPatterns.externalId),
  },
  channelId: {
    description: "Id of the channel: up to 5 characters, or the length agreed with the partner.",
    schema: patterned(headerPatterns.channelId),
  },
  origin: { description: "Domain of the caller.", schema: text },
  ipAddress: { description: "Address of the end user.", schema: text },
  deviceId: { description: "Device of the end user.", schema: text },
  latitude: { description: "Latitude of the end user, ISO 6709.", schema: text },
  longitude: { description: "Longitude of the end user, ISO 6709.", schema: text },
};

const optionalHeaders: Readonly<Record<CallKind, readonly HeaderKey[]>> = {
  token: [],
  transaction: ["authorizationCustomer", "origin", "ipAddress", "deviceId", "latitude", "longitude"],
};

const timestamp = documented.timestamp.schema;

/** Headers of 21, 75 and 76, as we send them: these and no others but the media type and, in mode 1, the token. */
const ofNotifications: readonly (readonly [HeaderKey, HeaderText])[] = [
  ["timestamp", { description: "Time of this attempt; in real time also in the sandbox.", schema: timestamp }],
  ["clientKey", { description: "The provider's client id.", schema: documented.clientKey.schema }],
  [
    "signature",
    {
      description:
        "In standard Base64: by the provider's key (mode 2), or with the partner's client secret and token (mode 1).",
      schema: patterned(/^[A-Za-z0-9+/]+={0,2}$/),
    },
  ],
  [
    "partnerId",
    {
      description: "The partner's own id. No signature covers it: compare additionalInfo.partnerId with yours.",
      schema: documented.partnerId.schema,
    },
  ],
  [
    "externalId",
    { description: "The same for every attempt and replay. No signature covers it.", schema: patterned(/^[0-9]{32}$/) },
  ],
  ["channelId", { description: "The partner's own channel id.", schema: documented.channelId.schema }],
];

export const notificationParameters: readonly JsonSchema[] = ofNotifications.map(([key, header]) => ({
  name: headerNames[key],
  in: "header",
  required: true,
  ...header,
}));

/** The headers of one kind of call: the required ones first. */
export function parametersOf(kind: CallKind): readonly JsonSchema[] {
  const required = new Set<HeaderKey>(requiredHeaders[kind].map(({ key }) => key));
  return [...required, ...optionalHeaders[kind]].flatMap((key) => {
    if (key === "contentType" || key === "authorization") return [];
    return [{ name: headerNames[key], in: "header", required: required.has(key), ...documented[key] }];
  });
}
