/** The import table of the design as data. Oxlint's rules are made of it; breaking a row prints its sentence. */

export interface ImportRow {
  /** Glob of the files the row is about. */
  readonly files: string;
  readonly sentence: string;
  /** Packages and built-in modules the files may import; `*` stands for any. */
  readonly packages: readonly string[];
  /** In packages/server/src: the other folders the files may import from. `store/reads` is a part of one. */
  readonly folders?: readonly string[];
  /** In packages/server/src: the files beside the folders that may be imported. */
  readonly beside?: readonly string[];
  /** Whether types of other packages may be imported by their files. */
  readonly typesOfOthers?: boolean;
  /** Folders beside the row's own sub-folder that are called like one in packages/server/src. */
  readonly siblings?: readonly string[];
}

export const serverFolders = [
  "admin",
  "compose",
  "jobs",
  "edge",
  "engine",
  "explain",
  "ledger",
  "notify",
  "observability",
  "operations",
  "rails",
  "store",
] as const;

/** The files that stand beside the folders, without `.ts`. */
export const serverFiles = [
  "admin",
  "call",
  "canonical-json",
  "clock",
  "compose",
  "config",
  "explain",
  "ids",
  "index",
  "notifications",
  "rails",
  "secrets",
  "transfer-sender",
  "workers",
] as const;

const tools = ["clock", "ids"];
/** Every folder but `ledger` may log and count. */
const shared = ["observability"];
/** `call` is the seam between edge and operations; `secrets` seals what is stored. */
const withCalls = [...tools, "call", "secrets"];
/** The seam between operations and rails, of which `transfer-sender` is all that either knows of the other. */
const withTransfers = [...withCalls, "transfer-sender"];
const own = ["@titian/contract"];
const serverEntries = ["", "/admin", "/explain", "/rails", "/workers"].map((entry) => `@titian/server${entry}`);
const builtin = ["node:*", "node:*/**"];
const foreign = [...builtin, "cli-progress", "commander", "fastify", "@fastify/*", "jose", "lru-cache", "pino"].concat([
  "prom-client",
  "@opentelemetry/api",
  "undici",
]);

/** All of them but `compose`, which wires everything, and the three entries: what other packages see of the server. */
export const besideTheFolders = "packages/server/src/{call,canonical-json,clock,config,ids,secrets}.ts";

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
      ...serverEntries,
      "@titian/client",
      "@titian/embedded-postgres",
      "@titian/rail-files",
      "@titian/sandbox",
      "csv-parse/sync",
      ...foreign,
    ],
  },
  {
    files: "packages/console/src/**",
    sentence: "`console` runs in a browser: it imports what is built for one, and of ours nothing but types.",
    packages: ["preact", "preact/hooks", "@preact/signals", "eventsource-parser", "uplot", "uplot/dist/*.css"],
    typesOfOthers: true,
  },
  {
    files: "packages/sandbox/src/**",
    sentence: "`sandbox` imports `contract`, `embedded-postgres` and the entries of `server`.",
    packages: [...own, "@titian/embedded-postgres", ...serverEntries, ...foreign],
  },
  ...[
    { files: "packages/server/src/ledger/*.ts" },
    { files: "packages/server/src/ledger/*/**", siblings: ["rails"] },
  ].map((row) => ({
    ...row,
    sentence: "`ledger` imports nothing.",
    packages: [],
    folders: [],
    beside: [],
  })),
  {
    files: server("store"),
    sentence: "`store` imports `ledger`, `observability`, and `clock`, `ids`.",
    packages: [...builtin, "pg"],
    folders: ["ledger", ...shared],
    beside: tools,
  },
  {
    files: server("engine"),
    sentence: "`engine` imports `ledger`, `store` and `observability`, and `clock`, `ids`.",
    packages: foreign,
    folders: ["ledger", "store", ...shared],
    beside: tools,
  },
  {
    files: server("operations"),
    sentence:
      "`operations` imports `contract`, `ledger`, `engine`, `store/reads` and `observability`, and `call`, `canonical-json`, `clock`, `ids`, `notifications`, `transfer-sender`.",
    packages: [...own, ...foreign],
    folders: ["ledger", "engine", "store/reads", ...shared],
    beside: [...withTransfers, "canonical-json", "notifications"],
  },
  {
    files: server("jobs"),
    sentence: "`jobs` imports `contract`, `ledger`, `engine` and `store`, never `operations` or `edge`.",
    packages: [...own, ...foreign],
    folders: ["ledger", "engine", "store", ...shared],
    beside: withCalls,
  },
  {
    files: server("notify"),
    sentence:
      "`notify` imports `contract`, `store` and `jobs`, and `canonical-json`, `notifications`, never `operations` or `edge`.",
    packages: [...own, ...foreign],
    folders: ["store", "jobs", ...shared],
    beside: [...withCalls, "canonical-json", "notifications"],
  },
  {
    files: server("rails"),
    sentence: "`rails` imports `contract`, `ledger`, `engine`, `store` and `jobs`, never `operations` or `edge`.",
    packages: [...own, ...foreign],
    folders: ["ledger", "engine", "store", "jobs", ...shared],
    beside: withTransfers,
  },
  {
    files: server("admin"),
    sentence: "`admin` imports `contract`, `ledger`, `engine`, `store` and `jobs`, never `operations` or `edge`.",
    packages: [...own, ...foreign],
    folders: ["ledger", "engine", "store", "jobs", ...shared],
    beside: [...withCalls, "notifications"],
  },
  {
    files: server("admin/queries"),
    sentence: "`admin/queries` imports what `admin` does, `operations` and `rails`.",
    packages: [...own, ...foreign],
    folders: ["ledger", "engine", "store", "jobs", "operations", "rails", ...shared],
    // Of `admin`, whose file is called like one beside the folders.
    beside: [...withCalls, "notifications"],
  },
  {
    files: server("edge"),
    sentence: "`edge` imports `contract`, and what `compose` hands it.",
    packages: [...own, ...foreign],
    folders: shared,
    beside: withCalls,
  },
  {
    files: server("explain"),
    sentence: "`explain` is pure: it imports `contract` and `node:crypto`.",
    packages: [...own, "node:crypto"],
    folders: [],
    beside: [],
  },
  {
    files: server("observability"),
    sentence: "`observability` imports no other folder: everyone imports it.",
    packages: foreign,
    folders: [],
    beside: tools,
  },
  {
    files: besideTheFolders,
    sentence: "The files beside the folders import no folder but `observability`: everyone imports them.",
    packages: [...own, ...foreign],
    folders: shared,
    beside: serverFiles.filter(
      (name) => !["admin", "compose", "explain", "index", "rails", "transfer-sender", "workers"].includes(name),
    ),
  },
  {
    files: "packages/server/src/transfer-sender.ts",
    sentence: "`transfer-sender` imports `contract`, `ledger` and `engine`.",
    packages: own,
    folders: ["ledger", "engine"],
    beside: [],
  },
  ...["packages/server/src/{admin,compose,explain,index,rails,workers}.ts", server("compose")].map((files) => ({
    files,
    sentence: "`compose` and the entries import everything of the server; what others are made of is theirs.",
    packages: [...own, ...foreign],
    folders: serverFolders,
    beside: serverFiles,
  })),
];
