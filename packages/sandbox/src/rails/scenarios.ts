/**
 * Outcomes of an instruction, by the beneficiary's account, on every simulated rail alike. `sandbox.json` tells it to
 * whoever drives the sandbox: a change here is a change of that interface.
 */
import { type CaseName, responseCases } from "@titian/contract";
import type { RailRejection } from "@titian/server/rails";

/**
 * slowSuccess: settles, 15 s late · limbo: stays pending; an operator's decision is its only end ·
 * returnedAfterSettlement: settles, and comes back 60 s later.
 */
type Ending = "success" | "slowSuccess" | "limbo" | "returnedAfterSettlement";

export type Outcome = Ending | RailRejection;

interface ScenarioRow {
  readonly accountNo: string;
  readonly name: string;
  /** Case with which a call that leads there is answered, where the rail is asked within the call. */
  readonly case: CaseName;
}

const scenarios: Readonly<Record<Outcome, ScenarioRow>> = {
  success: { accountNo: "8800000001", name: "Ratna Kusuma", case: "success" },
  slowSuccess: { accountNo: "8800000002", name: "Hendra Gunawan", case: "requestInProgress" },
  limbo: { accountNo: "8800000003", name: "Yusuf Hidayat", case: "requestInProgress" },
  returnedAfterSettlement: { accountNo: "8800000004", name: "Lina Marlina", case: "success" },
  unknownBeneficiary: { accountNo: "8800000011", name: "", case: "invalidAccount" },
  beneficiaryInactive: { accountNo: "8800000012", name: "Slamet Riyadi", case: "inactiveAccount" },
  beneficiaryDormant: { accountNo: "8800000013", name: "Endang Suryani", case: "dormantAccount" },
  beneficiaryOverLimit: { accountNo: "8800000014", name: "Bambang Prakoso", case: "accountLimitExceeded" },
  bankUnreachable: { accountNo: "8800000015", name: "Wahyu Nugroho", case: "bankNotSupported" },
  rejected: { accountNo: "8800000016", name: "Fitri Handayani", case: "doNotHonor" },
};

export const outcomes = Object.keys(scenarios) as readonly Outcome[];

export function isOutcome(text: string): text is Outcome {
  return Object.hasOwn(scenarios, text);
}

const byAccount = new Map(outcomes.map((outcome) => [scenarios[outcome].accountNo, outcome]));

/** The outcome that goes with the account, whatever the bank; undefined for one that no scenario is about. */
export function scenarioOf(accountNo: string): Outcome | undefined {
  return byAccount.get(accountNo);
}

/** Name of the holder of a scenario's account. */
export function holderOf(outcome: Outcome): string {
  return scenarios[outcome].name;
}

/** Any bank would do: outcomes go by account alone. */
const scenarioBankCode = "014";

/** A line of `scenarios` in `sandbox.json`. */
export interface Scenario {
  readonly beneficiaryBankCode: string;
  readonly beneficiaryAccountNo: string;
  readonly outcome: Outcome;
  /** HTTP status and case code; a response code has the service code between them. */
  readonly responseCase: string;
}

export function listScenarios(): readonly Scenario[] {
  return outcomes.map((outcome) => {
    const { accountNo, case: name } = scenarios[outcome];
    const { status, case: code } = responseCases[name];
    return {
      beneficiaryBankCode: scenarioBankCode,
      beneficiaryAccountNo: accountNo,
      outcome,
      responseCase: `${status}${code}`,
    };
  });
}
