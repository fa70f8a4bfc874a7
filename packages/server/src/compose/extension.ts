/** Extension of the service by a program that embeds it: keys, rails, routes. `@titian/sandbox` adds all three. */
import type { OperationName } from "@titian/contract";
import type { SandboxParts } from "@titian/reference";
import type { FastifyPluginAsync } from "fastify";
import type { CallHooks } from "../edge/call-hooks.ts";
import type { DocumentSource } from "../edge/pages/open-api.ts";
import type { SecurityLog } from "../observability/security/security-log.ts";
import type { Handler } from "../interfaces/call.ts";
import type { MasterKeys } from "../basics/secrets.ts";
import type { NodeCells } from "./cells/node-cells.ts";
import type { Core } from "./core.ts";
import type { ConnectedRails, OwnRails } from "./rails/rails.ts";

export interface Extension {
  /** True: the service is a sandbox with it; the settings must say the same. */
  readonly isSandbox: boolean;
  /** Runs first, before the database is opened. */
  open?(): Promise<OpenedExtension>;
  /** Loads modules that `start` needs, while the database is started. */
  load?(): Promise<unknown>;
  /** Connects rails that all cells share, with home's core, but for those that the program connects itself (`own`). */
  connectSharedRails?(home: Core, own: OwnRails): Promise<ConnectedRails>;
  /** Connects rails that each cell has of its own, with its core, before the jobs on them start: at the start, or once it is reached. */
  connectCellRails?(core: Core, own: OwnRails): Promise<ConnectedRails>;
  /** Runs when everything works but the listener. */
  start?(parts: ServiceParts): Promise<StartedExtension>;
}

/** Disposed of last, also when a later step of the start fails. */
export interface OpenedExtension extends AsyncDisposable {
  /** Used where the settings have none. */
  readonly masterKeys: MasterKeys;
  /** RSA private key in PEM that signs notifications; used where the settings have none. */
  readonly providerKey: string;
  /** Address to which administration connects; used where the settings have none. */
  readonly administrationUrl?: string | undefined;
}

export type Handlers = Readonly<Partial<Record<OperationName, Handler>>>;

export interface ServiceParts {
  readonly core: Core;
  /** The operations, for calls of the extension's own. */
  readonly handlers: Handlers;
  /** Home, and the cells beside it. */
  readonly cells: Pick<NodeCells, "all" | "streams" | "wake">;
  /** Undefined: none is kept. */
  readonly security: SecurityLog | undefined;
}

export interface StartedExtension extends AsyncDisposable {
  /** Served beside the operations, by prefix such as `/sandbox`. */
  readonly routes: Readonly<Record<string, FastifyPluginAsync>>;
  /** Served where metrics, health and documentation are, by prefix. */
  readonly managementRoutes?: Readonly<Record<string, FastifyPluginAsync>>;
  /** Parts that it adds to the reference at `/docs`. */
  readonly sandboxParts?: SandboxParts;
  /** Examples and address of `/openapi.json`; absent: the contract's, and the address of the settings. */
  readonly documentSource?: DocumentSource;
  /** Hooks into calls, beside our own. */
  readonly calls?: CallHooks;
  /** The service listens there. */
  onListening(baseUrl: string): void;
  /** The service begins to stop: answers that have no end of their own are ended. */
  onStopping?(): void;
}
