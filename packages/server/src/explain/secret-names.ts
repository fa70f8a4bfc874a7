/** Members, parameters and headers that hold secrets, by their names: what is shown of a call masks their values. */

const secretNames: ReadonlySet<string> = new Set([
  "accesstoken",
  "refreshtoken",
  "idtoken",
  "token",
  "authcode",
  "authorizationcode",
  "code",
  "clientsecret",
  "secret",
  "password",
  "privatekey",
  "apikey",
  "pin",
  "otp",
]);

const secretHeaders =
  /^(?:authorization(?:-customer)?|proxy-authorization|x-signature|cookie|.*(?:secret|password|token|api-?key|private).*)$/i;

/** Of a member or parameter, in any letter case, with or without `_` and `-`. */
export function isSecretName(name: string): boolean {
  return secretNames.has(name.toLowerCase().replaceAll(/[_-]/g, ""));
}

/** Of a header. */
export function isSecretHeader(name: string): boolean {
  return secretHeaders.test(name);
}
