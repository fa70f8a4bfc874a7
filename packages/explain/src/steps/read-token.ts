/** Content of an access token, by itself. Nothing is verified: only a token that was refused is read. */
export interface TokenText {
  /** Internal id of the partner. */
  readonly subject: string | undefined;
  /** Epoch ms. */
  readonly expiresAt: number | undefined;
  readonly isCustomers: boolean;
}

const tokenLengthMax = 8_192;

/** Undefined: not a JWT. */
export function readToken(token: string): TokenText | undefined {
  const parts = token.split(".");
  if (parts.length !== 3 || token.length > tokenLengthMax) return undefined;
  const [head, claims] = parts.slice(0, 2).map(readPart);
  if (head === undefined || claims === undefined) return undefined;
  const { sub, exp, aud } = claims;
  return {
    subject: typeof sub === "string" ? sub : undefined,
    expiresAt: typeof exp === "number" && Number.isFinite(exp) ? exp * 1_000 : undefined,
    isCustomers: typeof aud === "string" && aud.endsWith(":b2b2c"),
  };
}

function readPart(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
