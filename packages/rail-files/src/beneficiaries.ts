/** The directory of beneficiaries that an operator may put beside a file rail, read again when it changes. */
import { realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { BeneficiaryAnswer } from "@titian/server/rails";
import { isBlank, readLines, readTexts } from "./files/json-lines.ts";
import { openRegular } from "./files/open-regular.ts";
import { type Volume, volumeOf } from "./files/volume.ts";

export interface Beneficiaries {
  /** @throws when there is no directory, or a line of it that cannot be read might be the one asked for. */
  find(bankCode: string, accountNo: string): Promise<BeneficiaryAnswer>;
}

interface Loaded {
  /** Version of the file: when it was written, and how long it is. */
  readonly version: string;
  readonly byAccount: ReadonlyMap<string, BeneficiaryAnswer>;
  /** The first line that cannot be read. */
  readonly fault: string | undefined;
}

export function createBeneficiaries(path: string): Beneficiaries {
  let loaded: Loaded | undefined;
  let loading: Promise<Loaded> | undefined;
  const load = async (): Promise<Loaded> => {
    const volume = await volumeOf(dirname(path));
    const { mtimeMs, size } = await volume.run(() => stat(path));
    const version = `${mtimeMs} ${size}`;
    if (loaded?.version !== version) loaded = { version, ...(await readAll(volume, path)) };
    return loaded;
  };
  /** Inquiries that come meanwhile share a look at the file. */
  const loadOnce = () =>
    (loading ??= load()
      .catch((error: unknown) => {
        const isGone = (error as NodeJS.ErrnoException).code === "ENOENT";
        throw isGone ? new Error(`There is no directory of beneficiaries at ${path}.`, { cause: error }) : error;
      })
      .finally(() => {
        loading = undefined;
      }));
  return {
    find: async (bankCode, accountNo) => {
      const { byAccount, fault } = await loadOnce();
      const found = byAccount.get(keyOf(bankCode, accountNo));
      if (found !== undefined) return found;
      if (fault !== undefined) throw new Error(fault);
      return { kind: "unknown" };
    },
  };
}

async function readAll(volume: Volume, path: string): Promise<Omit<Loaded, "version">> {
  const byAccount = new Map<string, BeneficiaryAnswer>();
  let fault: string | undefined;
  const opened = await openRegular(volume, await volume.run(() => realpath(path)));
  if (opened === undefined || typeof opened === "string") throw new Error(`${path}: ${opened ?? "it is gone"}.`);
  await using file = opened;
  for await (const line of readLines(file, 0)) {
    if (isBlank(line)) continue;
    const read = readTexts(line);
    const { bankCode, accountNo, name, currency, status = "open" } = read.ok ? read.texts : {};
    const isClosed = status === "closed";
    if (!bankCode || !accountNo || !name || !currency || (status !== "open" && !isClosed)) {
      fault ??= `${path} line ${line.number} is no beneficiary: ${read.ok ? "a member is missing or unknown" : read.fault}.`;
      continue;
    }
    byAccount.set(keyOf(bankCode, accountNo), isClosed ? { kind: "closed" } : { kind: "found", name, currency });
  }
  return { byAccount, fault };
}

function keyOf(bankCode: string, accountNo: string): string {
  return `${bankCode} ${accountNo}`;
}
