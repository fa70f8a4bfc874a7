/** Figures of the guides. */
import { type Figure, page } from "./figure.ts";
import {
  bodyWaitSeconds,
  bulkMiB,
  calls,
  clockSeconds,
  closedAfterDays,
  codeMinutes,
  customerTokenDays,
  decisions,
  freeFormKiB,
  holdDays,
  idempotencyHours,
  keptDays,
  kibibyte,
  longestHoldDays,
  measured,
  mebibyte,
  ofClient,
  ofControl,
  ofExplain,
  ofSandbox,
  operations,
  owned,
  rates,
  refreshDays,
  refreshHours,
  refundDays,
  requestDays,
  setting,
  shortestHoldMinutes,
  staleSeconds,
  tokenSeconds,
  windowMinutes,
} from "./owners.ts";

const budget = "edge/connections/bodies/body-budget.ts";
const waitingPool = "edge/connections/bodies/waiting-pool.ts";
const holidays = "compose/observe/observe-holidays.ts";
const partnerTokens = "notify/partner-tokens.ts";
const routes = "receiver/notification-routes.ts";
const recorded = (name: string) => ofControl("calls/record-calls.ts", `const ${name} = `);
const [callsMax, recordedEachSecond] = [recorded("callsMax"), recorded("recordedEachSecond")];
const streams = (name: string) => ofControl("calls/call-streams.ts", `const ${name} = `);
const ofFaults = (name: string) => ofSandbox("control/fault-calls.ts", `const ${name} = `);

export const figuresOfGuides: readonly Figure[] = [
  ...page("docs/guides/bulk-transfers.md", [
    ["| {} MiB for the body (the provider's setting) |", bulkMiB],
    ["| {} KiB for one `additionalInfo` |", freeFormKiB],
    ["stays taken for at least {} hours, and as long as an item", idempotencyHours],
  ]),
  ...page("docs/guides/database-growth.md", [
    ["to `closed_holds`: {} days after their last event", closedAfterDays],
    [
      "for the last {} days, unless a clean `titian audit`",
      owned("store/migrations/0047-roles-of-jobs.sql", "known.to_id > id_at(clock_timestamp() - interval '"),
    ],
  ]),
  ...page("docs/guides/finding.md", [
    ["Without a day: of the last {} days", owned("views/search/read-query.ts", "const daysWithoutDay = ")],
    ["The answer has {} records at most", owned("views/money/find-number.ts", "const matchesMax = ")],
    ["the newest {} are looked through", owned("views/search/find-by-words.ts", "const recordsMax = ")],
    ["Of a record {} are kept, the first ones", owned("views/calls/calls-of-record.ts", "const rowsMax = ")],
    ["writes `TITIAN_SEARCH_RECORDS_PER_SECOND` a second ({})", setting("SEARCH_RECORDS_PER_SECOND")],
    [", and {} wait.", owned("admin/calls/call-buffer.ts", "const callsMax = ")],
    ["that name no record, {} are kept in a run", owned("admin/calls/keep-calls.ts", "const namelessMax = ")],
    ["its first {} characters", owned("admin/calls/keep-calls.ts", "const bodyCharactersMax = ")],
    ["It takes {} records a second (`TITIAN_SEARCH_RECORDS_PER_SECOND`)", setting("SEARCH_RECORDS_PER_SECOND")],
  ]),
  ...page("docs/guides/idempotency.md", [
    ["finds a request for {} days (`TITIAN_KEEP_EXTERNAL_IDS_DAYS`)", keptDays],
    ["`[External ids are kept {} days, numbers for ever]`", keptDays],
    ["only when {} minutes have passed since", windowMinutes],
    ["stays taken for {} hours after its first use", idempotencyHours],
  ]),
  ...page("docs/guides/operating.md", [
    ["good once and for {} minutes", codeMinutes],
    ["| `--hold-for` | {} days |", holdDays],
    ["| `--rate-limit` | `{}/s,{}` |", rates.all.perSecond, rates.all.burst],
    ["A partner has {} calls a second and {} at once", rates.all.perSecond, rates.all.burst],
    ["{} a second and {} at once for tokens (73, 74)", rates.tokens.perSecond, rates.tokens.burst],
    ["{} a second and {} at once for the calls that tell", rates.lookUps.perSecond, rates.lookUps.burst],
    ["and {} GiB of free-form members a day", setting("PARTNER_FREE_FORM_MIB_PER_DAY") / kibibyte],
    ["looks up more than {} different accounts in an hour", setting("PARTNER_LOOK_UPS_ALERT")],
    ["move to a table of their own {} days after", closedAfterDays],
    ["than {} days ahead, the check and the log of each start warn", owned(holidays, "const warnBelowDays = ")],
    ["While they differ by more than {} s, or the database is so slow", clockSeconds],
    ["differ by at most {} s, the copy of partners is at most {} s old", clockSeconds, staleSeconds],
    [
      "partner beyond {} at once and {} a second are counted",
      owned("observability/security/event-buckets.ts", "const burst = "),
      owned("observability/security/event-buckets.ts", "const perSecond = "),
    ],
    ["those beyond the {} that wait in memory", owned("observability/security/security-log.ts", "const waitingMax = ")],
    ["| a partner's bodies over {} KiB |", owned(budget, "const smallMax = ") / kibibyte],
    ["or two of `TITIAN_BULK_BODY_LIMIT`; {} MiB of all partners", owned(budget, "const longBodiesTotal = ")],
    [
      "| {} MiB; {} MiB of all | they wait, never",
      owned(budget, "ownerMax: "),
      owned(budget, "shortBodies = { total: "),
    ],
    [
      "{} of a partner and {} of all wait in each",
      owned(waitingPool, "MaxOfOwner = "),
      owned(waitingPool, "MaxOfAll = "),
    ],
    ["after {} s, or where as many wait already", bodyWaitSeconds],
    [
      "{} connections of callers with their shares",
      owned("edge/connections/http-server.ts", "const connectionsMax = "),
    ],
    ["stay valid for their {} minutes, customers' for their {} days", tokenSeconds / 60, customerTokenDays],
    ["{} s at most: log event `worker.ended`", owned("compose/workers/worker-slot.ts", "const delayMaxMs = ") / 1_000],
  ]),
  ...page("docs/guides/in-your-bank.md", [
    ["{} operations, {} that partners call and {} notifications", operations, calls, operations - calls],
    ["**{} decisions** are in the", decisions],
    ["| transfers a second | {} |", measured("| end to end, uniform | ")],
    ["Node {} us, PostgreSQL {} us", measured("| CPU, B | Node "), measured("us, PostgreSQL ")],
    ["| disk, with indexes | {} bytes", measured("with their indexes, after 17.2 million (2026-11-22) | ")],
  ]),
  ...page("docs/guides/payment-requests.md", [
    ["At most {} days ahead (a setting of the bank)", requestDays],
    ["or more than {} days ahead |", requestDays],
    ["stays taken for {} hours, and for as long as the request waits", idempotencyHours],
  ]),
  ...page("docs/guides/payments.md", [
    ["({} minute, in whole seconds, to {} days ahead, else 400xx01)", shortestHoldMinutes, longestHoldDays],
    ["else the merchant's term, {} days at first", holdDays],
    ["can be refunded for {} days, or the days that its merchant had", refundDays],
    ["Rejected attempts are remembered for {} days", setting("KEEP_REJECTIONS_DAYS")],
  ]),
  ...page("docs/guides/receiving-notifications.md", [
    [
      "up to {} KiB ({} MiB of 21)",
      ofClient(routes, "maxBytes = ") / kibibyte,
      ofClient(routes, "maxBulkBytes = ") / mebibyte,
    ],
    ["`X-TIMESTAMP` is at most {} minutes from now", ofClient("timestamps.ts", "const windowSeconds = ") / 60],
    ["and keeps it until {} s", owned(partnerTokens, "const marginMs = ") / 1_000],
  ]),
  ...page("docs/guides/refused-calls.md", [
    ["up to {} s apart", ofExplain("signature/time-options.ts", "const secondsApartMax = ")],
    ["and up to {} s earlier", ofExplain("signature/time-options.ts", "const secondsEarlierMax = ")],
    [
      "Other orders and missing members are tried of bodies up to {} bytes",
      ofExplain("signature/member-orders.ts", "const bodyMax = "),
    ],
    ["all orders of up to {} members", ofExplain("signature/member-orders.ts", "const allOrdersMax = ")],
    ["and none of one with more than {} values", ofExplain("signature/written-json.ts", "const valuesMax = ")],
    ["Bodies over {} KiB are not kept by the sandbox", recorded("partBytesMax") / kibibyte],
  ]),
  ...page("docs/reference/control-calls.md", [
    ["Does what has become due, for at most {} s", ofSandbox("due-work.ts", "const settleMs = ") / 1_000],
    ["good once, for {} minutes.", codeMinutes],
  ]),
  ...page("docs/guides/sandbox.md", [
    ["(real time, up to {}; {} if not given)", ofFaults("delayMsMax"), ofFaults("delayMsDefault")],
    ["for {} hours of real time", ofControl("sessions/sessions.ts", "const lifeMs = ") / 3_600_000],
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
  ...page("docs/guides/signing.md", [
    ["at most {} minutes from", windowMinutes],
    ["answered {} times a second and {} times at once at most", rates.tokens.perSecond, rates.tokens.burst],
    ["| `accessToken` | {} days,", customerTokenDays],
    ["| `refreshToken` | {} days,", refreshDays],
    ["| the code before it | {} minutes; once |", codeMinutes],
    ["with the same refresh token: for {} hours", refreshHours],
  ]),
  ...page("docs/guides/id/penandatanganan.md", [
    ["paling jauh {} menit dari sekarang", windowMinutes],
    ['selama `expiresIn` detik (teks `"{}"`)', tokenSeconds],
    ["| `accessToken` | {} hari,", customerTokenDays],
    ["| `refreshToken` | {} hari,", refreshDays],
    ["| kode sebelumnya | {} menit; satu kali |", codeMinutes],
    ["dengan refresh token yang sama: selama {} jam", refreshHours],
  ]),
  ...page("docs/guides/transfers.md", [
    ["may be called {} times a second, and {} times at once", rates.lookUps.perSecond, rates.lookUps.burst],
    ["nothing of the last {} days |", keptDays],
  ]),
];
