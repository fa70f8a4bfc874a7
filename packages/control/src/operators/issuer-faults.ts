/** Faults of a login in words: of the browser's answer, the identity provider, our settings, or a clock. */
import { ControlError } from "../control-error.ts";

const again = "Begin again at /operators/login, or with titian login.";

/** Members of the library's errors. */
interface LibraryError {
  readonly code?: unknown;
  /** OAuth's own code. */
  readonly error?: unknown;
  readonly error_description?: unknown;
}

export function explainFault(fault: unknown, issuer: string): ControlError {
  if (fault instanceof ControlError) return fault;
  const explained = describe(fault instanceof Error ? (fault as LibraryError) : {}, issuer);
  explained.cause = fault;
  return explained;
}

function describe({ code, error, error_description: why }: LibraryError, issuer: string): ControlError {
  switch (code) {
    case "OAUTH_AUTHORIZATION_RESPONSE_ERROR":
      return new ControlError(403, "loginRejected", `${issuer} rejected the login: ${said(why ?? error)}. ${again}`);
    case "OAUTH_RESPONSE_BODY_ERROR":
      return describeRejection(said(error), issuer);
    case "OAUTH_WWW_AUTHENTICATE_CHALLENGE":
      return describeRejection("invalid_client", issuer);
    case "OAUTH_INVALID_RESPONSE":
      return new ControlError(
        400,
        "wrongState",
        `The answer is not to this login: it came late, twice, or from elsewhere. ${again}`,
      );
    case "OAUTH_JWT_TIMESTAMP_CHECK_FAILED":
      return new ControlError(
        502,
        "clockSkew",
        `The token of ${issuer} is not valid at this time: compare the clocks of this node and of the identity provider.`,
      );
    case "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED":
      return new ControlError(
        502,
        "wrongIssuer",
        `The identity provider at ${issuer} has another name: set TITIAN_OIDC_ISSUER to its issuer, letter by letter.`,
      );
    case "OAUTH_JWT_CLAIM_COMPARISON_FAILED":
      return new ControlError(
        502,
        "wrongToken",
        `The token of ${issuer} is for somebody else, or for another login. ${again}`,
      );
    case "OAUTH_MISSING_SERVER_METADATA":
      return new ControlError(
        502,
        "noDeviceLogin",
        `${issuer} has no login by a code (device grant): use the console.`,
      );
    default:
      return new ControlError(
        503,
        "issuerAway",
        `The identity provider ${issuer} does not answer as it should. ${again}`,
      );
  }
}

function describeRejection(error: string, issuer: string): ControlError {
  if (error === "invalid_client" || error === "unauthorized_client")
    return new ControlError(
      502,
      "clientRejected",
      `${issuer} does not accept this client (${error}): look at TITIAN_OIDC_CLIENT_ID and TITIAN_OIDC_CLIENT_SECRET, and which grants it has there.`,
    );
  if (error === "access_denied")
    return new ControlError(403, "loginRejected", `${issuer} rejected the login. ${again}`);
  if (error === "expired_token" || error === "invalid_grant")
    return new ControlError(400, "loginExpired", `The login has expired, or its code was used before. ${again}`);
  return new ControlError(502, "loginRejected", `${issuer} rejected the login: ${error}. ${again}`);
}

/** A short text of the identity provider's. */
const said = (text: unknown): string => (typeof text === "string" ? text.slice(0, 200) : "without a reason");
