/**
 * The service's data about the world outside: rails, holidays, banks. Read once, at start, from files that come with the
 * service or that the operator names (docs/guides/operating.md).
 */
import { fileURLToPath } from "node:url";
import type { RailData } from "../../ledger/rails/terms.ts";
import { readBanks } from "./banks.ts";
import { dataFile } from "./data-file.ts";
import { readHolidays } from "./holidays.ts";
import { readRails } from "./rails.ts";

/** Paths of files in place of those that come with the service; relative ones from the working directory. */
export interface RailFiles {
  readonly rails?: string;
  readonly holidays?: string;
  readonly banks?: string;
}

export interface RailDataOptions {
  readonly files?: RailFiles;
  readonly ownBankCode: string;
}

/** Names every fault of the files; the message is for the operator. */
export class RailDataError extends Error {
  override readonly name = "RailDataError";
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`The data of the rails cannot be used:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`);
    this.faults = faults;
  }
}

/** @throws RailDataError with every fault of all files. */
export function loadRailData({ files = {}, ownBankCode }: RailDataOptions): RailData {
  const faults: string[] = [];
  const open = (name: keyof RailFiles) => dataFile(files[name] ?? shippedFile(name), faults);
  const rails = readRails(open("rails"));
  const holidays = readHolidays(open("holidays"));
  const banks = readBanks(open("banks"));
  if (rails === undefined || faults.length > 0) throw new RailDataError(faults);
  return { rails, holidays, banks, ownBankCode };
}

function shippedFile(name: keyof RailFiles): string {
  return fileURLToPath(new URL(`../../../data/${name}.json`, import.meta.url));
}
