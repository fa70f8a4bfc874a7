/** Types of the requests and answers of a sandbox's control API: the console's pages and commands import no more. */
import type { CallsByRoute, ControlCall } from "@titian/control/types";
import type { sandboxCalls } from "./control/sandbox-routes.ts";

export type * from "@titian/control/types";
export type { FaultView } from "./control/fault-calls.ts";
export type { CodeLanguage } from "./try/code/write-code.ts";
export type { FieldView, OperationView } from "./try/operation-forms.ts";
export type { SampleAnswer } from "./try/samples.ts";
export type { SignedRequest, SignRequest } from "./try/sign-request.ts";

/** All calls of a sandbox, by route: its own and those of any control API. */
export type CallsOfSandbox = CallsByRoute<ControlCall | (typeof sandboxCalls)[number]>;
