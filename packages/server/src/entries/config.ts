/** Entry `@titian/server/config`: settings alone, for programs that start often; the other entries load much more. */
export { type Config, ConfigError, loadConfig } from "../config/config.ts";
export { givenDataDir, npmParent } from "../config/npm-parent.ts";
export type { ConsoleSettings } from "../config/console.ts";
