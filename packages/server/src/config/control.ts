/** Settings of commands that make operators' calls at an address, and not on a database or at the running sandbox. */
import { optional, string } from "@titian/contract";

interface ControlPlace {
  /** The part before the calls' paths, without a slash at its end. */
  readonly url: string;
  /** Absent: the session of an operator who has logged in. */
  readonly token?: string;
}

export const controlVariables = {
  TITIAN_URL: optional(string({ pattern: "^https?://[^?#]+$", description: "an http or https URL" })),
  TITIAN_TOKEN: optional(string({ pattern: "^[!-~]+$", description: "visible characters" })),
};

export interface ControlConfig {
  /** Absent: they are made on a database, or by the running sandbox. */
  readonly control?: ControlPlace;
}

interface ControlSettings {
  readonly TITIAN_URL?: string;
  readonly TITIAN_TOKEN?: string;
}

export function readControl({ TITIAN_URL: url, TITIAN_TOKEN: token }: ControlSettings): ControlConfig {
  return url === undefined ? {} : { control: { url: url.replace(/\/+$/, ""), ...(token !== undefined && { token }) } };
}
