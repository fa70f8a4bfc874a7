/** The check of an address when it is registered: what no connection would be opened to is rejected at once. */
import type { CheckAddress } from "../interfaces/notifications.ts";
import { type AddressGuard, ForbiddenAddress } from "./address-guard.ts";

/**
 * `warn` gets a sentence for the operator when the name does not resolve here: it may where the nodes run, and they check
 * the address at each connection.
 */
export function createAddressCheck(guard: AddressGuard, warn: (text: string) => void): CheckAddress {
  return async (address, networks = []) => {
    const url = new URL(address);
    try {
      await guard.permitting(networks).resolve(url);
    } catch (error) {
      if (error instanceof ForbiddenAddress) return error.message;
      const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
      warn(
        `Warning: ${url.hostname} does not resolve here (${code}). The address is set; a notification is sent once ` +
          "the nodes can resolve the name to permitted addresses.",
      );
    }
    return undefined;
  };
}
