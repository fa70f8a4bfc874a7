/** Entry `@titian/server/config`: settings alone, for programs that start often; the other entries load much more. */
export { type Config, ConfigError, givenDataDir, loadConfig, npmParent } from "../config/config.ts";
export type { ConsoleSettings } from "../config/console.ts";
