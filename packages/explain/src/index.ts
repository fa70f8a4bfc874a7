/** Entry of programs that explain rejected calls: pure, and small enough for a thread of its own. */
export { explainAttempt, type FailedAttempt } from "./attempts/explain-attempt.ts";
export { explainTest, type KeptTest, type MistakeWords, mistakeSentence } from "./attempts/explain-test.ts";
export { explainOpenly, explainRefusal, withoutExplanation, withoutSecrets } from "./explain-refusal.ts";
export { findRefusal, operationAtTarget, type Refusal } from "./find-refusal.ts";
export {
  type CallEvidence,
  type Diagnosis,
  type Difference,
  type PartnerSecrets,
  type RefusalReport,
  type Rejection,
  type Statement,
  type Warning,
} from "./report.ts";
export {
  createSecretFinder,
  hideSecrets,
  hideSecretsIn,
  type KnownSecret,
  type SecretFinder,
  secretsOf,
} from "./known-secrets.ts";
export { maskBody, maskHeader, maskTarget } from "./mask-call.ts";
export { isSecretName } from "./secret-names.ts";
export { warningsOf } from "./warnings.ts";
