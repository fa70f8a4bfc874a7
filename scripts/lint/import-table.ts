/** The import table of the design as data. Oxlint's rules are made of it; breaking a row prints its sentence. */

export interface ImportRow {
  /** Glob of the files the row is about. */
  readonly files: string;
  readonly sentence: string;
  /** Packages and built-in modules the files may import; `*` stands for any. */
  readonly packages: readonly string[];
  /** In packages/server/src: the other folders the files may import from, or parts of one: `store/reads/`, `basics/ids.ts`. */
  readonly folders?: readonly string[];
  /** Folders beside the row's own sub-folder that are called like one in packages/server/src. */
  readonly siblings?: readonly string[];
}

export const serverFolders = [
  "admin",
  "basics",
  "compose",
  "config",
  "edge",
  "engine",
  "entries",
  "interfaces",
  "jobs",
  "ledger",
  "notify",
  "observability",
  "operations",
  "rails",
  "store",
  "transit",
  "views",
] as const;

const tools = ["basics/clock.ts", "basics/ids.ts"];
/** Every folder but `ledger` may log and count. */
const shared = ["observability", ...tools];
/** `call` is the seam between edge and operations; `secrets` seals what is stored. */
const withCalls = [...shared, "basics/secrets.ts", "interfaces/call.ts"];
/** The seam between operations and rails, of which `transfer-sender` is all that either knows of the other. */
const withTransfers = [...withCalls, "interfaces/transfer-sender.ts"];
const withNotifications = [...withCalls, "interfaces/notifications.ts"];
const own = ["@titian/contract"];
const serverEntries = ["", "/admin", "/config", "/rails", "/workers"].map((entry) => `@titian/server${entry}`);
const builtin = ["node:*", "node:*/**"];
const foreign = [...builtin, "cli-progress", "commander", "fastify", "@fastify/*", "jose", "lru-cache", "pino"].concat([
  "prom-client",
  "@opentelemetry/api",
  "undici",
]);

const server = (name: string) => `packages/server/src/${name}/**`;

export const importTable: readonly ImportRow[] = [
  {
    files: "packages/contract/src/**",
    sentence: "`contract` depends on nothing: it imports `node:crypto` and no other package.",
    packages: ["node:crypto"],
  },
  {
    files: "packages/client/src/**",
    sentence: "`client` imports only `contract`.",
    packages: [...own, ...builtin],
  },
  {
    files: "packages/embedded-postgres/src/**",
    sentence: "`embedded-postgres` knows nothing of the service: it imports no other package.",
    packages: builtin,
  },
  {
    files: "packages/explain/src/**",
    sentence: "`explain` is pure: it imports `contract` and `node:crypto`.",
    packages: [...own, "node:crypto"],
  },
  {
    files: "packages/reference/src/**",
    sentence: "`reference` makes pages of rows and documents: of ours it imports `contract` alone.",
    packages: [...own, ...builtin, "marked"],
  },
  {
    files: "packages/rail-files/src/**",
    sentence:
      "`rail-files` imports `contract`, the interface of rails (`@titian/server`, `@titian/server/rails`) and nothing else of ours.",
    packages: [...own, "@titian/server", "@titian/server/rails", ...foreign],
  },
  {
    files: "packages/cli/src/**",
    sentence: "`cli` imports the other packages by their entries.",
    packages: [
      ...own,
      "@titian/contract/csv-cells",
      ...serverEntries,
      "@titian/client",
      "@titian/control",
      "@titian/control/in-process",
      "@titian/control/types",
      "@titian/embedded-postgres",
      "@titian/explain",
      "@titian/explain/nearest",
      "@titian/rail-files",
      "@titian/sandbox",
      "@titian/sandbox/types",
      "csv-parse/sync",
      ...foreign,
    ],
  },
  {
    files: "packages/console/src/**",
    sentence:
      "`console` runs in a browser: it imports what is built for one, and of ours nothing but types, `csv-cells` and `written-amounts`.",
    packages: ["preact", "preact/hooks", "@preact/signals", "eventsource-parser", "uplot", "uplot/dist/*.css"].concat([
      "@titian/contract/csv-cells",
      "@titian/contract/written-amounts",
      "@titian/control/types",
      "@titian/sandbox/types",
    ]),
  },
  {
    files: "packages/control/src/**",
    sentence: "`control` imports `contract`, `explain` and the entries of `server`.",
    packages: [...own, "@titian/explain", ...serverEntries, ...foreign, "openid-client"],
  },
  {
    files: "packages/sandbox/src/**",
    sentence: "`sandbox` imports `contract`, `control`, `embedded-postgres`, `explain` and the entries of `server`.",
    packages: [
      ...own,
      ...serverEntries,
      "@titian/control",
      "@titian/control/types",
      "@titian/embedded-postgres",
      "@titian/explain",
      ...foreign,
    ],
  },
  ...[
    { files: "packages/server/src/ledger/*.ts" },
    { files: "packages/server/src/ledger/*/**", siblings: ["rails", "transit"] },
  ].map((row) => ({
    ...row,
    sentence: "`ledger` imports nothing.",
    packages: [],
    folders: [],
  })),
  {
    files: server("store"),
    sentence: "`store` imports `ledger`, `observability`, and `clock`, `ids`, `number-ranges`.",
    packages: [...builtin, "pg"],
    folders: ["ledger", ...shared, "basics/number-ranges.ts"],
  },
  {
    files: server("engine"),
    sentence: "`engine` imports `ledger`, `store` and `observability`, and `clock`, `ids`.",
    packages: foreign,
    folders: ["ledger", "store", ...shared],
  },
  {
    files: server("operations"),
    sentence:
      "`operations` imports `contract`, `ledger`, `engine`, `store/reads`, `observability` and `basics`, and `call`, `notifications`, `transfer-sender`.",
    packages: [...own, ...foreign],
    folders: [
      "ledger",
      "engine",
      "store/reads/",
      "interfaces/notifications.ts",
      "basics/canonical-json.ts",
      "basics/slices.ts",
      ...withTransfers,
    ],
  },
  {
    files: server("jobs"),
    sentence: "`jobs` imports `contract`, `ledger`, `engine` and `store`, never `operations` or `edge`.",
    packages: [...own, ...foreign],
    folders: ["ledger", "engine", "store", ...withCalls],
  },
  {
    files: server("notify"),
    sentence:
      "`notify` imports `contract`, `store` and `jobs`, and `basics`, `notifications`, never `operations` or `edge`.",
    packages: [...own, ...foreign],
    folders: [
      "store",
      "jobs",
      ...withNotifications,
      "basics/canonical-json.ts",
      "basics/tls.ts",
      "basics/private-networks.ts",
    ],
  },
  {
    files: server("rails"),
    sentence: "`rails` imports `contract`, `ledger`, `engine`, `store` and `jobs`, never `operations` or `edge`.",
    packages: [...own, ...foreign],
    folders: ["ledger", "engine", "store", "jobs", ...withTransfers],
  },
  {
    files: server("transit"),
    sentence: "`transit` imports `ledger`, `engine` and `store`, never `rails`, `operations` or `edge`.",
    packages: builtin,
    folders: ["ledger", "engine", "store", "basics/in-time.ts", ...shared],
  },
  {
    files: server("admin"),
    sentence: "`admin` imports `contract`, `ledger`, `engine`, `store` and `jobs`, never `operations` or `edge`.",
    packages: [...own, ...foreign],
    folders: ["ledger", "engine", "store", "jobs", ...withNotifications].concat([
      "basics/private-networks.ts",
      "basics/keys.ts",
      "basics/client-secret-seal.ts",
      "basics/cell-address.ts",
      "basics/number-ranges.ts",
    ]),
  },
  {
    files: server("views"),
    sentence: "`views` imports what `admin` does, `admin`, `operations` and `rails`.",
    packages: [...own, "@titian/contract/written-amounts", ...foreign, "pg"],
    folders: ["ledger", "engine", "store", "admin", "operations", "rails", ...withNotifications],
  },
  {
    files: server("edge"),
    sentence: "`edge` imports `contract` and `reference`, and what `compose` hands it.",
    packages: [...own, "@titian/reference", ...foreign],
    folders: [...withCalls, "basics/host-names.ts", "basics/tls.ts"],
  },
  {
    files: server("observability"),
    sentence: "`observability` imports no other folder: everyone imports it.",
    packages: foreign,
    folders: tools,
  },
  {
    files: server("basics"),
    sentence: "`basics` imports no other folder: everyone imports it.",
    packages: [...own, ...foreign],
    folders: [],
  },
  {
    files: server("config"),
    sentence: "`config` imports `contract` and `basics`.",
    packages: [...own, ...foreign],
    folders: ["basics"],
  },
  {
    files: "packages/server/src/interfaces/{call,notifications}.ts",
    sentence: "`call` and `notifications` import no other folder: floors know each other by them.",
    packages: [...own, ...foreign],
    folders: [],
  },
  {
    files: "packages/server/src/interfaces/transfer-sender.ts",
    sentence: "`transfer-sender` imports `contract`, `ledger` and `engine`.",
    packages: own,
    folders: ["ledger", "engine"],
  },
  ...[server("entries"), server("compose")].map((files) => ({
    files,
    sentence: "`compose` and the entries import everything of the server; what others are made of is theirs.",
    packages: [...own, "@titian/explain", "@titian/reference", ...foreign],
    folders: serverFolders,
  })),
];
