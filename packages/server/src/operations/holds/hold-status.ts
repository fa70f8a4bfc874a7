/** What has become of a hold by now, as service 64 and repeats tell it (spec D10). */
import type { Clock } from "../../clock.ts";
import { holdAt } from "../../ledger/holds/hold.ts";
import { holdState, holdStates } from "../../ledger/holds/states.ts";
import type { Reads } from "../../store/reads/reads.ts";

export async function statusOfHold(id: string, { reads, clock }: { readonly reads: Reads; readonly clock: Clock }) {
  const { hold } = (await reads.findHold(id)) ?? {};
  if (!hold) throw new Error(`the hold of write ${id} is not there`);
  return holdStates[holdState(holdAt(hold, clock.now()))].status;
}
