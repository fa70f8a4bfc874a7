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
import { type AskCells, createAskCells } from "./ask-cells.ts";
import { bindCall } from "./bind-call.ts";
import { type AskedCell, type BindDeps, silentCell } from "./judge-keys.ts";
import { isAnswer, newestOf } from "./newest-reply.ts";
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
  readonly reads: Pick<Reads, "findAcceptedRequest" | "findAccountByNumber" | "findTakenKeys">;
  readonly readShares: PartnerShares;
  readonly fences: AskedCell["fences"];
  /** False: the cell answers inquiries alone, since its database may lack what was accepted. */
  takesWrites(): boolean;
}

interface RouteDeps extends Pick<BindDeps, "binder" | "keepExternalIdsMs"> {
  readonly reference: () => Reference;
  readonly clock: Clock;
  /** Undefined: this node does not serve it, or not yet. */
  cell(number: number): ServedCell | undefined;
}

interface Routing extends RouteDeps {
  readonly askCells: AskCells;
}

const unknownOutcome: Reply = { case: "generalError", reason: "Outcome unknown" };
const inquiriesOnly: Reply = { case: "serviceUnavailable", retryAfter: 60, reason: "Inquiries only" };

export function routeCalls(given: RouteDeps, names: readonly Placed[]): CellHandlers {
  const deps = { ...given, askCells: createAskCells(given.clock) };
  return Object.fromEntries(names.map((name) => [name, routeOf(deps, name)])) as CellHandlers;
}

/** By home's list, and not by the file of this node: one that knows of a cell it does not serve says nothing about its accounts. */
function routeOf(deps: Routing, name: Placed): Handler {
  const toCell = routeToCell(deps, name);
  return (call) => {
    const { directory, partners } = deps.reference();
    const isAlone = directory.cells.length === 1 && partners.get(call.partner.key)?.cells === undefined;
    const home = isAlone ? deps.cell(homeCell) : undefined;
    return home ? home.handlers[name](call) : toCell(call);
  };
}

function routeToCell(deps: Routing, name: Placed): Handler {
  if (operations[name].kind === "write") return (call) => decideIn(deps, name, call);
  return async (call) => {
    const place = placeCall(call, deps.reference());
    return place.kind === "any" ? askAll(deps, name, call) : ask(deps, place.cell, name, call);
  };
}

/** A write of a partner with one cell is decided there: nothing is bound, and home may be away. */
async function decideIn(deps: Routing, name: Placed, call: Call): Promise<Reply> {
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
function bindDepsOf({ cell, askCells: _, ...deps }: Routing, name: Placed): BindDeps {
  const asked = (number: number) => {
    const served = cell(number);
    if (!served?.takesWrites()) return undefined;
    const { repeats, reads, readShares, fences } = served;
    return { tellRepeat: repeats[name], reads, readShares, fences };
  };
  return { ...deps, cell: asked };
}

/** An inquiry about what cannot be seen now is answered neither "not found" nor by something older. */
function ask(deps: Routing, number: number, name: Placed, call: Call): Promise<Reply> | Reply {
  const served = deps.cell(number);
  if (served) return served.handlers[name](call);
  return operations[name].about.noun === "account" || operations[name].kind === "write" ? silentCell : unknownOutcome;
}

/** For a refund (69) of a hold that is known by the partner's number alone. Undefined: it may be in a cell that is silent. */
async function findCellOfHold(deps: Routing, call: Call): Promise<{ readonly cell: number } | undefined> {
  const { originalPartnerReferenceNo } = call.request as RequestOf<"authRefund">;
  const references = byPartnerReference(call, operations.authPayment.code, originalPartnerReferenceNo);
  const look = async ({ reads, readShares, takesWrites }: ServedCell) => {
    const read = async () => ({ record: await reads.findAcceptedRequest(references) });
    const looked = await readShares.run(call.partner.key, read);
    if (looked === undefined) throw new Error("too many reads wait");
    if (looked.record === undefined && !takesWrites()) throw new Error("the cell may have forgotten it");
    return looked.record !== undefined;
  };
  const found = await askAllCells(deps, look, (isThere) => isThere);
  const cell = found.find(({ result }) => result === true)?.cell;
  if (cell !== undefined) return { cell };
  const isSilent = found.some(({ result }) => result === undefined);
  // A hold that is nowhere is rejected in home.
  return isSilent ? undefined : { cell: homeCell };
}

/** The newest that any cell has; a cell that is silent may have a newer one, or the only one. */
async function askAll(deps: Routing, name: OperationName & Placed, call: Call): Promise<Reply> {
  const ofCell = async ({ handlers }: ServedCell) => {
    const reply = await handlers[name](call);
    return isAnswer(reply) ? reply : undefined;
  };
  const answers = await askAllCells(deps, ofCell, ({ isFinal }) => isFinal === true);
  const replies = answers.map(({ result }) => result).filter((reply) => reply !== undefined);
  const reply = newestOf(replies);
  if (reply?.isFinal === true) return reply;
  return replies.length === answers.length && reply !== undefined ? reply : unknownOutcome;
}

function askAllCells<Result>(
  { askCells, reference, cell }: Routing,
  work: (served: ServedCell) => Promise<Result | undefined>,
  doesSettle: (result: Result) => boolean,
) {
  const ofCell = (number: number) => {
    const served = cell(number);
    return served && work(served);
  };
  return askCells(reference().directory.cells, ofCell, doesSettle);
}
