import { string } from "@titian/contract";

export const beneficiaryMembers = {
  beneficiaryAccountNo: string({ personal: "account" }),
  beneficiaryName: string({ personal: "name" }),
  beneficiaryBankCode: string(),
};

interface Beneficiary<Name> {
  readonly accountNo: string;
  readonly name: Name;
  readonly bankCode: Name;
}

/** As members of what is paid to it. */
export function flatten<Name>({ accountNo, name, bankCode }: Beneficiary<Name>) {
  return { beneficiaryAccountNo: accountNo, beneficiaryName: name, beneficiaryBankCode: bankCode };
}
