/** What a caller knows of rows: by their route what is sent and answered. */
import type { Static } from "@titian/contract";
import type { AnyCall, ParamsOf } from "./define-call.ts";

/** Calls by method and path, such as `GET /accounts/{accountNo}`. */
export type CallsByRoute<Of extends AnyCall> = { readonly [Row in Of as `${Row["method"]} ${Row["path"]}`]: Row };

export type AnswerOf<Of extends AnyCall> = Static<NonNullable<Of["answer"]>>;

/** Optional where nothing in it is mandatory. */
type Part<Name extends string, Value> = object extends Value
  ? { readonly [Key in Name]?: Value }
  : { readonly [Key in Name]: Value };

type Params<Path extends string> = unknown extends ParamsOf<Path> ? unknown : { readonly params: ParamsOf<Path> };

type InputOf<Of extends AnyCall> = Params<Of["path"]> &
  Part<"query", Static<Of["query"]>> &
  Part<"body", Static<Of["body"]>>;

/** The arguments after the route: none where nothing has to be given. */
export type InputsOf<Of extends AnyCall> = object extends InputOf<Of> ? [input?: InputOf<Of>] : [input: InputOf<Of>];
