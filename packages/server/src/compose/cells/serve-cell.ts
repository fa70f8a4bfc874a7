/** One cell at work: its rails, notifications, jobs, and the handlers of its calls. */
import { fromReferenceNo, homeCell } from "../../basics/ids.ts";
import type { Job } from "../../jobs/job.ts";
import { cellOfId } from "../../operations/cells/place-call.ts";
import type { ServedCell } from "../../operations/cells/route-calls.ts";
import { createHandlers, createHandlersAcross } from "../../operations/handlers.ts";
import { type AccountLooks, createAccountLooks } from "../../operations/transfers/account-looks.ts";
import { railOfCell } from "../../rails/rail-of-cell.ts";
import type { BeneficiariesElsewhere } from "../../rails/commands/answer-payment-request.ts";
import type { Rail } from "../../rails/rail.ts";
import type { Core } from "../core.ts";
import { type Jobs, startJobs } from "../jobs.ts";
import type { NotificationSender } from "../notifications/notification-sender.ts";
import { startNotifications } from "../notifications/notifications.ts";
import { observeFullPayers } from "../observe/observe-payment-requests.ts";
import { checkNames, type ConnectedRails, type OwnRails, type Rails, startRails } from "../rails/rails.ts";
import { watchSchema } from "../watch-schema.ts";
import { beneficiariesOf } from "./beneficiaries.ts";
import { createFences } from "./fences.ts";
import type { OtherCells } from "./other-cells.ts";

export interface CellService extends ServedCell, AsyncDisposable {
  readonly core: Core;
  /** As operations of other cells see its accounts. */
  readonly looks: AccountLooks;
  readonly rails: Rails;
  readonly jobs: Jobs;
  /** For approvals of payment requests. */
  readonly beneficiaries: BeneficiariesElsewhere;
}

export interface CellParts {
  readonly sender: NotificationSender;
  /** Jobs of the node, beside the cell's. */
  readonly moreJobs?: readonly Job[] | undefined;
  /** All cells share them. */
  readonly sharedRails: OwnRails;
  /** Connects rails that the cell has of its own. */
  connectRails(core: Core): Promise<ConnectedRails | undefined>;
  /** The other cells of the node, and the streams to them. */
  readonly others: OtherCells;
  /** Called when a later release has migrated the database. */
  onBroken(error: Error): void;
}

export async function serveCell(core: Core, parts: CellParts): Promise<CellService> {
  const { sender, moreJobs = [], sharedRails, connectRails, others, onBroken } = parts;
  await using stack = new AsyncDisposableStack();
  stack.use(watchSchema(core, onBroken));
  // Before the mode is told: it may wait for their directories.
  const own = stack.use(await connectRails(core));
  checkNames(own?.rails ?? {});
  stack.use(await core.mode.watch());
  const rails = startRails(core, (name) => shared(core, sharedRails[name]) ?? own?.rails[name]);
  const notifications = startNotifications(core, sender);
  const fences = stack.use(createFences(core));
  const jobs = stack.use(startJobs(core, rails, notifications, core.config, moreJobs));
  // Ended before the jobs that run on them: they wait for what is under way.
  stack.use(notifications);
  stack.use(rails);
  const owned = stack.move();
  return {
    core,
    rails,
    jobs,
    beneficiaries: beneficiariesOf(others, core),
    ...handlersOf(core, rails, others),
    reads: core.reads,
    readShares: core.readShares,
    fences,
    looks: createAccountLooks(core),
    takesWrites: () => !core.mode.isInquiriesOnly(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Results of cells that this node does not serve wait for one that does. */
function shared({ cell, reference }: Core, rail: Rail | undefined): Rail | undefined {
  if (rail === undefined) return undefined;
  const isOurs = (referenceNo: unknown) => {
    const id = typeof referenceNo === "string" ? fromReferenceNo(referenceNo) : undefined;
    // A number that cannot be ours is seen to in home.
    return (id === undefined ? homeCell : cellOfId(id, reference.current().directory)) === cell;
  };
  return railOfCell(rail, { isOurs, isHome: cell === homeCell });
}

function handlersOf(core: Core, rails: Rails, others: OtherCells) {
  const { config, engine, clock, reads, readShares, inquiryShares, bulkShares, reference, cell } = core;
  const deps = {
    isInquiriesOnly: core.mode.isInquiriesOnly,
    keepExternalIdsMs: config.keepExternalIdsMs,
    engine,
    clock,
    reads,
    readShares,
    inquiryShares,
    bulkShares,
    cell,
    reference: () => reference.current(),
    sender: rails.dispatcher.sender,
    onFullPayer: observeFullPayers(core),
    onFreeForm: core.storedQuotas.addFreeForm,
    payeeCell: others.cell,
    transitTo: (to: number) => others.stream(cell, to),
    merchantFunds: others.merchantFunds(cell),
  };
  return {
    handlers: createHandlers(deps),
    across: createHandlersAcross(deps),
    repeats: createHandlers({ ...deps, isRepeatOnly: true }),
  };
}
