/** The events that `titian trigger` makes. */
import { operations } from "@titian/contract";
import type { RailName } from "@titian/server/admin";
import { usageError } from "../cli-error.ts";
import { suggest } from "@titian/explain/nearest";

type EventOperation = "interbankBulkTransfer" | "rtgsTransfer" | "sknTransfer";

export interface TriggerEvent {
  readonly name: string;
  readonly description: string;
  /** The call that it begins with. */
  readonly operation: EventOperation;
  readonly rail: RailName;
  /** Scenario of the beneficiary in `sandbox.json`; of a bulk, one for each item. */
  readonly outcomes: readonly string[];
  /** Decimal text in IDR, of each item. */
  readonly amount: string;
  /** `latestTransactionStatus` of its notifications in order; of a bulk there is one, without a status. */
  readonly statuses: readonly string[];
}

const rtgs = { operation: "rtgsTransfer", rail: "rtgs", amount: "150000000.00" } as const;
const skn = { operation: "sknTransfer", rail: "skn", amount: "25000000.00" } as const;
const bulk = { operation: "interbankBulkTransfer", rail: "interbank", amount: "250000.00", statuses: [] } as const;

const settled = { outcomes: ["success"], statuses: ["00"] } as const;
const rejected = { outcomes: ["rejected"], statuses: ["06"] } as const;
/** By an operator's word, at once: the scenario of that name comes back a minute later. */
const returned = { outcomes: ["success"], statuses: ["00", "04"] } as const;

export const events: readonly TriggerEvent[] = [
  { ...rtgs, ...settled, name: "rtgs-settled", description: "an RTGS transfer (22) settles: 76 with status 00" },
  { ...rtgs, ...rejected, name: "rtgs-rejected", description: "an RTGS transfer is rejected: 76 with status 06" },
  {
    ...rtgs,
    ...returned,
    name: "rtgs-returned",
    description: "an RTGS transfer settles and is returned: 76 with 00, then 04",
  },
  { ...skn, ...settled, name: "skn-settled", description: "an SKNBI transfer (23) settles: 75 with status 00" },
  { ...skn, ...rejected, name: "skn-rejected", description: "an SKNBI transfer is rejected: 75 with status 06" },
  {
    ...skn,
    ...returned,
    name: "skn-returned",
    description: "an SKNBI transfer settles and is returned: 75 with 00, then 04",
  },
  {
    ...bulk,
    name: "bulk-settled",
    outcomes: ["success", "success", "success"],
    description: "every item of a bulk (20) settles: 21",
  },
  {
    ...bulk,
    name: "bulk-mixed",
    outcomes: ["success", "unknownBeneficiary", "rejected"],
    description: "one item of a bulk settles, two are rejected: 21",
  },
];

export function isBulk(operation: EventOperation): operation is "interbankBulkTransfer" {
  return operations[operation].about.noun === "bulk";
}

/** @throws CliError that suggests the nearest name. */
export function findEvent(name: string): TriggerEvent {
  const found = events.find((event) => event.name === name.toLowerCase());
  if (found !== undefined) return found;
  const names = events.map((event) => event.name);
  throw usageError(`There is no event ${name}${suggest(name, names)} \`titian trigger\` lists them.`);
}
