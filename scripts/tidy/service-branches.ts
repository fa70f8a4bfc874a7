/** Facts of an operation are read from its row: no table and no branch by service code stands beside it. */
import { operationRows } from "../../packages/contract/src/operations.ts";
import type { Rule } from "./rule.ts";

/** Where a service code or an operation's name may decide, and why. */
const allowed: readonly { readonly path: string; readonly reason: string }[] = [
  { path: "packages/contract/", reason: "has the rows" },
  { path: "packages/server/src/ledger/payment-requests/answer.ts", reason: "the ledger knows nothing but itself" },
  { path: "packages/server/src/store/", reason: "the audit counts by its own reading of what a service leaves" },
  { path: "packages/server/src/operations/handlers.ts", reason: "names who carries out which operation" },
  { path: "packages/server/src/edge/routing/token-service.ts", reason: "carries out 73 and 74" },
  { path: "packages/console/src/texts/search.ts", reason: "says in two languages what the first page offers" },
  { path: "packages/embedded-postgres/", reason: "knows no service; PostgreSQL has a version 18" },
];

const code = operationRows.map((row) => row.code).join("|");
const name = operationRows.map((row) => row.name).join("|");
const comparison = "(?:[=!]==|<>|[<>]=?|=)";

const branch = new RegExp(
  [
    // A text that is no member of a union of types, nor of JSX: "63" in a list, a comparison, an argument.
    `(?<![=|]|\\| )"(?:${code})"(?! \\|)`,
    // service === 17, service: 19, and in SQL: service = 21, service in (65, 67, 69)
    `service\\w*(?: ${comparison}|:) (?:${code})\\b`,
    `service in \\((?:${code})\\b`,
    // { 65: "captureNo" }, new Set([17, 18])
    `^\\s*(?:${code}): |\\{ (?:${code}): (?!.*[ {](?!(?:${code}):)\\d+:)`,
    `(?<=[\\s(])\\[(?:${code})(?:, (?:${code}))*\\]`,
    // name === "authCapture", case "authCapture":, { authCapture: "captureAmount" }
    `(?:[=!]==|\\bcase) "(?:${name})"`,
    `^\\s*(?:${name}): `,
  ].join("|"),
);

export const noServiceBranches: Rule = {
  name: "no-service-branches",
  sentence: "No table or branch by service code outside the contract: a row's `about` has the fact, or is given it.",
  appliesTo: (path) =>
    /^(packages\/[^/]+\/src|bench)\/.*\.tsx?$/.test(path) &&
    !path.endsWith(".test.ts") &&
    !allowed.some((one) => path.startsWith(one.path)),
  breaks: (line) => branch.test(line),
};
