/** Operators' acts on a transfer as events of its timeline: each step with who took it and when. */
import { listActs, type ShownAct } from "../acts/acts.ts";
import type { QueryDeps } from "../query-deps.ts";
import type { TimelineEvent } from "./timeline-event.ts";

/** Shown of one transfer, the newest: one is open at a time. */
const actsMax = 20;

export async function findActsOf(deps: QueryDeps, referenceNo: string): Promise<readonly ShownAct[]> {
  const { acts } = await listActs(deps, { target: referenceNo, limit: actsMax, isOfChanges: true });
  return acts;
}

export function openActOf(acts: readonly ShownAct[]): ShownAct | undefined {
  return acts.find(({ state }) => state === "proposed" || state === "approved");
}

/**
 * Steps are of the database's clock, events of business time, which a sandbox moves forward: by what it is moved now, and never
 * behind `others`, where the act's journal stands among them.
 */
export function eventsOfActs(
  { clock }: QueryDeps,
  acts: readonly ShownAct[],
  others: readonly TimelineEvent[],
): readonly TimelineEvent[] {
  const movedBy = Math.max(0, clock.now() - clock.real());
  return acts.toReversed().flatMap((act) => {
    const { journalNo } = act;
    const result = others.find(({ referenceNo }) => journalNo !== undefined && referenceNo === journalNo);
    const latest = result?.at ?? Infinity;
    return stepsOf(act).map(({ at, ...step }) => ({
      ...step,
      at: at === undefined ? undefined : Math.min(at + movedBy, latest),
      postings: [],
    }));
  });
}

type StepKind = Extract<TimelineEvent["kind"], `act${string}`>;
type Step = readonly [
  kind: StepKind,
  who: string | undefined,
  at: number | undefined,
  more: Omit<NonNullable<TimelineEvent["act"]>, "actId" | "cell" | "who"> & Partial<Pick<ShownAct, "personalParts">>,
];

function stepsOf(act: ShownAct): readonly Pick<TimelineEvent, "kind" | "at" | "act">[] {
  const { actId, cell, state, does, doesTranslations, personalParts, reason } = act;
  const steps: readonly Step[] = [
    ["actProposed", act.proposedBy, act.proposedAt, { does, doesTranslations, personalParts, reason }],
    [decisionOf(state), act.decidedBy, act.decidedAt, { reason: act.refusal, personalParts }],
    [state === "rejected" ? "actRejected" : "actCarriedOut", act.carriedOutBy, act.carriedOutAt, { reason: act.found }],
  ];
  return steps.flatMap(([kind, who, at, more]) =>
    who === undefined ? [] : [{ kind, at, act: { actId, cell, who, ...more } }],
  );
}

function decisionOf(state: ShownAct["state"]): StepKind {
  if (state === "refused") return "actRefused";
  return state === "expired" ? "actExpired" : "actApproved";
}
