/** Rails: listed, and steered where they are simulated. */
import {
  array,
  boolean,
  choice,
  integer,
  object,
  optional,
  orNull,
  type Static,
  string,
  operationRows,
} from "@titian/contract";
import { amount, type Found, listRails, type QueryDeps, type RailSummary, time } from "@titian/server/admin";
import { type RailName, railNames } from "@titian/server/rails";
import { ControlError, invalidField } from "../control-error.ts";
import { defineCall } from "../rows/define-call.ts";

const mode = choice(["normal", "slow", "limbo", "down"], { description: '"normal", "slow", "limbo" or "down"' });
export type RailMode = Static<typeof mode>;

const rail = choice(["interbank", "rtgs", "skn"]);

const railView = object({
  rail,
  serviceCodes: array(string()),
  mode: orNull(mode, { description: "null: a rail of the program that runs this service" }),
  isOpen: boolean(),
  hours: orNull(object({ from: string(), to: string() }), { description: "in Jakarta; null: around the clock" }),
  closesAt: optional(time({ description: "while it is open: its cut-off; absent around the clock" })),
  opensAt: optional(time({ description: "while it is closed" })),
  nextSettlementAt: optional(time({ description: "absent: it settles each at once" })),
  currency: string(),
  fee: amount(),
  minimum: amount(),
  maximum: optional(amount()),
  pending: integer({ description: "transfers without a result" }),
  suspense: amount({ description: "what was taken from payers for these transfers, and is on its way" }),
});
export type RailView = Static<typeof railView>;

/** Control of a simulated rail. */
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
}

const railList = object({ now: time(), rails: array(railView) });

export const railCalls = [
  defineCall({
    name: "rail list",
    route: "GET /rails",
    role: "viewer",
    does: "Rails as they are now, and business time.",
    answer: railList,
    join: joinRails,
    run: async (_input, { rails, queries }: RailCallsDeps) => {
      const found = await listRails(queries);
      const shown = found.map(async (one) => showRail(one, await rails(one.rail)?.mode()));
      return { now: queries.clock.now(), rails: await Promise.all(shown) };
    },
  }),
  defineCall({
    name: "rail mode",
    route: "GET /rails/{rail}/mode",
    role: "viewer",
    does: "How a simulated rail behaves. Of a rail that a program has connected itself: 409 notSimulated.",
    answer: object({ rail, mode }),
    run: async ({ params }, { rails }: RailCallsDeps) => {
      const name = readRail(params.rail);
      return { rail: name, mode: await controlOf(rails, name).mode() };
    },
  }),
  defineCall({
    name: "rail set-mode",
    route: "POST /rails/{rail}/mode",
    role: "operator",
    does: "How a simulated rail behaves from now on. Pending transfers of a rail that answers again are reconciled before the call answers.",
    body: object({ mode }),
    answer: object({ rail, mode }),
    run: async ({ params, body }, { rails }: RailCallsDeps) => {
      const name = readRail(params.rail);
      await controlOf(rails, name).setMode(body.mode);
      return { rail: name, mode: body.mode };
    },
  }),
  defineCall({
    name: "rail settle",
    route: "POST /rails/{rail}/settle",
    role: "operator",
    does: "Ends at once what waits on a simulated rail, in any mode: a batch, what is slow, what it was handed in limbo; what was accepted just now too. The account `limbo` is left alone.",
    answer: object({ rail, settled: integer({ description: "how many" }) }),
    run: async ({ params }, { rails }: RailCallsDeps) => {
      const name = readRail(params.rail);
      return { rail: name, settled: await controlOf(rails, name).settle() };
    },
  }),
] as const;

/** Each rail has one mode, and takes the transfers of all cells. */
function joinRails([first, ...others]: readonly Found<Static<typeof railList>>[]): Found<Static<typeof railList>> {
  if (first === undefined) throw new Error("No cell has answered.");
  const rails = first.rails.map((one) => {
    const same = others.flatMap((other) => other.rails.filter(({ rail: name }) => name === one.rail));
    return {
      ...one,
      pending: same.reduce((sum, { pending }) => sum + pending, one.pending),
      suspense: same.reduce((sum, { suspense }) => sum + suspense, one.suspense),
    };
  });
  return { ...first, rails };
}

function showRail(summary: RailSummary, current: RailMode | undefined) {
  const { isOpen, min, max, nextChangeAt } = summary;
  return {
    ...summary,
    serviceCodes: operationRows.filter(({ about }) => about.rail === summary.rail).map(({ code }) => code),
    mode: current,
    minimum: min,
    maximum: max,
    closesAt: isOpen ? nextChangeAt : undefined,
    opensAt: isOpen ? undefined : nextChangeAt,
  };
}

function readRail(name: string): RailName {
  const found = railNames.find((one) => one === name);
  if (found) return found;
  throw invalidField("rail", `There is no rail ${JSON.stringify(name)}; there are ${railNames.join(", ")}.`);
}

function controlOf(rails: RailCallsDeps["rails"], name: RailName): RailControl {
  const control = rails(name);
  if (control) return control;
  const message = `The ${name} rail is not simulated: the program that runs this sandbox has connected its own.`;
  throw new ControlError(409, "notSimulated", message, "rail");
}
