/** Turns the import table into configurations of oxlint's `no-restricted-imports`, one a row. */
import { besideTheFolders, importTable, serverFiles, serverFolders, type ImportRow } from "./import-table.ts";

interface Pattern {
  readonly group?: readonly string[];
  readonly regex?: string;
  readonly message: string;
}

interface NamedImports {
  readonly name: string;
  readonly importNames: readonly string[];
  readonly message: string;
}

export interface RestrictedImports {
  readonly paths: readonly NamedImports[];
  readonly patterns: readonly Pattern[];
}

export interface RestrictedFiles {
  readonly files: readonly string[];
  readonly rules: Readonly<Record<string, readonly ["error", RestrictedImports]>>;
}

export const sentences = {
  onlyStore: "Only `store` holds SQL or imports `pg`.",
  testHelper: "Production code never imports a test helper.",
  environment: "`process.env` only in `config.ts`.",
  random: "Random ids only in `ids.ts`.",
  clock: "The clock only in `clock.ts`.",
  model: "The model in a property test imports nothing from `ledger`.",
} as const;

const environment = { name: "node:process", importNames: ["env", "default"], message: sentences.environment };
const clock = { name: "node:perf_hooks", importNames: ["performance", "default"], message: sentences.clock };
const random = {
  name: "node:crypto",
  importNames: ["randomUUID", "randomBytes", "randomFill", "randomFillSync", "randomInt", "webcrypto", "default"],
  message: sentences.random,
};

/** Tests, benches and scripts may do all that production code may not; they are matched by no row. */
export function restrictedImports(): RestrictedFiles[] {
  return importTable.map((row) => restrict([row.files], restrictionsOf(row)));
}

/** The files that may make random values: their rows, without that restriction. A seal's nonce is no id. */
const randomFiles = [
  { row: "packages/client/src/**", files: ["packages/client/src/external-id.ts"] },
  { row: besideTheFolders, files: ["packages/server/src/ids.ts", "packages/server/src/secrets.ts"] },
];

export function restrictedImportsOfRandomFiles(): RestrictedFiles[] {
  return randomFiles.flatMap(({ row, files }) =>
    importTable
      .filter((candidate) => candidate.files === row)
      .map((found) => {
        const { paths, patterns } = restrictionsOf(found);
        return restrict(files, { paths: paths.filter((path) => path !== random), patterns });
      }),
  );
}

/** The model a property test compares the ledger with: its own second opinion. */
export function restrictedImportsOfModels(): RestrictedFiles {
  const files = ["packages/server/**/*model*.ts", "packages/server/**/model/**"];
  return restrict(files, { paths: [], patterns: [{ regex: "(^|/)ledger(/|\\.ts$)", message: sentences.model }] });
}

function restrict(files: readonly string[], restrictions: RestrictedImports): RestrictedFiles {
  return { files, rules: { "no-restricted-imports": ["error", restrictions] } };
}

function restrictionsOf(row: ImportRow): RestrictedImports {
  return {
    paths: [environment, clock, random],
    patterns: [
      ...(row.packages.includes("pg") ? [] : [{ regex: "^pg(/|$)", message: sentences.onlyStore }]),
      {
        group: ["**", "!.", "!./**", "!..", "!../**", ...row.packages.map((name) => `!${name}`)],
        message: row.sentence,
      },
      ...forbiddenFolders(row),
      { regex: "(^|/)test/|\\.test\\.ts$|(^|/)(scripts|bench)/", message: sentences.testHelper },
      { regex: "^node:test(/|$)", message: sentences.testHelper },
    ],
  };
}

/** A path that climbs out of the folder into one it may not enter. A folder's own sub-folders have other names. */
function forbiddenFolders(row: ImportRow): Pattern[] {
  if (row.folders === undefined) return [];
  const allowed = row.folders.map((folder) => folder.split("/")[0]);
  const parts = row.folders.filter((folder) => folder.includes("/"));
  const isOwn = (folder: string) => row.files.includes(`/src/${folder}/`);
  const folders = serverFolders.filter((folder) => !allowed.includes(folder) && !isOwn(folder));
  const files = serverFiles.filter((file) => row.beside?.includes(file) !== true);
  return [
    ...(folders.length > 0 ? [{ regex: `^(\\.{1,2}/)+(${folders.join("|")})/`, message: row.sentence }] : []),
    ...(files.length > 0 ? [{ regex: `^(\\.\\./)+(${files.join("|")})\\.ts$`, message: row.sentence }] : []),
    ...parts.map((part) => ({ group: [`**/${part.split("/")[0]}/**`, `!**/${part}/**`], message: row.sentence })),
  ];
}
