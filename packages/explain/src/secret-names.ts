/** Headers, members and parameters that hold secrets, by their names: what is shown of a call masks their values. */

const secretNames: ReadonlySet<string> = new Set([
  "authorization",
  "authorizationcustomer",
  "proxyauthorization",
  "xsignature",
  "cookie",
  "authcode",
  "authorizationcode",
  "code",
  "pin",
  "otp",
]);

const secretParts = /secret|password|token|apikey|private/;
/** A longer name is none of a field. */
const lengthMax = 200;

/** One rule for all of them: in any letter case, with or without `_` and `-`. */
export function isSecretName(name: string): boolean {
  if (name.length > lengthMax) return false;
  const plain = name.toLowerCase().replaceAll(/[_-]/g, "");
  return secretNames.has(plain) || secretParts.test(plain);
}
