/** Mistakes in what is called, in headers and numbers, in the token that is sent, and in the clock. */
import { type Mistake, mistakes, sendsHeader, withMembers } from "./mistake.ts";
import { customerToken } from "./text-mistakes.ts";

const claims = (members: object) =>
  `eyJhbGciOiJIUzI1NiJ9.${Buffer.from(JSON.stringify(members)).toString("base64url")}.${"A".repeat(43)}`;

/** Sent and signed. */
const sendsTime =
  (timestamp: string): Mistake["make"] =>
  (draft) => {
    draft.timestamp = timestamp;
    draft.signedTime = timestamp;
  };

const callsPath =
  (path: string): Mistake["make"] =>
  (draft) => {
    draft.path = path;
    draft.signedPath = path;
  };

export const headMistakes: readonly Mistake[] = [
  ...mistakes("headers", "method", [
    ["GET", "php", "call.method", (d) => void (d.method = d.signedMethod = "GET")],
    ["PUT", "postman", "call.method", (d) => void (d.method = d.signedMethod = "PUT")],
  ]),
  ...mistakes("headers", "path", [
    ["no version", "gateway", "call.missingRoot", callsPath("/transfer-intrabank")],
    ["a slash at the end", "laravel", "call.trailingSlash", callsPath("/v1.0/transfer-intrabank/")],
    ["another bank's root", "bri", "call.unknownPrefix", callsPath("/snap/v1.0/transfer-intrabank")],
    ["another version", "bri", "call.unknownVersion", callsPath("/v2.0/transfer-intrabank")],
    ["a misspelt path", "copy", "call.unknownSuffixNear", callsPath("/v1.0/transfer-intra-bank")],
    ["a notification's path", "neo", "call.notification", callsPath("/v1.0/transfer-skn/notify")],
  ]),
  ...mistakes("headers", "header", [
    ["no Content-Type", "php", "header.missing", sendsHeader("Content-Type", undefined)],
    [
      "Content-Type of a form",
      "curl",
      "header.format",
      sendsHeader("Content-Type", "application/x-www-form-urlencoded"),
    ],
    ["Content-Type text/plain", "node", "header.format", sendsHeader("Content-Type", "text/plain;charset=UTF-8")],
    ["no X-TIMESTAMP", "snapCore", "header.missing", sendsHeader("X-TIMESTAMP", undefined)],
    ["no X-SIGNATURE", "snapCore", "header.missing", sendsHeader("X-SIGNATURE", undefined)],
    ["no X-PARTNER-ID", "bca", "header.missing", sendsHeader("X-PARTNER-ID", undefined)],
    ["no CHANNEL-ID", "bca", "header.missing", sendsHeader("CHANNEL-ID", "")],
    [
      "X-CHANNEL-ID for CHANNEL-ID",
      "doku",
      "header.missingNear",
      (d) => void (d.headers = { "CHANNEL-ID": undefined, "X-CHANNEL-ID": "95221" }),
    ],
    [
      "names with underscores",
      "php",
      "header.missingNear",
      (d) => void (d.headers = { "X-PARTNER-ID": undefined, X_PARTNER_ID: "alpha" }),
    ],
    [
      "EXTERNAL-ID for X-EXTERNAL-ID",
      "finpay",
      "header.missingNear",
      (d) => void (d.headers = { "X-EXTERNAL-ID": undefined, "EXTERNAL-ID": "1" }),
    ],
    ["a compressed body", "requests", "header.format", sendsHeader("Content-Encoding", "gzip")],
    ["CHANNEL-ID as a word", "neo", "header.tooLong", sendsHeader("CHANNEL-ID", "MOBILE-APP")],
    ["time without offset", "java", "header.timestampZone", sendsTime("2026-11-21T10:00:00")],
    ["offset without colon sent", "php", "header.timestampZoneColon", sendsTime("2026-11-21T10:00:00+0700")],
    ["time as a number", "node", "header.timestampEpoch", sendsTime("1795230000000")],
    ["time with a space sent", "python", "header.format", sendsTime("2026-11-21 10:00:00+07:00")],
    ["time without seconds", "go", "header.format", sendsTime("2026-11-21T10:00+07:00")],
  ]),
  ...mistakes("ids", "header", [
    ["X-EXTERNAL-ID of a UUID and a prefix", "dotnet", "header.tooLong", sendsHeader("X-EXTERNAL-ID", "e".repeat(44))],
    ["X-EXTERNAL-ID with slashes", "payment", "header.format", sendsHeader("X-EXTERNAL-ID", "INV/2026/0001")],
    ["X-EXTERNAL-ID with a space", "copy", "header.format", sendsHeader("X-EXTERNAL-ID", "INV 1")],
    ["X-PARTNER-ID with a space", "copy", "header.format", sendsHeader("X-PARTNER-ID", "alpha corp")],
    ["X-PARTNER-ID longer than 36", "openssl", "header.tooLong", sendsHeader("X-PARTNER-ID", "a".repeat(40))],
    [
      "X-PARTNER-ID of another partner",
      "postman",
      "partner.otherPartners",
      (d, { other }) => sendsHeader("X-PARTNER-ID", other.partnerId)(d),
    ],
    [
      "the client key as X-PARTNER-ID",
      "bri",
      "partner.otherPartners",
      (d, { own }) => sendsHeader("X-PARTNER-ID", own.clientKey)(d),
    ],
  ]),
  ...mistakes("ids", "field", [
    [
      "partnerReferenceNo longer than 64",
      "dotnet",
      "field.tooLong",
      withMembers({ partnerReferenceNo: "1".repeat(65) }),
    ],
    ["partnerReferenceNo as a number", "node", "field.notText", withMembers({ partnerReferenceNo: 20260001 })],
    ["an account as a number", "php", "field.notText", withMembers({ beneficiaryAccountNo: 1009000001 })],
  ]),
  ...mistakes("token", "token", [
    ["no Authorization", "midtrans", "token.absent", sendsHeader("Authorization", undefined)],
    ["Bearer and nothing", "typescript", "token.absent", sendsHeader("Authorization", "Bearer ")],
    ["Bearer undefined", "typescript", "token.garbage", sendsHeader("Authorization", "Bearer undefined")],
    ["no Bearer", "postman", "token.schemeMissing", (d) => sendsHeader("Authorization", d.token)(d)],
    ["Basic", "snapCore", "token.otherScheme", sendsHeader("Authorization", "Basic YWxwaGE6c2VjcmV0")],
    ["Bearer twice", "requests", "token.garbage", (d) => sendsHeader("Authorization", `Bearer Bearer ${d.token}`)(d)],
    [
      "the client key as token",
      "midtrans",
      "token.garbage",
      (d, { own }) => sendsHeader("Authorization", `Bearer ${own.clientKey}`)(d),
    ],
    [
      "a token kept longer than it lives",
      "bri",
      "token.saysExpired",
      sendsHeader("Authorization", `Bearer ${claims({ sub: "key-of-alpha", exp: 1_795_229_000 })}`),
    ],
    [
      "the customer's token in Authorization",
      "aspi",
      "token.customerAsPartner",
      sendsHeader("Authorization", `Bearer ${customerToken}`),
    ],
    [
      "the partner's token in Authorization-Customer",
      "aspi",
      "customerToken.partnerToken",
      (d) => sendsHeader("Authorization-Customer", `Bearer ${d.token}`)(d),
    ],
    [
      "Authorization-Customer without Bearer",
      "neo",
      "customerToken.schemeMissing",
      sendsHeader("Authorization-Customer", customerToken),
    ],
  ]),
  ...mistakes("time", "timestamp", [
    ["UTC's time with Jakarta's offset sent", "postman", "time.utcAsJakarta", sendsTime("2026-11-21T03:00:00+07:00")],
    ["Jakarta's time with Z sent", "briCallback", "time.jakartaAsUtc", sendsTime("2026-11-21T10:00:00Z")],
    ["Makassar's time with Jakarta's offset", "java", "time.zone", sendsTime("2026-11-21T11:00:00+07:00")],
    ["a clock that is late", "windows", "time.behind", sendsTime("2026-11-21T09:50:00+07:00")],
    ["a clock that is fast", "windows", "time.ahead", sendsTime("2026-11-21T10:10:00+07:00")],
    ["a request of a collection sent again", "postman", "time.behind", sendsTime("2026-11-19T16:12:00+07:00")],
  ]),
];
