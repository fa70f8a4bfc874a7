/**
 * The settings of a process, read once at start: the only reader of `process.env` beside `npm-parent.ts`.
 * Every fault is named at once, and the value of a secret is never shown.
 */
import type { CellAddress } from "../basics/cell-address.ts";
import { cellVariables, readCells } from "./files/cells.ts";
import { readFileSync } from "node:fs";
import { boolean, choice, fits, object, optional, schemaFaults, type Static, string } from "@titian/contract";
import { type ConsoleConfig, consoleVariables, readConsole } from "./console.ts";
import { type ControlConfig, controlVariables, readControl } from "./control.ts";
import { type DataFiles, dataFileVariables, readDataFiles } from "./files/data-files.ts";
import { type Listeners, listenerVariables, readListeners, readListenerTls } from "./listeners.ts";
import { type NotificationConfig, notificationVariables, readNotifications } from "./notifications.ts";
import { pathVariables, readPlace, type ServedPlace } from "./paths.ts";
import { findMisspelt } from "./misspelling.ts";
import { flag, fromText, range, whole } from "./types.ts";
import { type PartnerQuotas, partnerQuotaVariables, readPartnerQuotas } from "./partner-quotas.ts";
import { paymentRequestVariables, readPaymentRequestLimits } from "./payment-requests.ts";
import { type KeyConfig, keyVariables, namesKeyFile, readKeys } from "./keys.ts";
import { readRetention, type Retention, retentionVariables } from "./retention.ts";
import { isPem } from "./files/pem-files.ts";
import type { ListenerTls } from "../basics/tls.ts";
import { findConflicts, findMissing } from "./setting-conflicts.ts";

export interface Config
  extends Retention,
    ConsoleConfig,
    ControlConfig,
    KeyConfig,
    ServedPlace,
    Listeners,
    PartnerQuotas {
  /** With it every listener speaks TLS alone. */
  readonly tls?: ListenerTls;
  /** Time in which `/health/ready` says no before a stopping node takes no more calls. */
  readonly shutdownDelayMs: number;
  /** Number of processes that serve on the address; above 1 the one that was started supervises them (ADR 0038). */
  readonly workers: number;
  /** Directory of the embedded database and the sandbox's credentials. */
  readonly dataDir: string;
  /** An existing PostgreSQL; absent means the embedded one. */
  readonly databaseUrl?: string;
  /** The same database for administration: commands and the sandbox's control calls; a production node has no use for it. */
  readonly administrationUrl?: string;
  readonly sandbox: boolean;
  /** True: the node takes no write and runs no job that acts, the start for a restored database (ADR 0054). */
  readonly inquiriesOnly: boolean;
  /** Our own bank code (spec D6). */
  readonly bankCode: string;
  /** Files that take the place of those that come with the service (spec D11). */
  readonly cells: readonly CellAddress[];
  readonly railFiles: DataFiles;
  /** Largest distance of `X-TIMESTAMP` from our time, both ways (spec D2 step 6). */
  readonly timestampWindowMs: number;
  /** Largest body in bytes, and largest body of a bulk (spec D17). */
  readonly bodyLimit: number;
  readonly bulkBodyLimit: number;
  /** True: `X-EXTERNAL-ID` is restricted to digits (spec D2). */
  readonly externalIdDigitsOnly: boolean;
  /** Time for which an external id stays taken after its first use, at least 24 h (spec D7). */
  readonly idempotencyWindowMs: number;
  /** Largest number of captures of one hold, also of its voids and of its refunds (spec D10). */
  readonly holdEventsMax: number;
  /** Limits of requests for payment (19) (spec D12). */
  readonly paymentRequests: ReturnType<typeof readPaymentRequestLimits>;
  /** Bulks (20) that a node reads and writes at once, waiting ones included, and those of one partner. */
  readonly bulksMax: number;
  readonly partnerBulksMax: number;
  /** Time that an interbank transfer (18) waits for the rail before it is answered 202 (spec D11). */
  readonly interbankWaitMs: number;
  /** Maximum interval between two inquiries to a rail about one open transfer (spec D11). */
  readonly railInquiryMaxIntervalMs: number;
  readonly notifications: NotificationConfig;
  /** Where file-based rails have their folders; absent: outside the sandbox no rail is connected. */
  readonly railDirectory?: string;
  readonly logLevel: Settings["TITIAN_LOG_LEVEL"];
  /** File of the security log; absent: there is none. */
  readonly securityLog?: string;
  /** Requirement of a synchronous standby of the database. */
  readonly synchronous: "required" | "optional";
  /** True: a database that may lose commits is accepted, with a warning. */
  readonly allowUnsafeDatabase: boolean;
  /** Files that settings name, by the setting. */
  readonly files: Readonly<Partial<Record<Variable, string>>>;
  /** `TITIAN_*` variables that are not settings and resemble none: ignored, with a warning. */
  readonly unknownSettings: readonly string[];
}

type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** Names every setting that cannot be used; the message is for the operator. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`Invalid configuration:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`);
    this.faults = faults;
  }
}

const readUtf8 = (path: string) => readFileSync(path, "utf8");
/** Names of settings, but for the variables of `npm start` and of the test suite. */
const named = /^TITIAN_(?!TEST_|NPM_PID$)/;

const postgresUrl = string({ pattern: "^postgres(ql)?://", description: "a postgres:// URL" });

/** One row per variable; `description` completes "<name> must be …". */
const Environment = object({
  ...listenerVariables,
  TITIAN_SHUTDOWN_DELAY_SECONDS: optional(range(0, 60, "seconds")),
  TITIAN_WORKERS: whole(1, 64, 1, "a number"),
  DATABASE_URL: optional(postgresUrl),
  TITIAN_ADMIN_DATABASE_URL: optional(postgresUrl),
  ...controlVariables,
  ...cellVariables,
  ...consoleVariables,
  TITIAN_DATA_DIR: string({ default: ".titian", description: "a directory" }),
  TITIAN_SANDBOX: optional(boolean(flag)),
  TITIAN_INQUIRIES_ONLY: boolean({ ...flag, default: false }),
  ...pathVariables,
  TITIAN_BANK_CODE: optional(
    string({
      pattern: "^([0-9]{3}|[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?)$",
      description: "our bank code: three digits, or a BIC of 8 or 11 characters",
    }),
  ),
  ...dataFileVariables,
  ...keyVariables,
  TITIAN_TIMESTAMP_WINDOW_SECONDS: whole(1, 3_600, 300, "seconds"),
  TITIAN_BODY_LIMIT: whole(1_024, 1_048_576, 65_536, "bytes"),
  TITIAN_BULK_BODY_LIMIT: whole(1_024, 67_108_864, 8_388_608, "bytes"),
  TITIAN_EXTERNAL_ID_DIGITS_ONLY: boolean({ ...flag, default: false }),
  TITIAN_IDEMPOTENCY_WINDOW_HOURS: whole(24, 8_760, 24, "hours"),
  TITIAN_HOLD_EVENTS_MAX: whole(1, 10_000, 1_000, "a number"),
  ...paymentRequestVariables,
  ...partnerQuotaVariables,
  ...retentionVariables,
  TITIAN_BULKS_MAX: whole(5, 1_000, 16, "a number"),
  TITIAN_PARTNER_BULKS_MAX: whole(3, 1_000, 10, "a number"),
  TITIAN_INTERBANK_WAIT_SECONDS: whole(1, 60, 10, "seconds"),
  TITIAN_RAIL_INQUIRY_MAX_INTERVAL_SECONDS: whole(10, 3_600, 300, "seconds"),
  ...notificationVariables,
  TITIAN_RAIL_DIRECTORY: optional(string({ description: "a folder" })),
  TITIAN_LOG_LEVEL: choice(["silent", "fatal", "error", "warn", "info", "debug", "trace"], {
    default: "info",
    description: "silent, fatal, error, warn, info, debug or trace",
  }),
  TITIAN_SECURITY_LOG: optional(string({ description: "a file" })),
  TITIAN_SYNCHRONOUS: choice(["required", "optional"], { default: "optional", description: "required or optional" }),
  TITIAN_ALLOW_UNSAFE_DATABASE: boolean({ ...flag, default: false }),
  TITIAN_ALLOW_EMBEDDED_DATABASE: boolean({ ...flag, default: false }),
});

type Settings = Static<typeof Environment>;
type Variable = keyof Settings;

const fileVariables = [
  "TITIAN_TLS_CERT",
  "TITIAN_TLS_KEY",
  "TITIAN_TLS_CLIENT_CA",
  "TITIAN_KEYS",
  "TITIAN_MASTER_KEY",
  "TITIAN_MASTER_KEY_PREVIOUS",
  "TITIAN_PROVIDER_KEY",
  "TITIAN_PROVIDER_KEY_NEXT",
  "TITIAN_NOTIFICATION_CA_FILE",
  "TITIAN_NOTIFICATION_TLS_CERT",
  "TITIAN_NOTIFICATION_TLS_KEY",
  "TITIAN_RAILS_FILE",
  "TITIAN_HOLIDAYS_FILE",
  "TITIAN_BANKS_FILE",
  "TITIAN_CELLS",
  "TITIAN_ADMIN_CELLS",
] as const satisfies readonly Variable[];

const secretVariables: ReadonlySet<string> = new Set<Variable>([
  "DATABASE_URL",
  "TITIAN_ADMIN_DATABASE_URL",
  "TITIAN_CONSOLE_DATABASE_URL",
  "TITIAN_OIDC_CLIENT_SECRET",
  "TITIAN_TOKEN",
  "TITIAN_MASTER_KEY",
  "TITIAN_MASTER_KEY_PREVIOUS",
  "TITIAN_PROVIDER_KEY",
  "TITIAN_PROVIDER_KEY_NEXT",
  "TITIAN_NOTIFICATION_PROXY",
]);

interface ReadConfigOptions {
  /** True: outside the sandbox master key and provider key must be there; commands on the database alone say false. */
  readonly needsSecrets?: boolean;
  /** Reads the files that settings of keys name. */
  readonly readText?: (path: string) => string;
}

/** This process's configuration. @throws ConfigError */
export function loadConfig(options?: ReadConfigOptions): Config {
  return readConfig(process.env, options);
}

/** The configuration that these variables describe. An empty variable counts as absent. @throws ConfigError */
export function readConfig(env: EnvironmentVariables, options: ReadConfigOptions = {}): Config {
  const faults: string[] = [];
  const settings = readSettings(env, faults);
  if (settings === undefined) throw new ConfigError(faults);
  const { DATABASE_URL: databaseUrl, TITIAN_ADMIN_DATABASE_URL: administrationUrl } = settings;
  const sandbox = settings.TITIAN_SANDBOX ?? (databaseUrl === undefined && administrationUrl === undefined);
  const { readText = readUtf8 } = options;
  const isNot = (name: Variable) => void faults.push(`${name} must be ${describe(name)}`);
  const keys = readKeys(settings, readText, isNot, faults);
  const notifications = readNotifications(settings, sandbox, readText, isNot, faults);
  const isService = options.needsSecrets !== false;
  const tls = isService ? readListenerTls(settings, readText, isNot, faults) : undefined;
  if (!sandbox && isService) faults.push(...findMissing(settings, describe));
  const place = { ...readPlace(settings, sandbox, faults), ...readConsole(settings, sandbox, faults) };
  const cells = readCells(settings, { isCommand: !isService, isSandbox: sandbox, readText }, faults);
  const unknownSettings = Object.keys(env).filter((name) => named.test(name) && !(name in Environment.properties));
  faults.push(...findMisspelt(unknownSettings, Object.keys(Environment.properties)));
  faults.push(...findConflicts(settings, sandbox, !isService));
  if (faults.length > 0) throw new ConfigError(faults);
  return {
    ...readListeners(settings, sandbox),
    ...(tls !== undefined && { tls }),
    shutdownDelayMs: (settings.TITIAN_SHUTDOWN_DELAY_SECONDS ?? (sandbox ? 0 : 5)) * 1_000,
    workers: settings.TITIAN_WORKERS,
    dataDir: settings.TITIAN_DATA_DIR,
    ...(databaseUrl !== undefined && { databaseUrl }),
    ...(administrationUrl !== undefined && { administrationUrl }),
    ...readControl(settings),
    sandbox,
    inquiriesOnly: settings.TITIAN_INQUIRIES_ONLY,
    ...place,
    bankCode: settings.TITIAN_BANK_CODE ?? "999",
    cells,
    railFiles: readDataFiles(settings),
    ...keys,
    timestampWindowMs: settings.TITIAN_TIMESTAMP_WINDOW_SECONDS * 1_000,
    bodyLimit: settings.TITIAN_BODY_LIMIT,
    bulkBodyLimit: settings.TITIAN_BULK_BODY_LIMIT,
    externalIdDigitsOnly: settings.TITIAN_EXTERNAL_ID_DIGITS_ONLY,
    idempotencyWindowMs: settings.TITIAN_IDEMPOTENCY_WINDOW_HOURS * 3_600_000,
    holdEventsMax: settings.TITIAN_HOLD_EVENTS_MAX,
    paymentRequests: readPaymentRequestLimits(settings),
    ...readPartnerQuotas(settings),
    ...readRetention(settings),
    bulksMax: settings.TITIAN_BULKS_MAX,
    partnerBulksMax: settings.TITIAN_PARTNER_BULKS_MAX,
    interbankWaitMs: settings.TITIAN_INTERBANK_WAIT_SECONDS * 1_000,
    railInquiryMaxIntervalMs: settings.TITIAN_RAIL_INQUIRY_MAX_INTERVAL_SECONDS * 1_000,
    notifications,
    ...(settings.TITIAN_RAIL_DIRECTORY !== undefined && { railDirectory: settings.TITIAN_RAIL_DIRECTORY }),
    logLevel: settings.TITIAN_LOG_LEVEL,
    ...(settings.TITIAN_SECURITY_LOG !== undefined && { securityLog: settings.TITIAN_SECURITY_LOG }),
    synchronous: settings.TITIAN_SYNCHRONOUS,
    allowUnsafeDatabase: settings.TITIAN_ALLOW_UNSAFE_DATABASE,
    files: filesOf(settings),
    unknownSettings,
  };
}

function filesOf(settings: Settings): Config["files"] {
  const given = fileVariables.map((name) => [name, settings[name]] as const);
  return Object.fromEntries(
    given.filter(([name, value]) => value !== undefined && !isPem(value) && namesKeyFile(settings, name, value)),
  );
}

/** The variables as typed values with their defaults, or undefined with every fault added. */
function readSettings(env: EnvironmentVariables, faults: string[]): Settings | undefined {
  const found: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(Environment.properties)) {
    const text = env[name]?.trim();
    const value = text === undefined || text === "" ? schema.default : fromText(schema, text);
    if (value !== undefined) found[name] = value;
  }
  for (const name of new Set(schemaFaults(Environment, found).map(({ path }) => String(path[0]))))
    faults.push(`${name} must be ${describe(name)}${quote(name, env[name])}`);
  return fits(Environment, found) ? found : undefined;
}

function describe(name: string): string {
  return Environment.properties[name]?.description ?? "valid";
}

const quote = (name: string, value: string | undefined) =>
  secretVariables.has(name) ? "" : `, not ${JSON.stringify(value)}`;
