/** A running sandbox with the command line beside it, and transfers to other banks for it to look at. */
import assert from "node:assert/strict";
import { type Answer, type Json, newNumber } from "../black-box/caller.ts";
import { startRailFixture } from "../black-box/rails/rail-fixture.ts";
import { type CliRun, runCli } from "./run-cli.ts";

export interface Sent {
  readonly payer: string;
  readonly referenceNo: string;
  readonly partnerReferenceNo: string;
  readonly externalId: string;
}

/** Output of a command that must be carried out, as lines of cells without the table's rule. */
export function cellsOf({ stdout }: CliRun): readonly string[] {
  const rows = stdout
    .trimEnd()
    .split("\n")
    .filter((text) => !text.startsWith("---"));
  return rows.map((text) => text.replaceAll(/ {2,}/g, " | ").replaceAll(/20\d\d-\d\d-\d\dT[\d:]+\+07:00/g, "<time>"));
}

export async function startCliFixture() {
  // A call that waits for a rail is answered 202 soon.
  const rails = await startRailFixture({ TITIAN_INTERBANK_WAIT_SECONDS: "1" });
  const { alpha, control } = rails;
  const { file, dataDir } = rails.sandbox;
  // A working day, and rails that are open.
  await rails.moveTo(rails.at(0, "10:00:30"));

  const run = (line: string, input?: string): Promise<CliRun> =>
    runCli(line.split(" "), { env: { TITIAN_DATA_DIR: dataDir }, ...(input !== undefined && { input }) });
  const lines = async (line: string): Promise<readonly string[]> => {
    const ran = await run(line);
    assert.equal(ran.exitCode, 0, `titian ${line}: ${ran.stderr}`);
    return cellsOf(ran);
  };
  const scenario = (outcome: string) =>
    file.scenarios.find((one) => one.outcome === outcome)?.beneficiaryAccountNo ??
    assert.fail(`no scenario ${outcome}`);
  const newPayer = async () =>
    (await control.open({ name: "Siti", balance: "1000000.00", partnerId: "alpha" })).accountNo;
  const send = async (path: string, code: string, outcome: string, more: Json = {}): Promise<Sent> => {
    const [payer, externalId] = [await newPayer(), newNumber()];
    const body = {
      partnerReferenceNo: newNumber(),
      amount: { value: "10000.00", currency: "IDR" },
      beneficiaryAccountNo: scenario(outcome),
      beneficiaryAccountName: "Ratna",
      beneficiaryBankCode: "014",
      sourceAccountNo: payer,
      transactionDate: "2026-11-25T10:00:00+07:00",
      ...more,
    };
    const answer: Answer = await alpha.call(path, body, { externalId });
    assert.equal(answer.code, code, answer.text);
    const { partnerReferenceNo } = body;
    return { payer, referenceNo: String(answer.body["referenceNo"]), partnerReferenceNo, externalId };
  };
  return {
    alpha,
    control,
    file,
    dataDir,
    ownerUrl: rails.sandbox.ownerUrl,
    run,
    lines,
    scenario,
    newPayer,
    send,
    [Symbol.asyncDispose]: () => rails[Symbol.asyncDispose](),
  };
}
