/** The sandbox as its users start it: the first block of the README, pasted into a terminal. Numbers that pages leave open. */
import { resolve } from "node:path";
import { Agent } from "undici";
import { readDocuments } from "../../scripts/docs/document.ts";
import { type ShellBlock, shellBlocksOf } from "../../scripts/docs/shell-blocks.ts";
import { type Caller, createCaller, type Json, newNumber } from "../support/black-box/caller.ts";
import { type Control, createControl } from "../support/black-box/control.ts";
import { createDataDir, removeDataDir } from "../support/black-box/data-dir.ts";
import { endProcesses } from "../support/black-box/processes.ts";
import { readSandboxFile, type SandboxFile } from "../support/black-box/sandbox-file.ts";
import { openSession } from "./session.ts";
import type { ShellName } from "./terminal.ts";

const root = resolve(import.meta.dirname, "../..");
const graceMs = 15_000;

/** Every shell block of README, docs and package READMEs, by page and position: `docs/guides/signing.md#1`. */
export const blocks: ReadonlyMap<string, ShellBlock> = new Map(
  readDocuments(root)
    .flatMap(shellBlocksOf)
    .map((block) => [`${block.path}#${block.position}`, block]),
);

/** The block that starts the sandbox of all the others. */
export const firstBlock = "README.md#1";

export function blockOf(name: string): ShellBlock {
  const block = blocks.get(name);
  if (block === undefined) throw new Error(`there is no shell block ${name}`);
  return block;
}

export interface World extends AsyncDisposable {
  readonly dataDir: string;
  readonly file: SandboxFile;
  readonly control: Control;
  /** A caller without a token: the clock may have moved since the last one. */
  alpha(): Caller;
}

/** Ends what a sandbox left running, and removes its data. */
export async function removeWithProcesses(dataDir: string): Promise<void> {
  await endProcesses(dataDir, graceMs);
  removeDataDir(dataDir);
}

export async function startWorld(shell: ShellName): Promise<World> {
  await using stack = new AsyncDisposableStack();
  const dataDir = createDataDir();
  stack.defer(() => removeWithProcesses(dataDir));
  const session = stack.use(await openSession({ shell, dataDir }));
  await session.start(blockOf(firstBlock).text, /Titian is ready[^]*Credentials/);
  const agent = new Agent();
  stack.defer(() => agent.destroy());
  const file = readSandboxFile(dataDir);
  const owned = stack.move();
  return {
    dataDir,
    file,
    control: createControl(file, agent),
    alpha: () => createCaller(file, "alpha", agent),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const dayMs = 86_400_000;
const idr = (value: string) => ({ value, currency: "IDR" });

async function accepted(world: World, path: string, body: Json): Promise<Json> {
  const answer = await world.alpha().call(path, { partnerReferenceNo: newNumber(), ...body });
  if (!/^20[02]/.test(answer.code)) throw new Error(`${path}: ${answer.text}`);
  return answer.body;
}

const transfer = {
  amount: idr("250000.00"),
  sourceAccountNo: "1001000001",
  beneficiaryBankCode: "014",
  beneficiaryAccountNo: "8800000001",
  beneficiaryAccountName: "Ratna Kusuma",
  transactionDate: "2026-11-21T10:00:00+07:00",
};

interface Rail {
  readonly rail: string;
  readonly isOpen: boolean;
  readonly opensAt?: string;
}

/** Moves the clock to the next time at which every rail is open. */
export async function openRails({ control }: World): Promise<void> {
  const closed = async () => {
    const { rails } = await control.call<{ readonly rails: readonly Rail[] }>("GET", "rails");
    return rails.find(({ isOpen }) => !isOpen)?.opensAt;
  };
  for (let set = await closed(); set !== undefined; set = await closed()) await control.call("POST", "clock", { set });
}

/** Pending until the next batch of SKNBI, and open to be resolved. */
async function sendBySkn(world: World): Promise<Json> {
  await openRails(world);
  return accepted(world, "transfer-skn", {
    ...transfer,
    beneficiaryCustomerResidence: "1",
    beneficiaryCustomerType: "1",
  });
}

const request = {
  bankCode: "999",
  beneficiaryAccountNo: "1001000002",
  beneficiaryAccountName: "Siti Nur Aini",
  sourceAccountName: "Dewi Lestari",
};

/** Asks a payer of its own: only so many requests may be open on one. */
async function askFor(world: World, more: Json): Promise<string> {
  const payer = await world.control.open({ name: "Dewi Lestari", balance: "1000000.00" });
  const { now } = await world.control.call<{ readonly now: string }>("GET", "clock");
  const expiredDatetime = new Date(Date.parse(now) + dayMs).toISOString();
  const body = { ...request, sourceAccountNo: payer.accountNo, expiredDatetime, ...more };
  return String((await accepted(world, "transfer-request-for-payment", body))["referenceNo"]);
}

async function newBulk(world: World): Promise<Json> {
  const { sourceAccountNo, beneficiaryBankCode: bankCode, beneficiaryBankCode: _, ...item } = transfer;
  const { transactionDate, ...rest } = item;
  const bulkObject = [{ ...rest, bankCode, partnerReferenceNo: newNumber() }];
  const numbers = { partnerBulkId: newNumber(), customerReference: "PAYROLL" };
  return accepted(world, "transfer-interbank-bulk", { sourceAccountNo, ...numbers, transactionDate, bulkObject });
}

/** Makers of the text for each placeholder: something new that the command is about. */
const makers: Readonly<Record<string, (world: World) => Promise<string>>> = {
  hold: async (world) => {
    const body = { merchantId: "alpha-hotel", title: "Deposit", amount: idr("150000.00") };
    const additionalInfo = { sourceAccountNo: "1001000001" };
    return String((await accepted(world, "auth/payment", { ...body, additionalInfo }))["referenceNo"]);
  },
  transfer: async (world) => String((await sendBySkn(world))["referenceNo"]),
  "settled-transfer": async (world) => {
    const { referenceNo } = await sendBySkn(world);
    await world.control.call("POST", "rails/skn/settle");
    return String(referenceNo);
  },
  "partner-number": async (world) => String((await sendBySkn(world))["partnerReferenceNo"]),
  "payment-request": (world) => askFor(world, { amount: idr("75000.00") }),
  "declined-request": (world) => askFor(world, { amount: idr("75000.00") }),
  "open-request": (world) => askFor(world, {}),
  bulk: async (world) => String((await newBulk(world))["bulkId"]),
  "partner-bulk-id": async (world) => String((await newBulk(world))["partnerBulkId"]),
  payer: async (world) => (await world.control.open({ name: "Budi Santoso", balance: "1000000.00" })).accountNo,
  why: async () => "a drill",
  account: async (world) => (await world.control.open({ name: "Dewi Lestari", balance: "0.00" })).accountNo,
};

export interface Filled {
  readonly text: string;
  /** Names of the placeholders, by what stands in for them. */
  readonly values: ReadonlyMap<string, string>;
}

/** The block's text as a reader pastes it: placeholders replaced. */
export async function fill(
  world: World,
  { text }: ShellBlock,
  known: Readonly<Record<string, string>>,
): Promise<Filled> {
  const values = new Map<string, string>();
  let filled = text;
  for (const [, name = ""] of text.matchAll(/<([a-z][\w-]*)>/g)) {
    if (!filled.includes(`<${name}>`)) continue;
    const value = known[name] ?? (await makers[name]?.(world));
    if (value === undefined) throw new Error(`nothing stands in for <${name}>`);
    values.set(value, name);
    filled = filled.replaceAll(`<${name}>`, value);
  }
  return { text: filled, values };
}
