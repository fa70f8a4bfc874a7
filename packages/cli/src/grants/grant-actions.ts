/** Actions of `titian auth-code` and `titian grant`. */
import { formatTimestamp } from "@titian/contract";
import { createAuthCode, revokeGrants } from "@titian/server/admin";
import type { ReasonFlags } from "../options/reason.ts";
import { note, print } from "../output.ts";
import { valueOf, withCore } from "../with-core.ts";

export interface GrantFlags {
  readonly partner: string;
  readonly account: string;
}

export async function newAuthCode({ partner, account }: GrantFlags): Promise<void> {
  const { authCode, expiresAt } = await withCore(async ({ adminPool, clock, reference }) => {
    const deps = { database: adminPool, clock, byPartnerId: reference.byPartnerId };
    return valueOf(await createAuthCode(deps, { partnerId: partner, accountNo: account }));
  });
  print(authCode);
  note(`Single-use, valid until ${formatTimestamp(expiresAt)}.`);
}

export async function revoke({ partner, account, reason }: GrantFlags & ReasonFlags): Promise<void> {
  const input = { partnerId: partner, accountNo: account, reason };
  const { note: waits } = await withCore(async ({ adminPool, secrets, clock }) =>
    valueOf(await revokeGrants({ database: adminPool, secrets, clock }, input)),
  );
  print(`The grants of ${partner} for ${account} are revoked.`);
  if (waits !== undefined) note(waits);
}
