/** One request and its response for an observer, such as a log or `titian call`. Secrets are masked. */
import { headerNames, type OperationRow } from "@titian/contract";
import type { CallName } from "../names.ts";

export interface ExchangeRecord {
  readonly operation: CallName;
  readonly externalId?: string;
  readonly request: {
    readonly method: "POST";
    readonly url: string;
    /** As sent, tokens masked. */
    readonly headers: Readonly<Record<string, string>>;
    /** As sent; masked for 74, which carries a customer's code. */
    readonly body: string;
  };
  /** Absent when no complete response arrived. */
  readonly response?: {
    readonly status: number;
    /** As received; masked for 73 and 74, which carry tokens. */
    readonly body: string;
  };
  /** By the client's clock, milliseconds since the epoch. */
  readonly startedAt: number;
  /** By the client's clock. */
  readonly durationMs: number;
}

export type ObserveExchange = (exchange: ExchangeRecord) => void;

const hidden = "[hidden]";

const secretHeaders: readonly string[] = [headerNames.authorization, headerNames.authorizationCustomer];

export function hideHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, secretHeaders.includes(name) ? `Bearer ${hidden}` : value]),
  );
}

/** Secret are the responses of calls for tokens, and a request that has a customer's credential. */
export function hideBody(row: OperationRow, part: "request" | "response", body: string): string {
  const isSecret = row.kind === "token" && (part === "response" || "authCode" in row.request);
  return isSecret ? hidden : body;
}
