/** The last step: the partner is retired for good, and the books are audited by who may do nothing else. */
import assert from "node:assert/strict";
import type { Client } from "@titian/client";
import { clientsOf, rejectedToken, untilAll } from "./closings.ts";
import { accounts, type Day } from "./day.ts";
import { done } from "./people.ts";
import { codeOf, partnerId } from "./shop.ts";

export async function retireAndAudit(day: Day): Promise<string> {
  const { people, staff } = day;
  const { operator, approver, auditor } = staff;
  const why = ["--reason", "contract has ended"] as const;
  const retirement = await people.propose(operator, "partner", "retire", partnerId, "--yes", ...why);
  const [first] = clientsOf(day);
  const inquire = (client: Client) => codeOf(client.internalAccountInquiry({ beneficiaryAccountNo: accounts.other }));
  assert.equal(await inquire(first as Client), "2001500");
  await people.approve(approver, retirement.actId);
  const gone = await untilAll(day, inquire, rejectedToken);
  const open = done(await people.titian(auditor, "act", "list", "--open", "--json"));
  assert.deepEqual(JSON.parse(open).acts, [], "acts that nobody has decided on");
  const audited = done(await people.titian(auditor, "audit", "--full"));
  const last = audited.trimEnd().split("\n").at(-1);
  return `4017300 on both nodes ${gone} ms after the retirement was carried out; no act is open; audit: ${last}`;
}
