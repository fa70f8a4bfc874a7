/** Addresses to which notifications may go, by what the database belongs to. */
import type { CheckAddress } from "../../interfaces/notifications.ts";
import { type AddressGuard, createAddressGuard, productionRules, sandboxRules } from "../../notify/address-guard.ts";
import { createAddressCheck } from "../../notify/check-address.ts";
import type { StatementPool } from "../../store/postgres/connect.ts";
import { type Environment, readEnvironment } from "../../store/reference/environment.ts";

export interface NotificationAddresses {
  /** Guard of every connection. */
  readonly addressGuard: AddressGuard;
  /** Check of an address that is registered. */
  readonly checkAddress: CheckAddress;
}

interface AddressDeps {
  /** Absent: that of the database, and production where nothing is in it yet. */
  readonly environment?: Environment;
  /** Gets warnings, as texts for a person. */
  readonly onProgress: (text: string) => void;
}

export async function findAddressRules(deps: AddressDeps, pool: StatementPool): Promise<NotificationAddresses> {
  const { environment = (await readEnvironment(pool)) ?? "production", onProgress } = deps;
  const addressGuard = createAddressGuard(environment === "sandbox" ? sandboxRules : productionRules);
  if (environment === "sandbox") return { addressGuard, checkAddress: async () => undefined };
  return { addressGuard, checkAddress: createAddressCheck(addressGuard, onProgress) };
}
