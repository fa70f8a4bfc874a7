/** Everything that the steps of the day share. */
import assert from "node:assert/strict";
import type { Credentials } from "@titian/client";
import type { DebianPostgres } from "./debian-postgres.ts";
import type { NodeKeys, Nodes } from "./nodes.ts";
import type { People, Person, Ran } from "./people.ts";
import type { RailSide } from "./rail-side.ts";
import type { KeyPair, Shop } from "./shop.ts";

export interface Staff {
  /** Proposes. */
  readonly operator: Person;
  /** Approves, at the second node; no operator but the auditor has a PostgreSQL role. */
  readonly approver: Person;
  readonly security: Person;
  readonly support: Person;
  readonly viewer: Person;
  /** Has a PostgreSQL role of his own, for `titian audit`. */
  readonly auditor: Person;
}

export interface Day {
  readonly directory: string;
  readonly postgres: DebianPostgres;
  readonly people: People;
  readonly staff: Staff;
  readonly nodes: Nodes;
  readonly rail: RailSide;
  readonly shop: Shop;
  /** The nodes' keys. */
  keys: NodeKeys;
  /** The partner's key pair and client secret. */
  shopKeys: KeyPair;
  clientSecret: string;
  /** `titian` as a job of the deployment: with the owner's URL and the nodes' master keys. */
  deploymentJob(...words: readonly string[]): Promise<Ran>;
  /** `titian` without anybody's settings, as the partner has it. */
  titian(...words: readonly string[]): Promise<Ran>;
  /** `titian` of the bank's consent channel, a program with the administration's password. */
  consentChannel(...words: readonly string[]): Promise<Ran>;
}

export const accounts = { payer: "8100000001", other: "8100000002", shop: "8100000009" } as const;
export const merchantId = "FUEL-7";

/** The partner signs with its client secret, and gets tokens by its private key. */
export const credentialsOf = ({
  shopKeys: { privateKey },
  clientSecret,
}: Pick<Day, "shopKeys" | "clientSecret">): Credentials => ({
  mode: "symmetric",
  clientSecret,
  privateKey,
});

/** The secret that a command has shown, for this once. */
export const secretIn = (stdout: string): string => /^client secret +(\S+)$/m.exec(stdout)?.[1] ?? assert.fail(stdout);

/** Asks every 100 ms until there is such an answer; the milliseconds that it took. @throws after `limitMs` */
export async function timeUntil(limitMs: number, ask: () => Promise<boolean>): Promise<number> {
  const startedAt = performance.now();
  while (!(await ask())) {
    if (performance.now() - startedAt > limitMs) throw new Error(`It has not come to be within ${limitMs} ms.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return Math.round(performance.now() - startedAt);
}
