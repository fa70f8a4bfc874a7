/** Refused calls of every step, and what must be said of each. */
import type { Caller, Json, SignedCall } from "../support/black-box/caller.ts";
import { timestampOf } from "../support/black-box/signer.ts";

type Change = (call: SignedCall) => Partial<SignedCall> & { readonly method?: string };

export interface RefusalCase {
  readonly name: string;
  /** Absent: `alpha`. */
  readonly partner?: "gamma";
  /** The body, from one that is accepted. */
  readonly given?: (body: Json) => Json | string;
  readonly change?: Change;
  readonly options?: Parameters<Caller["sign"]>[2];
  readonly step: number;
  readonly cause: string;
  readonly part: string;
  readonly says: RegExp;
}

/** A transfer that is accepted. */
export const transferOf = (sourceAccountNo: string) => ({
  partnerReferenceNo: "R-1",
  amount: { value: "10000.00", currency: "IDR" },
  beneficiaryAccountNo: "1009000001",
  sourceAccountNo,
  transactionDate: "2026-11-21T10:00:00+07:00",
});

const without = (call: SignedCall, name: string) =>
  Object.fromEntries(Object.entries(call.headers).filter(([key]) => key !== name));
const withHeaders =
  (headers: Readonly<Record<string, string>>): Change =>
  (call) => ({ headers: { ...call.headers, ...headers } });
const foreignToken = [{ alg: "HS256" }, { sub: "x", aud: "titian:b2b", exp: 1_700_000_000 }]
  .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
  .concat("c2lnbmF0dXJl")
  .join(".");

export const refusalCases: readonly RefusalCase[] = [
  {
    name: "an unknown path",
    change: () => ({ path: "/v1.0/transfer-intrabnk" }),
    step: 1,
    cause: "path",
    part: "path",
    says: /Did you mean \/v1\.0\/transfer-intrabank\?/,
  },
  {
    name: "an unknown path behind a prefix and version of the caller's own",
    change: () => ({ path: "/bank/open-api/v3/transfer-intrabnk" }),
    step: 1,
    cause: "path",
    part: "path",
    says: /Did you mean \/bank\/open-api\/v3\/transfer-intrabank\?/,
  },
  {
    name: "a prefix of the sandbox's own",
    change: () => ({ path: "/docs/v1.0/transfer-intrabank" }),
    step: 1,
    cause: "path",
    part: "path",
    says: /The prefix \/docs cannot be served/,
  },
  {
    name: "a prefix without version",
    change: () => ({ path: "/snap/transfer-intrabank" }),
    step: 1,
    cause: "path",
    part: "path",
    says: /without \/v1\.0: the path is \/snap\/v1\.0\/transfer-intrabank/,
  },
  {
    name: "a path without version",
    change: () => ({ path: "/transfer-intrabank" }),
    step: 1,
    cause: "path",
    part: "path",
    says: /without \/v1\.0/,
  },
  {
    name: "a version of another form",
    change: () => ({ path: "/2.0/transfer-intrabank" }),
    step: 1,
    cause: "path",
    part: "version",
    says: /2\.0 is no version such as v1\.0/,
  },
  { name: "a method", change: () => ({ method: "PUT" }), step: 1, cause: "method", part: "method", says: /PUT.*POST/ },
  {
    name: "a missing header, spelt otherwise",
    change: (call) => ({ headers: { ...without(call, "X-EXTERNAL-ID"), "X-EXTERNALID": "1" } }),
    step: 3,
    cause: "header",
    part: "X-EXTERNAL-ID",
    says: /you sent X-EXTERNALID/i,
  },
  {
    name: "a time without offset",
    options: { timestamp: "2026-11-21T10:00:00" },
    step: 3,
    cause: "header",
    part: "X-TIMESTAMP",
    says: /without an offset/,
  },
  {
    name: "no token",
    change: (call) => ({ headers: without(call, "Authorization") }),
    step: 4,
    cause: "token",
    part: "Authorization",
    says: /no access token/,
  },
  {
    name: "a garbage token",
    change: withHeaders({ Authorization: "Bearer abcdefgh" }),
    step: 4,
    cause: "token",
    part: "Authorization",
    says: /not a JWT/,
  },
  {
    name: "a token without scheme",
    change: (call) => ({ headers: { ...call.headers, Authorization: (call.headers["Authorization"] ?? "").slice(7) } }),
    step: 4,
    cause: "token",
    part: "Authorization",
    says: /without its scheme/,
  },
  {
    name: "a token of somebody else that says it expired",
    change: withHeaders({ Authorization: `Bearer ${foreignToken}` }),
    step: 4,
    cause: "token",
    part: "Authorization",
    says: /not issued by this service, or was altered/,
  },
  {
    name: "a changed token",
    change: (call) => ({ headers: { ...call.headers, Authorization: `${call.headers["Authorization"]}x` } }),
    step: 4,
    cause: "token",
    part: "Authorization",
    says: /not issued by this service, or was altered/,
  },
  {
    name: "another partner's id",
    change: withHeaders({ "X-PARTNER-ID": "beta" }),
    step: 5,
    cause: "header",
    part: "X-PARTNER-ID",
    says: /that of alpha, and X-PARTNER-ID says beta/,
  },
  {
    name: "a misspelt partner id of mode 1",
    change: withHeaders({ "X-PARTNER-ID": "alpa" }),
    step: 5,
    cause: "header",
    part: "X-PARTNER-ID",
    says: /token is that of alpha/,
  },
  {
    name: "UTC with Jakarta's offset",
    options: { timestamp: timestampOf(Date.now() - 7 * 3_600_000) },
    step: 6,
    cause: "timestamp",
    part: "X-TIMESTAMP",
    says: /exactly 7 hours behind/,
  },
  {
    name: "a clock an hour and a quarter ahead",
    options: { timestamp: timestampOf(Date.now() + 75 * 60_000) },
    step: 6,
    cause: "timestamp",
    part: "X-TIMESTAMP",
    says: /1 h 1[45] min.* ahead/,
  },
  {
    name: "another body than signed",
    options: { signedBody: "" },
    step: 7,
    cause: "bodyHash",
    part: "bodyHash",
    says: /hash of an empty body/,
  },
  {
    name: "another body than signed, mode 2",
    partner: "gamma",
    options: { signedBody: "" },
    step: 7,
    cause: "bodyHash",
    part: "bodyHash",
    says: /hash of an empty body/,
  },
  {
    name: "a signature of nothing known",
    change: withHeaders({ "X-SIGNATURE": Buffer.alloc(64, 7).toString("base64") }),
    step: 7,
    cause: "unknown",
    part: "signature",
    says: /compare the string to sign/,
  },
  { name: "single quotes", given: () => "{'a':1}", step: 10, cause: "json", part: "1:2", says: /double quotes/ },
  {
    name: "a missing comma",
    given: () => '{\n  "a": 1\n  "b": 2\n}',
    step: 10,
    cause: "json",
    part: "3:3",
    says: /Line 3, column 3: , \} is expected, " was found/,
  },
  {
    name: "a name twice",
    given: () => '{"a":1,"a":2}',
    step: 10,
    cause: "json",
    part: "1:8",
    says: /"a" stands twice/,
  },
  {
    name: "a missing field, spelt otherwise",
    given: (body) => ({ ...body, sourceAccountNo: undefined, sourceAcountNo: "1" }),
    step: 11,
    cause: "field",
    part: "sourceAccountNo",
    says: /you sent "sourceAcountNo"/,
  },
  {
    name: "an amount that is a number",
    given: (body) => ({ ...body, amount: { value: 10_000, currency: "IDR" } }),
    step: 12,
    cause: "field",
    part: "amount.value",
    says: /is 10000; it is a text/,
  },
  {
    name: "a long text",
    given: (body) => ({ ...body, partnerReferenceNo: "9".repeat(65) }),
    step: 12,
    cause: "field",
    part: "partnerReferenceNo",
    says: /65 characters; 64 are allowed/,
  },
  {
    name: "one of a list",
    given: (body) => ({ ...body, feeType: "MINE" }),
    step: 12,
    cause: "field",
    part: "feeType",
    says: /one of OUR, BEN, SHA, 1000/,
  },
];
