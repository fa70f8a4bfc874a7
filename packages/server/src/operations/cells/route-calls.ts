/** Handlers of a node with several cells: each call goes to the handler of its cell (ADR 0093). */
import { type OperationName, operations, type RequestOf } from "@titian/contract";
import type { Call, Handler, Reply } from "../../interfaces/call.ts";
import type { Clock } from "../../basics/clock.ts";
import { homeCell } from "../../basics/ids.ts";
import type { Reference } from "../../ledger/reference/reference-data.ts";
import type { Reads } from "../../store/reads/reads.ts";
import { byPartnerReference } from "../holds/hold-queries.ts";
import type { HandleAcross } from "../transfers/transfer-across-cells.ts";
import type { PartnerShares } from "../partner-shares.ts";
import { type BindDeps, bindCall, silentCell } from "./bind-call.ts";
import { newestOf } from "./newest-reply.ts";
import { cellsOfCaller, placeWrite, rejectEarly } from "./place-write.ts";
import { placeCall, type Placed } from "./place-call.ts";

type CellHandlers = Readonly<Record<Placed, Handler>>;

/** A cell that this node serves now. */
export interface ServedCell {
  readonly handlers: CellHandlers;
  /** Handlers of calls that concern an account of another cell, too, whose number they get. */
  readonly across: Readonly<Partial<Record<Placed, HandleAcross>>>;
  /** Handlers of writes whose payer is in another cell: they tell a repeat, or reply `noRepeat`. */
  readonly repeats: CellHandlers;
  readonly reads: Pick<Reads, "findAcceptedRequest" | "findAccountByNumber" | "findTransitPosition" | "findTakenKeys">;
  readonly readShares: PartnerShares;
  /** False: the cell answers inquiries alone, since its database may lack what was accepted. */
  takesWrites(): boolean;
}

interface RouteDeps extends Pick<BindDeps, "binder" | "keepExternalIdsMs"> {
  readonly reference: () => Reference;
  readonly clock: Clock;
  /** Undefined: this node does not serve it, or not yet. */
  cell(number: number): ServedCell | undefined;
}

const unknownOutcome: Reply = { case: "generalError", reason: "Outcome unknown" };
const inquiriesOnly: Reply = { case: "serviceUnavailable", retryAfter: 60, reason: "Inquiries only" };

export function routeCalls(deps: RouteDeps, names: readonly Placed[]): CellHandlers {
  return Object.fromEntries(names.map((name) => [name, routeOf(deps, name)])) as CellHandlers;
}

/** By home's list, and not by the file of this node: one that knows of a cell it does not serve says nothing about its accounts. */
function routeOf(deps: RouteDeps, name: Placed): Handler {
  const toCell = routeToCell(deps, name);
  return (call) => {
    const { directory, partners } = deps.reference();
    const isAlone = directory.cells.length === 1 && partners.get(call.partner.key)?.cells === undefined;
    const home = isAlone ? deps.cell(homeCell) : undefined;
    return home ? home.handlers[name](call) : toCell(call);
  };
}

function routeToCell(deps: RouteDeps, name: Placed): Handler {
  if (operations[name].kind === "write") return (call) => decideIn(deps, name, call);
  return async (call) => {
    const place = placeCall(call, deps.reference());
    return place.kind === "any" ? askAll(deps, name, call) : ask(deps, place.cell, name, call);
  };
}

/** A write of a partner with one cell is decided there: nothing is bound, and home may be away. */
async function decideIn(deps: RouteDeps, name: Placed, call: Call): Promise<Reply> {
  const reference = deps.reference();
  const cells = cellsOfCaller(call, reference);
  const isAlone = cells.length === 1;
  const named = placeCall(call, reference);
  // Before its keys are bound to the cell that it leaves.
  if (named.kind === "cell" && named.isMoving) return silentCell;
  const found = named.kind === "cell" ? named : isAlone ? cells[0] : await findCellOfHold(deps, call);
  if (!found) return silentCell;
  const { cell, other } = placeWrite(found, cells);
  if (deps.cell(cell)?.takesWrites() === false) return inquiriesOnly;
  const early = rejectEarly(cells, cell, deps.clock.real());
  if (early) return early;
  const reply = isAlone ? undefined : await bindCall(bindDepsOf(deps, name), call, { cell, cells });
  if (reply) return reply;
  if (other === cell) return ask(deps, cell, name, call);
  // Nothing is taken of an operation that reaches no other cell.
  return deps.cell(cell)?.across[name]?.(call, other) ?? silentCell;
}

/** A cell that may have forgotten a repeat says nothing about one. */
function bindDepsOf({ cell, ...deps }: RouteDeps, name: Placed): BindDeps {
  const asked = (number: number) => {
    const served = cell(number);
    if (!served?.takesWrites()) return undefined;
    return { tellRepeat: served.repeats[name], reads: served.reads, readShares: served.readShares };
  };
  return { ...deps, cell: asked };
}

/** An inquiry about what cannot be seen now is answered neither "not found" nor by something older. */
function ask(deps: RouteDeps, number: number, name: Placed, call: Call): Promise<Reply> | Reply {
  const served = deps.cell(number);
  if (served) return served.handlers[name](call);
  return operations[name].about.noun === "account" || operations[name].kind === "write" ? silentCell : unknownOutcome;
}

/** For a refund (69) of a hold that is known by the partner's number alone. Undefined: it may be in a cell that is silent. */
async function findCellOfHold(deps: RouteDeps, call: Call): Promise<{ readonly cell: number } | undefined> {
  const { originalPartnerReferenceNo } = call.request as RequestOf<"authRefund">;
  const references = byPartnerReference(call, operations.authPayment.code, originalPartnerReferenceNo);
  const look = async ({ reads, readShares, takesWrites }: ServedCell) => {
    const read = async () => ({ record: await reads.findAcceptedRequest(references) });
    const looked = await readShares.run(call.partner.key, read);
    if (looked === undefined) throw new Error("too many reads wait");
    if (looked.record === undefined && !takesWrites()) throw new Error("the cell may have forgotten it");
    return looked.record !== undefined;
  };
  const found = await fromAll(deps, look, (isThere) => isThere);
  const cell = found.find(({ result }) => result === true)?.cell;
  if (cell !== undefined) return { cell };
  const isSilent = found.some(({ result }) => result === undefined);
  // A hold that is nowhere is rejected in home.
  return isSilent ? undefined : { cell: homeCell };
}

/** The newest that any cell has; a cell that is silent may have a newer one, or the only one. */
async function askAll(deps: RouteDeps, name: OperationName & Placed, call: Call): Promise<Reply> {
  const ofCell = ({ handlers }: ServedCell) => handlers[name](call);
  const answers = await fromAll(deps, ofCell, (reply) => isAnswer(reply) && reply.isFinal === true);
  const replies = answers.map(({ result }) => result).filter((reply) => reply !== undefined);
  const isComplete = replies.length === answers.length && replies.every(isAnswer);
  const reply = newestOf(replies.filter(isAnswer));
  if (reply?.isFinal === true) return reply;
  return isComplete && reply !== undefined ? reply : unknownOutcome;
}

/** A read that was turned away, or failed, has said nothing. */
function isAnswer({ case: name }: Reply): boolean {
  return name !== "serviceUnavailable" && name !== "generalError" && name !== "timeout";
}

interface Answer<Result> {
  readonly cell: number;
  /** Undefined: the cell is silent, or was not waited for. */
  readonly result: Result | undefined;
}

/** A cell that has not answered by then is silent: it must not make calls of others wait. */
const answerMs = 2_000;

/** The answers of all cells; no more are waited for once one of them settles it. */
async function fromAll<Result>(
  { reference, cell }: RouteDeps,
  work: (served: ServedCell) => Promise<Result>,
  doesSettle: (result: Result) => boolean,
): Promise<readonly Answer<Result>[]> {
  const { promise: ended, resolve: end } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => end(undefined), answerMs);
  const answers = await Promise.all(
    reference().directory.cells.map(async (number): Promise<Answer<Result>> => {
      const served = cell(number);
      const working = served && work(served).catch(() => undefined);
      const result = working && (await Promise.race([working, ended]));
      if (result !== undefined && doesSettle(result)) end(undefined);
      return { cell: number, result };
    }),
  );
  clearTimeout(timer);
  return answers;
}
