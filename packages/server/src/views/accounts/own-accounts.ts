/** Our own accounts: of a currency, and of a rail. */
import { currencyCodes } from "@titian/contract";
import type { AccountPurpose } from "../../ledger/accounts/account.ts";
import { internalAccountNo } from "../../ledger/accounts/internal-accounts.ts";
import { suspensePartCount } from "../../ledger/accounts/suspense-part.ts";
import { railNames } from "../../ledger/rails/terms.ts";
import { readBalances } from "../../store/reads/accounts.ts";
import type { QueryDeps } from "../query-deps.ts";

interface OwnAccount {
  readonly accountNo: string;
  readonly purpose: Exclude<AccountPurpose, "customer">;
  readonly currency: string;
  /** Numbers of its parts, or its own. */
  readonly parts: readonly string[];
}

/** Those that there are, in minor units; the parts of a suspense account are added up. */
export async function listOwnAccounts(deps: Pick<QueryDeps, "pool" | "reference">) {
  const accounts = [...currencyCodes.flatMap(ofCurrency), ...ofRails(deps)];
  const balances = await readBalances(
    deps.pool,
    accounts.flatMap(({ parts }) => parts),
  );
  return accounts.flatMap(({ parts, ...account }) => {
    const found = parts.flatMap((part) => balances.get(part) ?? []);
    return found.length === 0 ? [] : [{ ...account, ledgerBalance: found.reduce((sum, balance) => sum + balance, 0n) }];
  });
}

function ofCurrency(currency: string): readonly OwnAccount[] {
  return (["funding", "unclaimed", "restored"] as const).map((purpose) => {
    const accountNo = internalAccountNo(purpose, currency);
    return { accountNo, purpose, currency, parts: [accountNo] };
  });
}

function ofRails({ reference }: Pick<QueryDeps, "reference">): readonly OwnAccount[] {
  const { rails } = reference.current().rails;
  return railNames.flatMap((rail) => {
    const { currency } = rails[rail];
    const parts = Array.from({ length: suspensePartCount }, (_, part) =>
      internalAccountNo("suspense", currency, rail, part),
    );
    const ofRail = (purpose: "clearing" | "fee"): OwnAccount => {
      const accountNo = internalAccountNo(purpose, currency, rail);
      return { accountNo, purpose, currency, parts: [accountNo] };
    };
    const suspense = { accountNo: `suspense:${rail}:${currency}`, purpose: "suspense", currency, parts } as const;
    return [suspense, ofRail("clearing"), ofRail("fee")];
  });
}
