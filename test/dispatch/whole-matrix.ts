/** The crash matrix without a choice: each conduct, each operation, each moment. */
import { runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import type { TortureResult } from "../torture/result.ts";
import { type Cell, findUnguarded, isCrashPoint, killAtMoments } from "./matrix.ts";
import type { NodeOperation } from "./nodes/dispatch-node.ts";
import type { Moment } from "./nodes/node-messages.ts";
import { conductNames } from "./rail-journal.ts";
import { createPlanRunner } from "./run-plans.ts";
import { createDispatchFixture } from "./dispatch-fixture.ts";

export interface MatrixOptions {
  /** True: the next node dies as well, at every crash point it passes. */
  readonly twice: boolean;
  readonly atOnce: number;
  onProgress?(text: string): void;
}

const names: readonly NodeOperation[] = ["interbankTransfer", "interbankBulkTransfer", "rtgsTransfer", "sknTransfer"];
/** Late for a caller that waits: nobody waits for an item of a bulk. */
const isLate = (conduct: string) => conduct.startsWith("slow");

export async function killEverywhere({ twice, atOnce, onProgress }: MatrixOptions): Promise<TortureResult> {
  const cells = names
    .flatMap((name) => conductNames.map((conduct): Cell => ({ name, conduct })))
    .filter(({ name, conduct }) => name !== "interbankBulkTransfer" || !isLate(conduct));
  const left = cells.values();
  const faults: string[] = [];
  const diedAt = new Map<Moment, number>();
  let died = 0;
  let missed = 0;
  const work = async () => {
    await using fixture = await createDispatchFixture();
    await using runner = await createPlanRunner(fixture);
    for (const cell of left) {
      const killed = await killAtMoments(runner, cell, () => true, twice ? isCrashPoint : undefined);
      died += killed.deaths.length;
      missed += killed.missed.length;
      for (const death of killed.deaths) diedAt.set(death, (diedAt.get(death) ?? 0) + 1);
      faults.push(
        ...killed.faults,
        ...findUnguarded(killed.moments).map((moments) => `no crash point between ${moments}`),
      );
      onProgress?.(`${cell.name} ${cell.conduct}: ${killed.moments.length} moments, ${died} nodes killed so far`);
    }
    const { findings } = await runAudit(fixture.url);
    faults.push(...findings.map(({ check, subject }) => `the audit: ${check} ${subject}`));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const where = [...diedAt].map(([moment, times]) => `${times} ${moment}`).join(", ");
  return {
    faults,
    summary: `${cells.length} kinds of transfer, ${died} nodes killed: ${where}; ${missed} second deaths not met`,
  };
}
