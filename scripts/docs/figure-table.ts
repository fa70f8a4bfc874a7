/** Figures of the documents and of the register, with what owns each. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Figure, numberBehind, numberSettingsIn, settingFigures } from "./figures.ts";

const root = resolve(import.meta.dirname, "../..");
const server = "packages/server/src";
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** The number behind a text of a file of the server. */
const owned = (path: string, text: string) => numberBehind(read(`${server}/${path}`), text);

const settings = ["config", "payment-requests", "retention"].flatMap((name) =>
  numberSettingsIn(read(`${server}/config/${name}.ts`)),
);

function setting(name: string): number {
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

const rails: readonly RailData[] = JSON.parse(read("packages/server/data/rails.json"));

function rail(name: string): RailData {
  const found = rails.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no rail ${name}`);
  return found;
}

const million = 1_000_000;
const kibibyte = 1_024;
const mebibyte = 1_024 * kibibyte;
const day = 86_400;

const windowMinutes = setting("TIMESTAMP_WINDOW_SECONDS") / 60;
const idempotencyHours = setting("IDEMPOTENCY_WINDOW_HOURS");
const keptDays = setting("KEEP_EXTERNAL_IDS_DAYS");
const holdEventsMax = setting("HOLD_EVENTS_MAX");
const openOfPartner = setting("OPEN_PAYMENT_REQUESTS_MAX");
const openOfPayer = setting("OPEN_PAYMENT_REQUESTS_OF_PAYER_MAX");
const requestDays = setting("PAYMENT_REQUEST_DAYS_MAX");
const bulks = { ofPartner: setting("PARTNER_BULKS_MAX"), ofNode: setting("BULKS_MAX") };
const bodyKiB = setting("BODY_LIMIT") / kibibyte;
const bulkMiB = setting("BULK_BODY_LIMIT") / mebibyte;
const jsonDepth = numberBehind(read("packages/contract/src/json/read-json.ts"), "maxDepth: ");
const itemsMax = numberBehind(
  read("packages/contract/src/operations/transfers/interbank-bulk-transfer.ts"),
  "listOf(bulkItem, { min: 1, max: ",
);

const fieldTypes = read("packages/contract/src/fields/types.ts");
const accountNoMax = numberBehind(fieldTypes, "const AccountNo = text(");
const sourceAccountNoMax = numberBehind(fieldTypes, "const SourceAccountNo = text(");
const bodyWaitSeconds = owned("edge/connections/bodies/waiting-pool.ts", "const waitMs = ") / 1_000;
const unreadKiB = owned("edge/connections/lingering.ts", "const unwantedMax = ") / kibibyte;
const lingerSeconds = owned("edge/connections/lingering.ts", "const lingerMs = ") / 1_000;
const staleSeconds = owned("admin/reference/reference-data.ts", "const staleAfterMs = ") / 1_000;
const tokenSeconds = owned("edge/authentication/tokens.ts", "const partnerTokenSeconds = ");
const customerTokenDays = owned("interfaces/call.ts", "const customerTokenSeconds = ") / day;
const grants = "admin/grants/customer-grants.ts";
const codeMinutes = owned(grants, "const codeLifeMs = ") / 60_000;
const refreshDays = owned(grants, "const refreshTokenLifeMs = ") / day / 1_000;
const refreshHours = owned(grants, "const repeatWindowMs = ") / 3_600_000;
const rsaBits = owned("admin/partner-input.ts", "const rsaBits = { min: ");

const holdDays = owned("admin/reference/reference-copy.ts", "const defaultHoldSeconds = ") / day;
const shortestHoldMinutes = owned("ledger/holds/authorize.ts", "const shortestHoldMs = ") / 60_000;
const longestHoldDays = owned("ledger/holds/authorize.ts", "const longestHoldMs = ") / day / 1_000;
const refundDays = owned("ledger/holds/hold.ts", "const defaultRefundDays = ");
const refundDaysMin = owned("admin/merchants/merchant-input.ts", "refundDays >= ");
const refundDaysMax = owned("admin/merchants/merchant-input.ts", "refundDays <= ");
const closedAfterDays = owned("store/migrations/0028-closed-holds.sql", "statement_timestamp() - interval '");
const clockSeconds = owned("jobs/clock-check.ts", "const differenceMaxMs = ") / 1_000;

const interbankSeconds = setting("INTERBANK_WAIT_SECONDS");
const inquiryMinutes = setting("RAIL_INQUIRY_MAX_INTERVAL_SECONDS") / 60;
const firstInquirySeconds = owned("compose/rails/rails.ts", "const firstAskMs = ") / 1_000;
const overdueHours = owned("compose/observe/watch-pending-transfers.ts", "const overdueMs = ") / 3_600_000;
const submissionSeconds = owned("ledger/transfers/transfer.ts", "const submissionValidMs = ") / 1_000;
const confirmSeconds = owned("store/postgres/confirmation/waiting-reads.ts", "const waitMaxMs = ") / 1_000;
const sharedFee = Number(rail("skn").sharedFeeMax);
const settlements = rail("skn").settlements ?? [];
const hours = Object.values(rail("rtgs").hours ?? {}).join("-");
const millions = (amount: string | undefined) => Number(amount) / million;

const notify = "notify/delivery/schedule.ts";
const pauses = (/const pauses = \[(.*)\]/.exec(read(`${server}/${notify}`))?.[1] ?? "").split(", ").length;
const laneBytes = /(?:turns|hanging): \{ count: [\d_]+, bytes: ([\d.]+) \* mebibyte/g;
const notificationMiB = [...read(`${server}/notify/delivery/delivery-queues.ts`).matchAll(laneBytes)].reduce(
  (sum, [, mebibytes]) => sum + Number(mebibytes),
  0,
);

const engine = "engine/engine.ts";
const commandSeconds = owned("operations/write.ts", "const commandTimeoutMs = ") / 1_000;
const connect = "store/postgres/connect.ts";
const lockWaits = "engine/batch/lock-waits.ts";
const suspenseParts = owned("ledger/accounts/suspense-part.ts", "const suspensePartCount = ");

const recordCalls = read("packages/control/src/calls/record-calls.ts");
const recorded = (name: string) => numberBehind(recordCalls, `const ${name} = `);
const callsMax = recorded("callsMax");
const recordedEachSecond = recorded("recordedEachSecond");
const callStreams = read("packages/control/src/calls/call-streams.ts");
const streams = (name: string) => numberBehind(callStreams, `const ${name} = `);

type Row = readonly [says: string, ...figures: (number | string)[]];

const page = (path: string, rows: readonly Row[]): readonly Figure[] =>
  rows.map(([says, ...figures]) => ({ path, says, figures }));

export const figureTable: readonly Figure[] = [
  ...settingFigures("docs/reference/settings.md", settings),
  ...page("docs/specification.md", [
    ["**Own account numbers**: 1 to {} letters,", accountNoMax],
    ["One of more than {} characters can be credited", sourceAccountNoMax],
    ["`X-TIMESTAMP` within {} minutes, both ways (a setting)", windowMinutes],
    ["finds its share full waits for room, up to {} s,", bodyWaitSeconds],
    ["Of a body that nobody asks for, {} KiB are read at most", unreadKiB],
    ["a node whose copy of the partners is older than {} s answers 503xx00", staleSeconds],
    ["RSA public keys of {} bits or more", rsaBits],
    ['valid for {} seconds (`expiresIn` is the text `"{}"`)', tokenSeconds, tokenSeconds],
    ["bound to one partner and one account, valid for {} days", customerTokenDays],
    ["an authorization code of {} minutes or a refresh token of {} days", codeMinutes, refreshDays],
    ["A refresh whose response was lost may be repeated for {} hours", refreshHours],
    ["stays taken for at least {} hours after its first use", idempotencyHours],
    ["refunds may come in any number up to {} each", holdEventsMax],
    ["{} days after authorization (merchant's setting)", holdDays],
    ["{} minute (exactly {} s, in whole seconds, is taken)", shortestHoldMinutes, shortestHoldMinutes * 60],
    ["is taken) to {} days ahead", longestHoldDays],
    ["had when it was made: {} to {}, {} unless", refundDaysMin, refundDaysMax, refundDays],
    ["**Closed for good**: {} days after its last change", closedAfterDays],
    ["while they differ by more than {} seconds", clockSeconds],
    ["| interbank online | {} to {} million |", Number(rail("interbank").min), millions(rail("interbank").max)],
    ["| RTGS | over {} million | working days {} |", Math.floor(millions(rail("rtgs").min)), hours],
    ["| SKNBI, in batches | up to {} billion |", millions(rail("skn").max) / 1_000],
    [
      "SKNBI settles {} times a working day, {} to {}",
      settlements.length,
      settlements[0] ?? "",
      settlements.at(-1) ?? "",
    ],
    ["the sender pays at most {}, the beneficiary the rest", sharedFee],
    ["No response within {} s (a setting): 202", interbankSeconds],
    ["inquired of after {} s, then at doubling intervals of at most {} minutes", firstInquirySeconds, inquiryMinutes],
    ["after {} hour operators are alerted", overdueHours],
    ["of one partner to one payer {}, of all partners to one payer {} (settings)", openOfPartner, openOfPayer],
    ["or more than {} days ahead (a setting)", requestDays],
    ["1 to {} items, accepted as a whole", itemsMax],
    ["{} attempts, each after the one before by", pauses],
    ["Not within {} s: 500xx00.", confirmSeconds],
    ["as long as it is kept: {} days (a setting)", keptDays],
    ["Bodies {} KiB, a bulk {} MiB; JSON {} levels deep", bodyKiB, bulkMiB, jsonDepth],
    ["bulks at once, {} of a partner and {} on a node", bulks.ofPartner, bulks.ofNode],
  ]),
  ...page("docs/ambiguities.json", [
    ["D5: 1 to {} letters, digits, -, _ and .,", accountNoMax],
    ["accounts that partners debit at most {} characters", sourceAccountNoMax],
    ["after {} s without a refresh 503xx00", staleSeconds],
    ["D2 step 6: {} minutes, both ways", windowMinutes],
    ["while they differ by more than {} s; the node is not ready", clockSeconds],
    ["D11: no, not more than {} s after it.", submissionSeconds],
    ["service 73, RSA over clientKey|timestamp, {} seconds", tokenSeconds],
    [
      "a token of {} days for one partner and one account, and a refresh token of {} days",
      customerTokenDays,
      refreshDays,
    ],
    ["D3: {} minutes of business time, once", codeMinutes],
    ["While that is unused, for {} hours, a repeat gets the same one", refreshHours],
    ["D17: {} KiB, a bulk {} MiB; more is 400xx00", bodyKiB, bulkMiB],
    ["cut {} s later; of a body that nobody asks for {} KiB are read at most", lingerSeconds, unreadKiB],
    ["D17: {} levels; deeper is 400xx00", jsonDepth],
    ["D13: 1 to {}; else 400xx01 bulkObject", itemsMax],
    ["a write waits {} s for its commit", commandSeconds],
    ["no day: at least {} hours from the first use", idempotencyHours],
    ["for as long as external ids are kept, {} days", keptDays],
    ["D8: {} days, longer than any copy", setting("KEEP_REJECTIONS_DAYS")],
    ["the sender up to {}, the beneficiary the rest", sharedFee],
    ["D10: {} days, the merchant's own time", holdDays],
    ["additionalInfo.validUpTo, {} minute to {} days ahead", shortestHoldMinutes, longestHoldDays],
    ["D10: yes, up to {} each for a hold", holdEventsMax],
    ["D10: {} days from its time on", refundDays],
    ["own days when it was made, {} to {}", refundDaysMin, refundDaysMax],
    ["D11: working days {} WIB", hours.replace("-", " to ")],
    ["D12: {} of one partner and {} of all partners", openOfPartner, openOfPayer],
    ["expiredDatetime at most {} days ahead", requestDays],
    ["D17: {} of one partner and {} in all on each node", bulks.ofPartner, bulks.ofNode],
    ["D14: {} attempts over about a day", pauses],
  ]),
  ...page("docs/architecture.md", [
    ["After {} ms a batch gives up", owned(connect, 'lock_timeout: "')],
    ["**The suspense account of a rail is {} rows**", suspenseParts],
    ["again with fresh reads, {} times, then its halves", owned("engine/batch/retry.ts", "const conflictTries = ")],
    ["leaves within {} s of the commit that records it", submissionSeconds],
    ["one that could not for {} s lets nobody in", staleSeconds],
    ["rest beyond {} s", clockSeconds],
  ]),
  ...page("docs/guides/payments.md", [
    ["({} minute, in whole seconds, to {} days ahead, else 400xx01)", shortestHoldMinutes, longestHoldDays],
    ["else the merchant's term, {} days at first", holdDays],
  ]),
  ...page("docs/guides/idempotency.md", [
    ["finds a request for {} days (`TITIAN_KEEP_EXTERNAL_IDS_DAYS`)", keptDays],
    ["`[External ids are kept {} days, numbers for ever]`", keptDays],
    ["only when {} minutes have passed since", windowMinutes],
    ["stays taken for {} hours after its first use", idempotencyHours],
  ]),
  ...page("docs/guides/signing.md", [
    ["at most {} minutes from", windowMinutes],
    ["| `accessToken` | {} days,", customerTokenDays],
    ["| `refreshToken` | {} days,", refreshDays],
    ["| the code before it | {} minutes; once |", codeMinutes],
    ["with the same refresh token: for {} hours", refreshHours],
  ]),
  ...page("docs/reference/engine.md", [
    ["{} s after it was queued", commandSeconds],
    ["is {} rows, so that batches of two nodes", suspenseParts],
    ["happens within {} s of the commit that records it", submissionSeconds],
    ["{} callers may wait, {} of one partner", owned(engine, "{ requests: "), owned(engine, "requestsOfOnePartner: ")],
    ["{} jobs may wait", owned(engine, ", jobs: ")],
    ["at most {} commands and writes at most {} rows", owned(engine, "{ commands: "), owned(engine, ", rows: ")],
    ["At most {} commands of a batch read all captures", owned(engine, "unboundedReads: ")],
    ["A session gives up a lock after {} ms", owned(connect, 'lock_timeout: "')],
    ["a statement after {} s", owned(connect, 'statement_timeout: "') / 1_000],
    ["ends a transaction that idles for {} s", owned(connect, 'idle_in_transaction_session_timeout: "') / 1_000],
    ["with fresh reads, at most {} times", owned("engine/batch/retry.ts", "const conflictTries = ")],
    ["all rows of that transaction, {} at a time", owned(lockWaits, "const checkMax = ")],
    ["Every {} ms a connection of its own looks", owned(lockWaits, "const checkEveryMs = ")],
    ["For {} s after that batches wait", owned(lockWaits, "const patientMs = ") / 1_000],
    ["Not within {} s: `UnconfirmedRead`", confirmSeconds],
  ]),
  ...page("docs/reference/metrics.md", [
    ["an address had more than {} of these,", owned("edge/connections/connections.ts", "{ ofAddress: ")],
    ["or all had more than {};", owned("edge/connections/connections.ts", "ofAll: ")],
    ["{} requests, {} reads,", owned(engine, "{ requests: "), owned("compose/core.ts", "waiting: ")],
    ["at most {} each, others are submitted when they are due", owned("compose/rails/rails.ts", "const callsMax = ")],
  ]),
  ...page("docs/reference/notifications.md", [["a node has at most {} MiB of bodies in memory", notificationMiB]]),
  ...page("docs/guides/sandbox.md", [
    [
      "for {} hours of real time",
      numberBehind(read("packages/control/src/sessions/sessions.ts"), "const lifeMs = ") / 3_600_000,
    ],
    [
      "A node keeps {} calls and {} refused ones, at most {} MiB of each",
      callsMax,
      callsMax,
      recorded("bytesMax") / mebibyte,
    ],
    ["Bodies and answers are cut after {} KiB", recorded("partBytesMax") / kibibyte],
    ["it records {} accepted and {} refused calls", recordedEachSecond, recordedEachSecond],
    ["at most {} a second, and then an event `skipped`", streams("perSecond")],
    ["A node has {} streams at once", streams("streamsMax")],
  ]),
];
