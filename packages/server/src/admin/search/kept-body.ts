/** Bodies of kept calls, sealed under the month's key of the search: who ends that key erases them. */
import { createSecrets } from "../../basics/secrets.ts";

export interface BodySeal {
  seal(body: string, correlationId: string): string;
  /** Undefined: it was not sealed with this key, or was changed. */
  open(sealed: string, correlationId: string): string | undefined;
}

/** @param key of the month in which the record was made */
export function createBodySeal(key: Buffer): BodySeal {
  const secrets = createSecrets({ current: key });
  return {
    seal: (body, correlationId) => secrets.seal(body, contextOf(correlationId)),
    open: (sealed, correlationId) => {
      try {
        return secrets.open(sealed, contextOf(correlationId));
      } catch {
        return undefined;
      }
    },
  };
}

function contextOf(correlationId: string): string {
  return `kept-call:${correlationId}`;
}
