/** The rules of the design that oxlint cannot express. Each has a planted violation in scripts/planted/tidy.txt. */
import { oneShapeANoun } from "./noun-shapes.ts";
import type { Rule } from "./rule.ts";
import { noServiceBranches } from "./service-branches.ts";

const isTest = (path: string) => /\.test\.ts$|(^|\/)test\//.test(path);
export const isSource = (path: string) => /^packages\/[^/]+\/src\/.*\.tsx?$/.test(path) && !isTest(path);
/** Tables of the sandbox alone: the simulated rails stand for another institution's, and production plans no faults. */
const sandboxTables: readonly string[] = [
  "packages/sandbox/src/rails/simulated-rail-table.ts",
  "packages/sandbox/src/faults/fault-table.ts",
];
/** Where SQL may stand: what people see of a noun is read in its own folder. */
const isStore = (path: string) =>
  (/^packages\/server\/src\/(store|views)\//.test(path) && !isTest(path)) || sandboxTables.includes(path);
const isCode = (path: string) => /\.(ts|tsx|cjs|mjs|css|sql|sh)$/.test(path);

/** Before there is a server to send it to, the one statement that makes the database goes to PostgreSQL's input. */
const createsTheDatabase = "packages/embedded-postgres/src/cluster/create-cluster.ts";

/** Readers of the database's clock, never for a row's time: to compare it, to bound what may be dropped, for leases. */
const readsDatabaseClock: readonly string[] = [
  "packages/server/src/store/postgres/database-clock.ts",
  "packages/server/src/store/tables/rail-records/rail-leases.ts",
  "packages/server/src/store/migrations/0006-partitions.sql",
  "packages/server/src/store/migrations/0019-guarded-partitions.sql",
  "packages/server/src/store/migrations/0028-closed-holds.sql",
  "packages/server/src/store/migrations/0032-search.sql",
  "packages/server/src/store/migrations/0033-kept-calls.sql",
  "packages/server/src/store/migrations/0034-operators-acts.sql",
  "packages/server/src/store/migrations/0035-act-functions.sql",
  "packages/server/src/store/migrations/0037-kinds-of-acts.sql",
  "packages/server/src/store/migrations/0038-operator-sessions.sql",
  "packages/server/src/store/migrations/0040-reference-acts.sql",
  "packages/server/src/store/migrations/0041-unmasking.sql",
  "packages/server/src/store/migrations/0047-roles-of-jobs.sql",
  "packages/server/src/store/migrations/0049-break-glass.sql",
  "packages/server/src/store/migrations/0050-pruned-sessions.sql",
  "packages/server/src/store/migrations/0055-statements-of-functions.sql",
  "packages/server/src/store/migrations/0057-cells.sql",
  "packages/server/src/store/migrations/0059-bound-keys.sql",
  "packages/server/src/store/migrations/0061-numbers-of-grants.sql",
  "packages/server/src/store/migrations/0062-account-moves.sql",
  "packages/server/src/store/migrations/0064-rebound-keys.sql",
  "packages/server/src/store/reads/acts.ts",
  "packages/server/src/store/tables/acts.ts",
  "packages/server/src/store/tables/search/search-positions.ts",
  "packages/server/src/store/audit/checks/daily-use-check.ts",
];

/** Names by which something may leave without a confirmed commit, or seem to have one, and the files that may say them. */
const commitProofs: readonly { readonly said: RegExp; readonly by: RegExp }[] = [
  {
    said: /\bconfirmCommit\b/,
    by: /^packages\/server\/src\/store\/postgres\/(confirmation\/confirmed-commit|session|claim-rows)\.ts$/,
  },
  { said: /\bpostProbe\b/, by: /^packages\/server\/src\/notify\/(probe\/probe|post-notification(\.test)?)\.ts$/ },
  { said: /\bas (unknown as |never as )?ConfirmedCommit\b/, by: /^$/ },
];

/** Where `webhooks` is OpenAPI's own word. */
const openApi = "packages/contract/src/openapi/";

const sqlStart =
  /(["'`]\s*|^\s*)(select\s+(.*\sfrom\s+\w|\w+\()|insert into\s+\w|update\s+\w+\s+(\w+\s+)?set\s|delete from\s+\w|create\s+(table|index|unique|database|role|schema|function)\s|alter\s+(table|database|role|index)\s|drop\s+(table|database|schema|index|role)\s|truncate\s+(table\s)?\w|begin isolation|set local\s|lock table\s)/;
const sqlBlock = /["'`]\s*(select|with \w+ as \(|begin|commit|rollback)\s*["'`;]?\s*$/;
const sqlClock =
  /(?<![.\w])(now\(\)|current_timestamp|current_date|current_time\b|localtimestamp|clock_timestamp\(\)|statement_timestamp\(\)|transaction_timestamp\(\))/i;
/** Names that tables and columns once had. */
const oldDatabaseName =
  /\b(hold_lines|external_key|number_key|content_hash|free_form|limit_each|use_(day|total|count)|due_at|ended_by|end_journal|return_journal|within_call|settlement_account|payer_account|final_taken|return_taken)\b|\b(from|into|update|join) (writes|refusals)\b/;
const moneyName = "\\w*(?:amount|balance|fee|money)s?";
const moneyAsNumber = new RegExp(
  `\\b${moneyName}\\??:\\s*number\\b|\\b(?:Number|parseFloat|parseInt)\\((?:\\w+\\.)*${moneyName}\\b`,
  "i",
);

/** Former names of metrics, settings, log events, the client, the command line and the server's parts. */
const formerNames =
  /titian_(http_answers|flight|unknown_commands|poison|(long_|oldest_)?open_transfer|transfers_sending|rail_silences|rail_contradictions|holidays_left)|TITIAN_(CHANGES_PER_HOLD|CALLER_WAIT_SECONDS|RAIL_ASK_SECONDS|DUPLICATE_WINDOW_HOURS)|\bclock\.agrees"|\b(ERR_NO_ANSWER|ERR_SNAP_ANSWER|NoAnswerError|NoAnswerReason)\b|\.isDecided\b|transfer list --long\b|\b(transfersInBatch|DecisionUnanswered|resultIsTold|RailSilent|createWeather|RailBook|\w+Scene|startFreshSandbox|OutboxEvent|ClaimedDelivery|DeliveryRoom|PartnerTurns|TurnLimits|TripSender|unlessLocked|urlAt|AnswerForm|createDispatch|createServe)\b/;

export const rules: readonly Rule[] = [
  {
    name: "sql-only-in-store",
    sentence: "Only `store` and `views` hold SQL or import `pg`.",
    appliesTo: (path) => isSource(path) && !isStore(path) && path !== createsTheDatabase,
    breaks: (line) => sqlStart.test(line) || sqlBlock.test(line),
  },
  {
    name: "no-sql-clock",
    sentence: "The clock only in `clock.ts`: row times too, never SQL `now()`.",
    appliesTo: (path) => isStore(path) && !readsDatabaseClock.includes(path),
    breaks: (line) => sqlClock.test(line),
  },
  {
    name: "entries-are-final",
    sentence: "Nobody updates or deletes a journal or entry.",
    appliesTo: isStore,
    breaks: (line) => /\b(update|delete from|truncate)\s+(journals?|entries)\b/i.test(line),
  },
  {
    name: "portable-sql",
    sentence: "SQL stays in the portable core: no advisory locks, no MERGE.",
    appliesTo: isStore,
    breaks: (line) => /\bpg_(try_)?advisory|\bmerge into\b/i.test(line),
  },
  {
    name: "date-has-an-argument",
    sentence: "The clock only in `clock.ts`: `new Date()` reads it.",
    appliesTo: (path) => isSource(path) && !path.endsWith("/clock.ts"),
    breaks: (line) => /\bDate\(\)/.test(line),
  },
  {
    name: "no-todo",
    sentence: "No TODO: do it, or write an issue and leave the code whole.",
    appliesTo: (path) => isCode(path) && !path.startsWith("scripts/tidy/"),
    readsComments: true,
    breaks: (line) => /\b(TODO|FIXME|HACK)\b/.test(line),
  },
  {
    name: "money-is-bigint",
    sentence: "Money is a bigint of minor units everywhere inside, never a number (spec D9).",
    appliesTo: isSource,
    breaks: (line) => moneyAsNumber.test(line),
  },
  {
    name: "confirmed-commits",
    sentence:
      "Nothing leaves but behind a `ConfirmedCommit`, which `session.ts` and `claim-rows.ts` alone get, of PostgreSQL.",
    appliesTo: (path) => isCode(path) && !path.startsWith("scripts/tidy/"),
    findLine: ({ path, lines }) => {
      const index = lines.findIndex((line) => commitProofs.some(({ said, by }) => said.test(line) && !by.test(path)));
      return index === -1 ? undefined : index + 1;
    },
  },
  {
    name: "glossary-names",
    sentence: "Say notification, not webhook; void, not cancel (docs/glossary.md).",
    appliesTo: (path) => isCode(path) && /^(packages|test|bench|examples)\//.test(path) && !path.startsWith(openApi),
    breaks: (line) =>
      /webhook/i.test(line) || /\b(function|const|let|class|interface|type|enum)\s+\w*cancel/i.test(line),
    findLine: ({ path }) => (/webhook|cancel/i.test(path) ? 1 : undefined),
  },
  {
    name: "docs-layout",
    sentence: "Rules are in docs/specification.md, records in docs/adr.",
    appliesTo: (path) => !path.startsWith("scripts/"),
    breaks: (line) => /docs\/decisions\b|house decision/i.test(line),
    readsComments: true,
    findLine: ({ path }) => (path.startsWith("docs/decisions") ? 1 : undefined),
  },
  {
    name: "standard-words",
    sentence: "Documents say reconciled, onboarded, returned, fixed, the operator.",
    appliesTo: (path) => path.endsWith(".md") && path !== "CHANGELOG.md",
    breaks: (line) => /\b(whoever|mended|look(s|ed|ing)? after|taken on|(comes?|came) home)\b/i.test(line),
    readsComments: true,
  },
  {
    name: "former-names",
    sentence: "Former names do not return: docs/reference and the client's README have the new ones.",
    appliesTo: (path) => path !== "CHANGELOG.md" && !path.startsWith("scripts/tidy/"),
    readsComments: true,
    breaks: (line) => formerNames.test(line),
  },
  {
    name: "database-names",
    sentence: "Tables and columns have one name each: `packages/server/src/store/migrations`.",
    appliesTo: (path) => (isCode(path) || /^docs\/.*\.md$/.test(path)) && !path.startsWith("scripts/tidy/"),
    breaks: (line) => oldDatabaseName.test(line),
  },
  {
    name: "actions-show-errors",
    sentence: "A page shows the error of its action: `error` of `useAction`.",
    appliesTo: (path) => path.startsWith("packages/console/src/"),
    findLine: ({ lines }) => {
      const text = lines.join("\n");
      const index = lines.findIndex((line) => {
        const [, names] = /const (\w+|\{.*\}) = useAction\(/.exec(line) ?? [];
        return names !== undefined && !/\berror\b/.test(names) && !text.includes(`${names}.error`);
      });
      return index === -1 ? undefined : index + 1;
    },
  },
  noServiceBranches,
  oneShapeANoun,
  {
    name: "no-mocks",
    sentence: "No mock of our own server or of PostgreSQL in any test.",
    appliesTo: isTest,
    breaks: (line) => /\bmock\.module\(|from "(nock|pg-mem|msw|sinon|proxyquire)"/.test(line),
  },
  {
    name: "suppressions-have-reasons",
    sentence: "A rule switched off gives its reason: `oxlint-disable-next-line rule -- reason`.",
    appliesTo: (path) => isCode(path) && !path.startsWith("scripts/tidy/"),
    readsComments: true,
    breaks: (line) => /(\/\/|\/\*)\s*(oxlint|eslint)-disable(?!.* -- \w)/.test(line),
  },
  {
    name: "short-files",
    sentence: "A file has at most 300 lines: split it by what its parts are about.",
    appliesTo: (path) => /\.(sql|sh|css)$|^\.ci\//.test(path),
    findLine: ({ lines }) => (lines.length > 301 ? 301 : undefined),
  },
];
