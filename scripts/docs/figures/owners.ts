/** Owners of the documents' figures: settings, constants and data, read from where they stand. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { operationRows } from "@titian/contract";
import { numberBehind, numberSettingsIn, plain } from "./figure.ts";

const root = resolve(import.meta.dirname, "../../..");
const server = "packages/server/src";
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** Reads from a package the number behind a text of one of its files. */
const ofPackage = (name: string) => (path: string, text: string) =>
  numberBehind(read(`packages/${name}/src/${path}`), text);

export const [owned, ofClient, ofControl, ofExplain, ofRailFiles, ofSandbox] = [
  ofPackage("server"),
  ofPackage("client"),
  ofPackage("control"),
  ofPackage("explain"),
  ofPackage("rail-files"),
  ofPackage("sandbox"),
];

export const settings = ["config", "partner-quotas", "payment-requests", "retention"].flatMap((name) =>
  numberSettingsIn(read(`${server}/config/${name}.ts`)),
);

export function setting(name: string): number {
  const found = settings.find((one) => one.name === `TITIAN_${name}`);
  if (found?.fallback === undefined) throw new Error(`TITIAN_${name} has no number as its default`);
  return found.fallback;
}

interface RailData {
  readonly name: string;
  readonly min: string;
  readonly max?: string;
  readonly sharedFeeMax: string;
  readonly hours?: { readonly from: string; readonly to: string };
  readonly settlements?: readonly string[];
}

/** A limit of calls that a file names: a second, and at once. */
function rateOf(path: string, name: string) {
  const perSecond = owned(path, `${name} = { perSecond: `);
  return { perSecond, burst: owned(path, `${name} = { perSecond: ${perSecond}, burst: `) };
}

const rateLimits = "edge/authentication/rate-limit.ts";
export const rates = {
  all: rateOf("admin/partners/partners.ts", "const defaultRateLimit"),
  tokens: rateOf(rateLimits, "const tokenLimit: RateLimit"),
  lookUps: rateOf(rateLimits, "const lookUpLimit: RateLimit"),
};

const rails: readonly RailData[] = JSON.parse(read("packages/server/data/rails.json"));

export function rail(name: string): RailData {
  const found = rails.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no rail ${name}`);
  return found;
}

const million = 1_000_000;
export const kibibyte = 1_024;
export const mebibyte = 1_024 * kibibyte;
const day = 86_400;

export const windowMinutes = setting("TIMESTAMP_WINDOW_SECONDS") / 60;
export const idempotencyHours = setting("IDEMPOTENCY_WINDOW_HOURS");
export const keptDays = setting("KEEP_EXTERNAL_IDS_DAYS");
export const holdEventsMax = setting("HOLD_EVENTS_MAX");
export const openOfPartner = setting("OPEN_PAYMENT_REQUESTS_MAX");
export const openOfPayer = setting("OPEN_PAYMENT_REQUESTS_OF_PAYER_MAX");
export const requestDays = setting("PAYMENT_REQUEST_DAYS_MAX");
export const bulks = { ofPartner: setting("PARTNER_BULKS_MAX"), ofNode: setting("BULKS_MAX") };
export const bodyKiB = setting("BODY_LIMIT") / kibibyte;
export const bulkMiB = setting("BULK_BODY_LIMIT") / mebibyte;
const readJson = read("packages/contract/src/json/read-json.ts");
export const jsonDepth = numberBehind(readJson, "maxDepth: ");
export const freeFormKiB = numberBehind(readJson, "maxFreeFormBytes: ") / kibibyte;
export const itemsMax = numberBehind(
  read("packages/contract/src/operations/transfers/interbank-bulk-transfer.ts"),
  "listOf(bulkItem, { min: 1, max: ",
);

const fieldTypes = read("packages/contract/src/fields/types.ts");
export const accountNoMax = numberBehind(fieldTypes, "const AccountNo = text(");
export const sourceAccountNoMax = numberBehind(fieldTypes, "const SourceAccountNo = text(");
export const bodyWaitSeconds = owned("edge/connections/bodies/waiting-pool.ts", "const waitMs = ") / 1_000;
export const unreadKiB = owned("edge/connections/lingering.ts", "const unwantedMax = ") / kibibyte;
export const lingerSeconds = owned("edge/connections/lingering.ts", "const lingerMs = ") / 1_000;
export const staleSeconds = owned("admin/reference/reference-data.ts", "const staleAfterDefaultMs = ") / 1_000;
export const tokenSeconds = owned("edge/authentication/tokens.ts", "const partnerTokenSeconds = ");
export const customerTokenDays = owned("interfaces/call.ts", "const customerTokenSeconds = ") / day;
const grants = "admin/grants/customer-grants.ts";
export const codeMinutes = owned(grants, "const codeLifeMs = ") / 60_000;
export const refreshDays = owned(grants, "const refreshTokenLifeMs = ") / day / 1_000;
export const refreshHours = owned(grants, "const repeatWindowMs = ") / 3_600_000;
export const rsaBits = owned("admin/partner-input.ts", "const rsaBits = { min: ");

export const holdDays = owned("admin/reference/reference-copy.ts", "const defaultHoldSeconds = ") / day;
export const shortestHoldMinutes = owned("ledger/holds/authorize.ts", "const shortestHoldMs = ") / 60_000;
export const longestHoldDays = owned("ledger/holds/authorize.ts", "const longestHoldMs = ") / day / 1_000;
export const refundDays = owned("ledger/holds/hold.ts", "const defaultRefundDays = ");
export const refundDaysMin = owned("admin/merchants/merchant-input.ts", "refundDays >= ");
export const refundDaysMax = owned("admin/merchants/merchant-input.ts", "refundDays <= ");
export const closedAfterDays = owned("store/migrations/0028-closed-holds.sql", "statement_timestamp() - interval '");
export const clockSeconds = owned("jobs/clock-check.ts", "const differenceMaxMs = ") / 1_000;

export const interbankSeconds = setting("INTERBANK_WAIT_SECONDS");
export const inquiryMinutes = setting("RAIL_INQUIRY_MAX_INTERVAL_SECONDS") / 60;
export const clockToleranceSeconds = owned("ledger/transfers/transfer.ts", "const clockToleranceMs = ") / 1_000;
export const probeSeconds = owned("rails/circuit.ts", "const probeEveryMs = ") / 1_000;
const httpServer = "edge/connections/http-server.ts";
export const headersSeconds = owned(httpServer, "const headersTimeoutMs = ") / 1_000;
export const requestSeconds = owned(httpServer, "const requestMsDefault = ") / 1_000;
export const keepAliveSeconds = owned(httpServer, "const keepAliveTimeoutMs = ") / 1_000;
export const firstInquirySeconds = owned("compose/rails/rails.ts", "const firstAskMs = ") / 1_000;
export const overdueHours = owned("compose/observe/watch-pending-transfers.ts", "const overdueMs = ") / 3_600_000;
export const submissionSeconds = owned("ledger/transfers/transfer.ts", "const submissionValidMs = ") / 1_000;
export const confirmSeconds = owned("store/postgres/confirmation/waiting-reads.ts", "const waitMaxMs = ") / 1_000;
export const sharedFee = Number(rail("skn").sharedFeeMax);
export const settlements = rail("skn").settlements ?? [];
export const hours = Object.values(rail("rtgs").hours ?? {}).join("-");
export const millions = (amount: string | undefined) => Number(amount) / million;

const schedule = read(`${server}/notify/delivery/schedule.ts`);
const units: Readonly<Record<string, string>> = { second: "s", minute: "m", hour: "h" };

/** Before each attempt of a notification, as `10 s`; the first is 0. */
export const pauses = (/const pauses = \[(.*)\]/.exec(schedule)?.[1] ?? "").split(", ").map((text) => {
  const [amount = "", unit = ""] = text.includes(" * ")
    ? text.split(" * ")
    : /^\d/.test(text)
      ? [text, "second"]
      : ["1", text];
  return `${amount} ${units[unit] ?? unit}`;
});
const laneBytes = /(?:sending|hanging): \{ count: [\d_]+, bytes: ([\d.]+) \* mebibyte/g;
export const notificationMiB = [...read(`${server}/notify/delivery/delivery-queues.ts`).matchAll(laneBytes)].reduce(
  (sum, [, mebibytes]) => sum + Number(mebibytes),
  0,
);

export const engine = "engine/engine.ts";
export const commandSeconds = owned("operations/write.ts", "const commandTimeoutMs = ") / 1_000;
export const connect = "store/postgres/connect.ts";
export const lockWaits = "engine/batch/lock-waits.ts";

export const operations = operationRows.length;
export const calls = operationRows.filter(({ direction }) => direction === "toProvider").length;
export const decisions: number = JSON.parse(read("docs/ambiguities.json")).length;

/** The first number behind a text of the page on benchmarks, which owns what was measured. */
export const measured = (text: string) => numberBehind(plain(read("docs/benchmarks.md")), text);
