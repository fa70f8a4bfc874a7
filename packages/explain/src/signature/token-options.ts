/** Tokens that callers put into the text instead of the one of `Authorization`, or instead of none. */
import type { Received } from "../received.ts";
import { distinct, type Option, variation } from "./variation.ts";

/** `undefined` leaves the token and its colon out. */
export function tokenOptions({ token, customerToken, headers }: Received, takesToken: boolean): readonly Option[] {
  const right = takesToken ? token : undefined;
  const header = headers.authorization;
  const present = takesToken ? "token.changed" : "token.present";
  return distinct<string | undefined>([
    { value: right, by: [] },
    { value: undefined, by: [variation("token", "token.leftOut")] },
    ...(takesToken || token === undefined ? [] : [{ value: token, by: [variation("token", "token.present")] }]),
    { value: "", by: [variation("token", takesToken ? "token.empty" : "token.doubledColon")] },
    ...(token === undefined
      ? []
      : [
          ...[header, `Bearer ${token}`, `bearer ${token}`, `Bearer${token}`].map((value) => ({
            value,
            by: [variation("token", "token.withBearer")],
          })),
          { value: `${token}\n`, by: [variation("token", "token.lineBreak")] },
          { value: `"${token}"`, by: [variation("token", "token.quoted")] },
          { value: token.toLowerCase(), by: [variation("token", present)] },
        ]),
    ...(customerToken === undefined
      ? []
      : [customerToken, `Bearer ${customerToken}`].map((value) => ({
          value,
          by: [variation("token", "token.customers")],
        }))),
  ]);
}
