/** Two nodes of production on one directory of rails of files, and the other side, which settles each line once. */
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operations } from "@titian/contract";
import { eventually } from "../answers.ts";
import { type Caller, createCaller } from "../caller.ts";
import { productionSettings } from "../production-partner.ts";
import { type Service, startService } from "../service.ts";
import { type Production, startProduction } from "../start-production.ts";
import { queryRows } from "../../database/with-client.ts";

type Line = Record<string, unknown> & { readonly referenceNo: string };

export interface FileNodes extends AsyncDisposable {
  /** The first node; it has the lease of each rail when the second one starts. */
  readonly production: Production;
  readonly second: Service;
  /** Directories of home's rails, then those of cell 1 where there is one. */
  readonly folders: readonly string[];
  linesIn(folder: string): readonly Line[];
  /** Caller of a node at this address. */
  callerOf(baseUrl: string): Caller;
  /** One more node. */
  start(): Promise<Service>;
  /** Node that has the lease of the interbank rail, as an id of its own. */
  holder(): Promise<string | null>;
}

const names = ["interbank", "rtgs", "skn"];

/** Home's database, which cell 1 was added to, and the file of cells; the partner has both. */
interface WithCell {
  readonly homeUrl: string;
  readonly cellsFile: string;
}

/** `lookEveryMs`: how often the other side looks for new lines. */
export async function startFileNodes(lookEveryMs: number, withCell?: WithCell): Promise<FileNodes> {
  await using stack = new AsyncDisposableStack();
  const directory = mkdtempSync(join(tmpdir(), "titian-file-nodes-"));
  stack.defer(() => rmSync(directory, { recursive: true, force: true }));
  const railsFile = join(directory, "rails.json");
  const rail = (name: string) => ({ name, currency: "IDR", min: "1.00", fee: "0", sharedFeeMax: "1000.00" });
  writeFileSync(railsFile, JSON.stringify(names.map(rail)));
  const env = {
    TITIAN_RAIL_DIRECTORY: directory,
    TITIAN_RAILS_FILE: railsFile,
    TITIAN_SHUTDOWN_DELAY_SECONDS: "0",
    TITIAN_INTERBANK_WAIT_SECONDS: "5",
    ...(withCell && { TITIAN_CELLS: withCell.cellsFile }),
  };
  writeBeneficiary(join(directory, "interbank"));
  const folders = ["", ...(withCell ? ["cell-1"] : [])].flatMap((of) => names.map((name) => join(directory, of, name)));
  const production = stack.use(await startProduction(env, withCell?.homeUrl, withCell && { cells: [0, 1] }));
  const { databaseUrl, dataDir } = production;
  const holder = async () => {
    const [row] = await queryRows(databaseUrl, "select holder from rail_leases where rail = 'interbank'");
    return (row as { readonly holder: string | null } | undefined)?.holder ?? null;
  };
  await eventually(async () => (await holder()) !== null);
  const start = () => startService({ dataDir, env: { ...productionSettings(databaseUrl), ...env } });
  const second = stack.use(await start());
  const settled = new Set<string>();
  const timer = setInterval(() => folders.forEach((folder) => settle(folder, settled)), lookEveryMs);
  stack.defer(() => clearInterval(timer));
  const owned = stack.move();
  return {
    production,
    second,
    folders,
    linesIn,
    callerOf: (baseUrl) =>
      createCaller({ ...production.served, baseUrl }, production.caller.partner.partnerId, production.agent),
    start,
    holder,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function writeBeneficiary(folder: string): void {
  const { beneficiaryBankCode, beneficiaryAccountNo } = operations.externalAccountInquiry.example.request;
  const found = {
    bankCode: beneficiaryBankCode,
    accountNo: beneficiaryAccountNo,
    name: "Siti Rahayu",
    currency: "IDR",
  };
  mkdirSync(folder);
  writeFileSync(join(folder, "beneficiaries.jsonl"), `${JSON.stringify(found)}\n`);
}

function linesIn(folder: string): readonly Line[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith("instructions-"))
    .flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n").slice(0, -1))
    .map((line) => JSON.parse(line) as Line);
}

/** Each line of the folder once, by its number. */
function settle(folder: string, settled: Set<string>): void {
  for (const { referenceNo } of linesIn(folder)) {
    if (settled.has(referenceNo)) continue;
    settled.add(referenceNo);
    appendFileSync(join(folder, "results", "a.jsonl"), `${JSON.stringify({ referenceNo, result: "settled" })}\n`);
  }
}
