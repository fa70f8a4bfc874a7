/** Lets what a directory has count as handed over: one of the release before, or one that is ahead of a restored database. */
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { HandedOverLine, RailRecords, ResultPositions } from "@titian/server/rails";
import { type Static, Type } from "typebox";
import { Check } from "typebox/value";
import { type FoundLine, placeOf } from "./export/compare.ts";
import { namePattern, readWhole } from "./export/read-directory.ts";

/**
 * Returns how many lines it has; twice is as once. No node may work there meanwhile.
 * @throws when a line cannot be read, or is another ledger's: nothing is recorded then.
 */
export async function takeOverDirectory(
  directory: string,
  records: Pick<RailRecords, "origin" | "recordHandedOver">,
): Promise<number> {
  const { ledgerId } = await records.origin();
  fenceEarlierRelease(directory);
  const lines: HandedOverLine[] = [...openInstructionsIn(directory)];
  for (const name of (await readdir(directory)).filter((one) => namePattern.test(one))) {
    await using file = await open(join(directory, name), "r");
    for (const line of await readWhole(file, name, async () => undefined)) {
      const handedOver = toHandedOver(line, ledgerId);
      if (handedOver) lines.push(handedOver);
    }
  }
  // A line that is there twice is one instruction.
  const byNumber = new Map(lines.map((line) => [line.terms.referenceNo, line]));
  await records.recordHandedOver([...byNumber.values()], readPositions(directory));
  return byNumber.size;
}

function toHandedOver(line: FoundLine, ledgerId: string): HandedOverLine | undefined {
  const { content } = line;
  if ("fault" in content) {
    // What a crash cut off was never handed over.
    if (content.isTorn === true) return undefined;
    throw new Error(`${placeOf(line)} cannot be read: give the file back its lines.`);
  }
  if (content.ledgerId !== undefined && content.ledgerId !== ledgerId)
    throw new Error(`${placeOf(line)} is of another ledger: this is another service's directory.`);
  const writtenAt = Date.parse(content.validUntil ?? "");
  return { terms: content.terms, sequence: content.sequence, writtenAt: Number.isNaN(writtenAt) ? 0 : writtenAt };
}

/** A process of an earlier release that still works there sees that the directory was given away, and none starts there. */
function fenceEarlierRelease(directory: string): void {
  const numbers = readdirSync(directory).map((name) => Number(/^lock-(\d+)$/.exec(name)?.[1] ?? 0));
  const last = Math.max(0, ...numbers);
  const ours = JSON.stringify({ pid: 0, host: "the database" });
  if (last === 0 || readFileSync(join(directory, `lock-${last}`), "utf8") === ours) return;
  writeFileSync(join(directory, `lock-${last + 1}`), ours, { flag: "wx", mode: 0o600 });
}

const OpenInstructions = Type.Object({
  /** `[amount, currency, bank, account]` as JSON text, by number. */
  open: Type.Record(Type.String(), Type.String()),
  keys: Type.Optional(Type.Record(Type.String(), Type.String())),
});

const Content = Type.Tuple([Type.String(), Type.String(), Type.String(), Type.String()]);

/** What an earlier release knew of files that were archived since. */
function openInstructionsIn(directory: string): readonly HandedOverLine[] {
  const value = readJson(join(directory, "open-instructions.json"), OpenInstructions);
  return Object.entries(value?.open ?? {}).map(([referenceNo, text]) => {
    const content: unknown = JSON.parse(text);
    if (!Check(Content, content))
      throw new Error(`open-instructions.json cannot be read at ${referenceNo}. Restore it.`);
    const [amount, currency, beneficiaryBankCode, beneficiaryAccountNo] = content;
    const idempotencyKey = value?.keys?.[referenceNo];
    const unknown = { beneficiaryAccountName: "", sourceAccountNo: "", details: {} };
    const terms = {
      referenceNo,
      idempotencyKey,
      amount,
      currency,
      beneficiaryBankCode,
      beneficiaryAccountNo,
      ...unknown,
    };
    return { terms, sequence: undefined, writtenAt: 0 };
  });
}

const Offset = Type.Integer({ minimum: 0 });
const Positions = Type.Record(Type.String(), Type.Object({ upTo: Offset, beyond: Type.Array(Offset) }));

function readPositions(directory: string): ResultPositions {
  return readJson(join(directory, "acknowledged.json"), Positions) ?? {};
}

function readJson<Schema extends typeof OpenInstructions | typeof Positions>(
  path: string,
  schema: Schema,
): Static<Schema> | undefined {
  if (!existsSync(path)) return undefined;
  const value: unknown = JSON.parse(readFileSync(path, "utf8"));
  if (!Check(schema, value)) throw new Error(`${path} cannot be read. Restore it.`);
  return value;
}
