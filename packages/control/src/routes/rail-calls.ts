/** Rails and the transfers on them over the control API. */
import { choice, formatTimestamp, object, operationRows } from "@titian/contract";
import type { FastifyInstance } from "fastify";
import {
  listRails,
  type QueryDeps,
  type RailSummary,
  toReferenceNo,
  transferStates,
  type RailTransfer,
} from "@titian/server/admin";
import { railNames, type RailName } from "@titian/server/rails";
import type { RailsAnswer, RailView } from "../api-types.ts";
import { ControlError, invalidField } from "../control-error.ts";
import { writeAmount } from "../money-text.ts";
import { readBody } from "../read-input.ts";

export type RailMode = "normal" | "slow" | "limbo" | "down";
export type TransferDecision = "settled" | "rejected" | "returned";

/** How a simulated rail is steered. */
export interface RailControl {
  mode(): Promise<RailMode>;
  /** Takes effect on this node at once, on others within 2 s; a rail that answers again is asked for what waits. */
  setMode(mode: RailMode): Promise<void>;
  /** Settles at once what waits on the rail, and records it. */
  settle(): Promise<number>;
}

export interface RailCallsDeps {
  /** Undefined: the program that embeds this service has connected a rail of its own. */
  readonly rails: (rail: RailName) => RailControl | undefined;
  readonly queries: QueryDeps;
  readonly transfers: {
    /** Records the decision; undefined: no such transfer. Where it changes nothing, the transfer is as it was. */
    decide(referenceNo: string, decision: TransferDecision): Promise<RailTransfer | undefined>;
  };
}

const ModeBody = object({
  mode: choice(["normal", "slow", "limbo", "down"], { description: '"normal", "slow", "limbo" or "down"' }),
});
const ResolveBody = object({
  result: choice(["settled", "refused"], { description: '"settled" or "refused"' }),
});
/** This API says `refused` of a rejected transfer. */
const decisions = { settled: "settled", refused: "rejected" } as const;
const NoBody = object({});

interface RailPath {
  readonly Params: { readonly rail: string };
}

interface TransferPath {
  readonly Params: { readonly referenceNo: string };
}

export function serveRailCalls(app: FastifyInstance, { rails, transfers, queries }: RailCallsDeps): void {
  app.get("/rails", async (): Promise<RailsAnswer> => {
    const found = await listRails(queries);
    return {
      now: formatTimestamp(queries.clock.now()),
      rails: await Promise.all(found.map(async (rail) => showRail(rail, (await rails(rail.rail)?.mode()) ?? null))),
    };
  });
  app.get<RailPath>("/rails/:rail/mode", async ({ params }) => {
    const rail = readRail(params.rail);
    return { rail, mode: await controlOf(rails, rail).mode() };
  });
  app.post<RailPath>("/rails/:rail/mode", async ({ params, body }) => {
    const rail = readRail(params.rail);
    const { mode } = readBody(ModeBody, body);
    await controlOf(rails, rail).setMode(mode);
    return { rail, mode };
  });
  app.post<RailPath>("/rails/:rail/settle", async ({ params, body }) => {
    const rail = readRail(params.rail);
    readBody(NoBody, body);
    return { rail, settled: await controlOf(rails, rail).settle() };
  });
  app.post<TransferPath>("/transfers/:referenceNo/return", async ({ params, body }) => {
    readBody(NoBody, body);
    return show(await transfers.decide(params.referenceNo, "returned"), "returned");
  });
  app.post<TransferPath>("/transfers/:referenceNo/resolve", async ({ params, body }) => {
    const { result } = readBody(ResolveBody, body);
    return show(await transfers.decide(params.referenceNo, decisions[result]), decisions[result]);
  });
}

function showRail({ rail, isOpen, hours, currency, pending, ...terms }: RailSummary, mode: RailMode | null): RailView {
  const change = terms.nextChangeAt === undefined ? undefined : formatTimestamp(terms.nextChangeAt);
  const { nextSettlementAt, max } = terms;
  return {
    rail,
    serviceCodes: operationRows.filter(({ about }) => about.rail === rail).map(({ code }) => code),
    mode,
    isOpen,
    hours: hours ?? null,
    ...(isOpen ? { closesAt: change } : { opensAt: change }),
    nextSettlementAt: nextSettlementAt === undefined ? undefined : formatTimestamp(nextSettlementAt),
    currency,
    fee: writeAmount(terms.fee, currency),
    minimum: writeAmount(terms.min, currency),
    maximum: max === undefined ? undefined : writeAmount(max, currency),
    pending,
    suspense: writeAmount(terms.suspense, currency),
  };
}

function readRail(name: string): RailName {
  const rail = railNames.find((one) => one === name);
  if (rail) return rail;
  throw invalidField("rail", `There is no rail ${JSON.stringify(name)}; there are ${railNames.join(", ")}.`);
}

function controlOf(rails: RailCallsDeps["rails"], rail: RailName): RailControl {
  const control = rails(rail);
  if (control) return control;
  const message = `The ${rail} rail is not simulated: the program that runs this sandbox has connected its own.`;
  throw new ControlError(409, "notSimulated", message, "rail");
}

function show(transfer: RailTransfer | undefined, wanted: TransferDecision) {
  if (!transfer) {
    throw new ControlError(404, "unknownTransfer", "No transfer over a rail has this reference number.", "referenceNo");
  }
  const { id, rail, state, resolvedBy, returnedBy } = transfer;
  if (state !== wanted) {
    const message = `The transfer is ${state} (${transferStates[state].meaning}): from there it cannot become ${wanted}.`;
    throw new ControlError(409, "wrongState", message, "referenceNo");
  }
  const { status } = transferStates[state];
  const shown = state === "rejected" ? "refused" : state;
  return {
    referenceNo: toReferenceNo(id),
    rail,
    state: shown,
    status,
    endedBy: resolvedBy,
    ...(returnedBy && { returnedBy }),
  };
}
