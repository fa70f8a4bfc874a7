/** What a program imports that explains refused calls: pure, and small enough for a thread of its own. */
export { explainOpenly, explainRefusal, withoutExplanation, withoutSecrets } from "./explain/explain-refusal.ts";
export { findRefusal, operationAtTarget, type Refusal } from "./explain/find-refusal.ts";
export { nearest, suggest } from "./explain/nearest.ts";
export {
  type CallEvidence,
  type Diagnosis,
  type Difference,
  type PartnerSecrets,
  type RefusalReport,
  type Rejection,
  type Statement,
  type Warning,
} from "./explain/report.ts";
export {
  createSecretFinder,
  hideSecrets,
  hideSecretsIn,
  type KnownSecret,
  type SecretFinder,
  secretsOf,
} from "./explain/known-secrets.ts";
export { isSecretName } from "./explain/secret-names.ts";
export { warningsOf } from "./explain/warnings.ts";
