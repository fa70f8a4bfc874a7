/** The job that notes steps of operators' acts, whatever door they came by and whichever node carried them out. */
import type { Job } from "../../jobs/job.ts";
import type { SecurityLog } from "../../observability/security/security-log.ts";
import type { SecurityEvent } from "../../observability/security/security-event.ts";
import type { StatementPool } from "../../store/postgres/connect.ts";
import { type ActStep, listActSteps } from "../../store/reads/acts.ts";

const everyMs = 2_000;
const atOnce = 200;

const events: Readonly<Record<ActStep["step"], SecurityEvent>> = {
  proposed: "act.proposed",
  approved: "act.approved",
  refused: "act.refused",
  expired: "act.expired",
  "carried out": "act.carried_out",
};

/** Notes what comes behind that position of the chain. */
export function createNoteActSteps(pool: StatementPool, security: SecurityLog, startsBehind: number): Job {
  let behind = startsBehind;
  return {
    name: "note-act-steps",
    everyMs,
    actsOnTime: false,
    run: async (mayGoOn) => {
      let noted = 0;
      while (await mayGoOn()) {
        const steps = await listActSteps(pool, behind, atOnce);
        for (const { position, step, actId, who, kind, target, outcome } of steps) {
          const facts = { identity: who, act: actId, target, operation: kind, reason: outcome };
          security.add(events[step], "", () => facts);
          behind = position;
        }
        noted += steps.length;
        if (steps.length < atOnce) break;
      }
      return noted;
    },
  };
}
