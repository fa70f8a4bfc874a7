/** Parts with which control calls work in each cell of the node (docs/adr/0097-control-calls-of-cells.md). */
import { type ControlCells, type ControlDeps, listedCells, serviceOfCell } from "@titian/control";
import type { ServiceParts } from "@titian/server";
import {
  AdminError,
  allCells,
  approvePaymentRequest,
  type AuditReport,
  compareCells,
  type Core,
  declinePaymentRequest,
  type Dispatcher,
  findPaymentRequest,
  ResolutionUnknown,
  resolveTransfer,
  runAudit,
} from "@titian/server/admin";

/** Parts that each cell has of its own. */
export type CellDeps = Pick<
  ControlDeps,
  | "actEngine"
  | "clock"
  | "database"
  | "notifications"
  | "numbers"
  | "paymentRequests"
  | "queries"
  | "reads"
  | "secrets"
  | "transfers"
>;

export interface SandboxCells extends ControlCells {
  /** Parts of a cell. @throws AdminError where this node does not reach it */
  depsOf(cell: number): CellDeps;
}

type Acting = Pick<ControlDeps, "checkAddress" | "refresh">;
type CellService = ReturnType<ServiceParts["cells"]["all"]>[number];

function cellDepsOf({ core, rails, beneficiaries }: CellService, home: Core, acting: Acting): CellDeps {
  const { actEngine, clock, secrets, pool: reads, adminPool, administrationPool, numbers, reference } = core;
  const own = { actEngine, database: administrationPool, clock, secrets, reads, numbers };
  const deciding = { ...acting, ...own, engine: actEngine, cell: core.cell };
  return {
    ...own,
    queries: { ...core, keptCalls: home.pool },
    notifications: {
      clock,
      reads,
      database: adminPool,
      byPartnerId: (partnerId: string) => reference.byPartnerId(partnerId),
    },
    transfers: {
      decide: (referenceNo, decision) =>
        orUnavailable(resolveTransfer(deciding, referenceNo, { withoutInquiry: true, ...decision })),
    },
    paymentRequests: paymentRequestAnswers(core, rails.dispatcher, beneficiaries),
  };
}

export function createSandboxCells(
  { core, cells }: Pick<ServiceParts, "core" | "cells">,
  acting: Acting,
): SandboxCells {
  const made = new Map<number, CellDeps>();
  return {
    ...listedCells(core),
    depsOf: (cell) => {
      const known = made.get(cell);
      if (known) return known;
      const deps = cellDepsOf(serviceOfCell(cells, cell), core, acting);
      made.set(cell, deps);
      return deps;
    },
  };
}

/** Each cell's ledger, and what cells have sent to each other. */
export async function auditCells({ config, database, adminPool }: Core, providerKey: string): Promise<AuditReport> {
  const reports: AuditReport[] = [];
  for (const { url } of allCells(database.url, config.cells))
    reports.push(await runAudit(url, { providerKeys: [providerKey] }));
  const { keepExternalIdsMs } = config;
  const compared = await compareCells(adminPool, config.cells, { keepExternalIdsMs, onProgress: () => undefined });
  const findings = [...reports.flatMap((report) => report.findings), ...compared];
  const unchecked = reports.flatMap((report) => report.unchecked ?? []);
  return { ok: findings.length === 0, findings, ...(unchecked.length > 0 && { unchecked }) };
}

function paymentRequestAnswers(
  core: Core,
  { sender }: Dispatcher,
  otherCells: CellService["beneficiaries"],
): ControlDeps["paymentRequests"] {
  const deps = { engine: core.engine, clock: core.clock, reads: core.pool, sender, otherCells };
  return {
    find: (referenceNo) => findPaymentRequest(core, referenceNo),
    approve: (referenceNo, amount) => orUnavailable(approvePaymentRequest(deps, referenceNo, { amount, by: "payer" })),
    decline: (referenceNo) => orUnavailable(declinePaymentRequest(deps, referenceNo, "payer")),
  };
}

/** A command whose result is unknown is answered 503: repeat it. */
async function orUnavailable<Result>(command: Promise<Result>): Promise<Result> {
  return command.catch((error: unknown) => {
    throw error instanceof ResolutionUnknown ? new AdminError(error.message, { cause: error }) : error;
  });
}
