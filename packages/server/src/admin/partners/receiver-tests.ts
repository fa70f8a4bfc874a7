/** The last test of each partner's receiver, kept in `service_state`: what it showed, without tokens, secrets and what was signed. */
import type { StatementPool } from "../../store/postgres/connect.ts";
import type { AttemptResult } from "../../store/tables/notifications/deliveries.ts";
import { readState, writeState } from "../../store/reference/service-state.ts";

/** A usual mistake of receivers, as sentences. */
interface NamedMistake {
  readonly name: string;
  readonly does: string;
  readonly correctly: string;
  readonly translations: { readonly id: string };
}

/** Its outcome as that of an attempt, with the query of the address masked. */
export interface ReceiverTest extends AttemptResult {
  /** Business time (epoch ms). */
  readonly at: number;
  readonly partnerId: string;
  readonly serviceCode: string;
  /** SHA-256 of the provider's public key, in hex. */
  readonly providerKeySha256: string;
  /** Mistake that the receiver makes. */
  readonly mistake?: NamedMistake | undefined;
  /** Settings that it verifies, where they are others than the partner's. */
  readonly signing?: "symmetric" | "asymmetric" | undefined;
  readonly signedPath?: "whole" | "service" | undefined;
  /** True: its reply shows the very text that was signed. */
  readonly isTextRight?: boolean | undefined;
}

const nameOf = (partnerId: string): string => `receiverTest.${partnerId}`;

export async function keepReceiverTest(database: StatementPool, test: ReceiverTest): Promise<void> {
  await writeState(database, nameOf(test.partnerId), test);
}

/** Undefined: its receiver was never tested. */
export async function findReceiverTest(reads: StatementPool, partnerId: string): Promise<ReceiverTest | undefined> {
  // Written by the function above alone.
  return (await readState(reads, nameOf(partnerId))) as ReceiverTest | undefined;
}
