/** Turns the import table into configurations of oxlint's `no-restricted-imports`, one a row. */
import type { OxlintOverride } from "oxlint";
import { importTable, serverFolders, type ImportRow } from "./import-table.ts";

/** Oxlint's types ask for lists that may change. */
interface Pattern {
  group?: string[];
  regex?: string;
  message: string;
}

interface Restrictions {
  paths: { name: string; importNames: string[]; message: string }[];
  patterns: Pattern[];
}

export const sentences = {
  onlyStore: "Only `store` and `views` hold SQL or import `pg`.",
  testHelper: "Production code never imports a test helper.",
  environment: "`process.env` only in `config.ts` and `npm-parent.ts`.",
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
export function restrictedImports(): OxlintOverride[] {
  return importTable.map((row) => restrict([row.files], restrictionsOf(row)));
}

/** The files that may make random values: their rows, without that restriction. A seal's nonce and a database's password are no ids. */
const randomFiles = [
  { row: "packages/client/src/**", files: ["packages/client/src/external-id.ts"] },
  { row: "packages/embedded-postgres/src/**", files: ["packages/embedded-postgres/src/start-embedded-postgres.ts"] },
  {
    row: "packages/server/src/basics/**",
    files: ["packages/server/src/basics/ids.ts", "packages/server/src/basics/secrets.ts"],
  },
];

export function restrictedImportsOfRandomFiles(): OxlintOverride[] {
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
export function restrictedImportsOfModels(): OxlintOverride {
  const files = ["{packages,test}/**/*model.ts", "packages/**/model/**", "test/**/naive-*.ts"];
  return restrict(files, { paths: [], patterns: [{ regex: "(^|/)ledger(/|\\.ts$)", message: sentences.model }] });
}

function restrict(files: string[], restrictions: Restrictions): OxlintOverride {
  return { files, rules: { "no-restricted-imports": ["error", restrictions] } };
}

function restrictionsOf(row: ImportRow): Restrictions {
  return {
    paths: [environment, clock, random],
    patterns: [
      ...(row.packages.includes("pg") ? [] : [{ regex: "^pg(/|$)", message: sentences.onlyStore }]),
      { regex: "(^|/)test/|\\.test\\.ts$|(^|/)(scripts|bench)/", message: sentences.testHelper },
      { regex: "^node:test(/|$)", message: sentences.testHelper },
      ...forbiddenFolders(row),
      // Last: oxlint stops at the first group whose exceptions (`!`) let a path pass.
      {
        group: ["**", "!.", "!./**", "!..", "!../**", "!pg", ...row.packages.map((name) => `!${name}`)],
        message: row.sentence,
      },
    ],
  };
}

/** A path that climbs out of the folder into one it may not enter. A folder's own sub-folders have other names. */
function forbiddenFolders(row: ImportRow): Pattern[] {
  if (row.folders === undefined) return [{ regex: "^(\\.\\./)+[\\w-]+/src/", message: row.sentence }];
  const parts = Map.groupBy(
    row.folders.filter((folder) => folder.includes("/")),
    (part) => part.slice(0, part.indexOf("/")),
  );
  const isOwn = (folder: string) => row.files.includes(`/src/${folder}/`);
  const { folders: allowed, siblings = [] } = row;
  const forbidden = serverFolders.filter((folder) => !allowed.includes(folder) && !parts.has(folder) && !isOwn(folder));
  const folders = forbidden.filter((folder) => !siblings.includes(folder));
  return [
    ...(folders.length > 0 ? [{ regex: `^(\\.{1,2}/)+(${folders.join("|")})/`, message: row.sentence }] : []),
    ...(siblings.length > 0 ? [{ regex: `^(\\.\\./){2,}(${siblings.join("|")})/`, message: row.sentence }] : []),
    ...[...parts].map(([folder, paths]) => ({
      regex: `^(\\.{1,2}/)+${folder}/(${outsideOf(paths.map((path) => path.slice(folder.length + 1)))})`,
      message: row.sentence,
    })),
  ];
}

/** Matches a text that begins with none of these; oxlint's expressions cannot say "not". */
function outsideOf(begins: readonly string[]): string {
  const byLetter = Map.groupBy(begins, (begin) => begin.slice(0, 1));
  const next = [...byLetter].map(([letter, same]) => [letter, same.map((begin) => begin.slice(1))] as const);
  const longer = next.filter(([, rests]) => !rests.includes(""));
  return [
    `[^${[...byLetter.keys()].join("")}]`,
    ...longer.map(([letter, rests]) => `[${letter}](${outsideOf(rests)})`),
  ].join("|");
}
