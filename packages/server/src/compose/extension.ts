/** What a program adds to the service that it embeds: a database, keys, rails, routes. `@titian/sandbox` adds all four. */
import type { FastifyPluginAsync } from "fastify";
import type { Dispatcher } from "../rails/dispatcher.ts";
import type { MasterKeys } from "../secrets.ts";
import type { Core } from "./core.ts";
import type { Jobs } from "./jobs.ts";
import type { OwnRails } from "./rails.ts";

export interface Extension {
  /** Where the settings have none. */
  readonly masterKeys?: MasterKeys;
  /** Connects rails before the jobs on them start. A rail that the program passed itself is not replaced. */
  connectRails?(core: Core): Promise<ConnectedRails>;
  /** Runs when everything works but the listener. */
  start?(parts: ServiceParts): Promise<StartedExtension>;
}

/** Rails of an extension; disposed of after the jobs on them. */
export interface ConnectedRails extends AsyncDisposable {
  readonly rails: OwnRails;
}

export interface ServiceParts {
  readonly core: Core;
  readonly dispatcher: Dispatcher;
  readonly jobs: Jobs;
}

export interface StartedExtension extends AsyncDisposable {
  /** Served beside the operations, by prefix such as `/sandbox`. */
  readonly routes: Readonly<Record<string, FastifyPluginAsync>>;
  /** The service listens there. */
  onListening(baseUrl: string): void;
}
