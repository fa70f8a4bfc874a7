/**
 * An operator's call as one row: its route, validation, answer, OpenAPI, documentation and the console's client follow from
 * it. Where it is mounted says who may make it there.
 */
import { object, type ObjectSchema, type Schema, type Static } from "@titian/contract";
import type { Found } from "@titian/server/admin";
import type { FastifyReply, FastifyRequest } from "fastify";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Relative to its mount, such as `GET /accounts/{accountNo}`. A call of another method than GET acts. */
export type Route = `${Method} /${string}`;

/** Role that makes the call where operators have roles. */
export type Role = "viewer" | "support" | "operator" | "approver" | "security" | "auditor";

/** Names in braces of a path, each with its text. */
export type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [Key in Name]: string } & ParamsOf<Rest>
  : unknown;

/** The request and its response, for the few calls that read a header or write their response themselves. */
export interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Without members of its own. */
type None = Readonly<Record<never, never>>;

interface Input<Path extends string, Query, Body> {
  readonly params: ParamsOf<Path>;
  readonly query: Query;
  readonly body: Body;
}

interface CallRow<To extends Route, Query, Body, Answer, Deps> {
  /** Noun and verb, such as `account show`. */
  readonly name: string;
  readonly route: To;
  readonly role: Role;
  /** Description of what it does, as sentences of plain text. */
  readonly does: string;
  /** Absent: nothing may be in it. `description` of a member completes "must be …". */
  readonly query?: ObjectSchema<Query>;
  /** Absent: nothing may be in it. Where nothing in it is mandatory it may be left out. */
  readonly body?: ObjectSchema<Body>;
  /** Absent: the call writes its response itself. */
  readonly answer?: Schema<Answer>;
  /** Joins the answers of all cells, home's first, where the call names none (`placeCall`). Absent: home alone answers it. */
  readonly join?: (answers: readonly NoInfer<Found<Answer>>[]) => NoInfer<Found<Answer>>;
  /** @throws ControlError for what cannot be carried out */
  readonly run: (
    input: Input<To, Query, Body>,
    deps: Deps,
    exchange: Exchange,
  ) => NoInfer<Found<Answer> | Promise<Found<Answer>>>;
}

export interface Call<To extends Route, Query, Body, Answer, Deps> extends CallRow<To, Query, Body, Answer, Deps> {
  readonly method: Method;
  /** Relative to its mount. */
  readonly path: string;
  readonly access: "read" | "act";
  readonly query: ObjectSchema<Query>;
  readonly body: ObjectSchema<Body>;
}

/** A call that works with `Deps`, whatever it is sent and answers. */
export interface AnyCall<Deps = never> extends Omit<Call<Route, object, object, unknown, Deps>, "run" | "join"> {
  readonly join?: (answers: readonly never[]) => unknown;
  readonly run: (input: never, deps: Deps, exchange: Exchange) => unknown;
}

const nothing = object({});

export function defineCall<
  const To extends Route,
  Deps,
  Query extends object = None,
  Body extends object = None,
  Answer = void,
>(row: CallRow<To, Query, Body, Answer, Deps>): Call<To, Query, Body, Answer, Deps> {
  const [method, path = ""] = row.route.split(" ");
  const place = { method: method as Method, path, access: method === "GET" ? "read" : "act" } as const;
  return { query: nothing as ObjectSchema<Query>, body: nothing as ObjectSchema<Body>, ...row, ...place };
}

/** Types of rows for a caller, by method and path, such as `GET /accounts/{accountNo}`. */
export type CallsByRoute<Of extends AnyCall> = { readonly [Row in Of as Row["route"]]: Row };

export type AnswerOf<Of extends AnyCall> = Static<NonNullable<Of["answer"]>>;

/** Optional members may be undefined: a client leaves those out. */
type Given<Value> = {
  readonly [Key in keyof Value]: object extends Pick<Value, Key> ? Value[Key] | undefined : Value[Key];
};

/** Optional where nothing in it is mandatory. */
type Part<Name extends string, Value> = object extends Value
  ? { readonly [Key in Name]?: Given<Value> }
  : { readonly [Key in Name]: Given<Value> };

type Params<Path extends string> = unknown extends ParamsOf<Path> ? unknown : { readonly params: ParamsOf<Path> };

type InputOf<Of extends AnyCall> = Params<Of["route"]> &
  Part<"query", Static<Of["query"]>> &
  Part<"body", Static<Of["body"]>>;

/** The arguments after the route: none where nothing has to be given. */
export type InputsOf<Of extends AnyCall> = object extends InputOf<Of> ? [input?: InputOf<Of>] : [input: InputOf<Of>];
