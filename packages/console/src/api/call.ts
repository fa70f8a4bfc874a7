/** Calls of the control API, of the types that its rows and the sandbox's have. */
import type { AnswerOf, CallsOfOperators, CallsOfProduction, InputsOf } from "@titian/control/types";
import type { CallsOfSandbox } from "@titian/sandbox/types";

/** Such as `GET /accounts/{accountNo}`. */
type Calls = CallsOfSandbox & CallsOfProduction;
export type Route = keyof Calls;
export type Answer<Of extends Route> = AnswerOf<Calls[Of]>;

declare const answered: unique symbol;

/** A call to be made. */
export interface Call<Result> {
  readonly method: string;
  /** After the control API's own, with its query. */
  readonly path: string;
  /** Path of calls of operators about themselves; absent: that of the control API. */
  readonly mount?: "/operators";
  readonly body?: unknown;
  /** For the compiler alone: what it answers. */
  readonly [answered]?: Result;
}

interface Given {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

export function call<Of extends Route>(route: Of, ...[input]: InputsOf<Calls[Of]>): Call<Answer<Of>> {
  return callOf(route, input as Given | undefined);
}

/** A call of an operator about his or her sessions, which only production has. */
export function operatorsCall<Of extends keyof CallsOfOperators>(
  route: Of,
  ...[input]: InputsOf<CallsOfOperators[Of]>
): Call<AnswerOf<CallsOfOperators[Of]>> {
  return { ...callOf(route, input as Given | undefined), mount: "/operators" };
}

function callOf(route: string, { params = {}, query = {}, body }: Given = {}): Call<never> {
  const [method = "", pattern = ""] = route.split(" ");
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const search = new URLSearchParams(given).toString();
  return { method, path: search === "" ? path : `${path}?${search}`, ...(body !== undefined && { body }) };
}
