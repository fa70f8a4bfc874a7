/**
 * Carries out acts that were approved and wait for a node: those that another operator approved, and those whose node died
 * on the way. Each decides afresh under its locks; two nodes at once carry one out once.
 */
import { carryOutJournal, readJournal } from "../../admin/accounts/journal-act.ts";
import { carryOutOpening, readOrder } from "../../admin/accounts/open-account.ts";
import type { AdminResult } from "../../admin/result.ts";
import { fromReferenceNo, lowestId } from "../../basics/ids.ts";
import type { Job } from "../../jobs/job.ts";
import { type ApprovedResolution, carryOutResolution } from "../../rails/commands/resolve-transfer.ts";
import { findTransfer } from "../../store/reads/transfers.ts";
import { applyAct, type ApprovedAct, expireActs, listApprovedActs, rejectAct } from "../../store/tables/acts.ts";
import type { Core } from "../core.ts";

const everyMs = 1_000;
/** Whoever proposed one that is approved by itself carries it out within that. */
const waitsMs = 2_000;
const pageSize = 100;

export function createCarryOutActs(core: Core): Job {
  const { adminPool: database } = core;
  return {
    name: "carry-out-acts",
    everyMs,
    actsOnTime: true,
    run: async (mayGoOn) => {
      await expireActs(database);
      let count = 0;
      for (let behind = lowestId; ; ) {
        const acts = await listApprovedActs(database, waitsMs, { behind, limit: pageSize });
        for (const act of acts) {
          if (!(await mayGoOn())) return count;
          await carryOutOne(core, act);
          count += 1;
        }
        const last = acts.at(-1);
        if (last === undefined || acts.length < pageSize) return count;
        behind = last.id;
      }
    },
  };
}

/** One that fails holds up no other; it is tried again. One that can never be carried out is ended. */
async function carryOutOne(core: Core, act: ApprovedAct): Promise<void> {
  const { id, kind, target } = act;
  try {
    await carryOut(core, act);
  } catch (error) {
    if (isUnreadable(error)) return rejectAct(core.adminPool, id, { found: "an act that no node can read" });
    const about = { error, commandId: id, referenceNo: target, reason: kind };
    core.log.warn("act.failed", "An approved act was not carried out yet.", about);
  }
}

/** True: the act is no order, or leads to other entries than it says. */
function isUnreadable(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof SyntaxError || error instanceof RangeError) return true;
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && "code" in cause && cause.code === "23001";
}

async function carryOut(core: Core, act: ApprovedAct): Promise<void> {
  const { actEngine, adminPool: database, pool: reads, clock } = core;
  const accounts = { actEngine, database, clock, reads };
  switch (act.kind) {
    case "opening":
      return endUnlessDone(core, act, await carryOutOpening(accounts, readOrder(act)));
    case "funding":
    case "withdrawal":
    case "correction":
    case "move":
      return endUnlessDone(core, act, await carryOutJournal(accounts, readJournal({ ...act, kind: act.kind })));
    case "resolution":
    case "return":
      return carryOutOnTransfer(core, act);
    default:
      return void (await applyAct(database, act.id));
  }
}

/** Where nothing was left to do, another way has done it: the act is ended, too. */
async function endUnlessDone(
  { adminPool }: Pick<Core, "adminPool">,
  { id }: ApprovedAct,
  result: AdminResult<unknown>,
): Promise<void> {
  await rejectAct(adminPool, id, result.ok ? { found: "nothing to do" } : result.rejection);
}

async function carryOutOnTransfer(core: Core, { id: actId, target, after }: ApprovedAct): Promise<void> {
  const { actEngine: engine, adminPool: database, pool: reads, clock, cell } = core;
  const id = fromReferenceNo(target);
  const transfer = id === undefined ? undefined : await findTransfer(reads, id);
  if (!transfer) return rejectAct(database, actId, { found: "no such transfer" });
  const approved = after as Omit<ApprovedResolution, "actId" | "waits">;
  await carryOutResolution({ engine, clock, reads, database, cell }, transfer, { ...approved, actId, waits: false });
}
