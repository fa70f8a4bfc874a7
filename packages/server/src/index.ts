/** What a program imports that embeds the service, to connect rails of its own (docs/rails.md). */
export { type Service, type ServiceDeps, type ServiceLoad, startService } from "./compose.ts";
export type {
  ConnectedRails,
  Extension,
  ServiceParts,
  StartedExtension,
} from "./compose/extension.ts";
export type { StartDatabase } from "./compose/database.ts";
export type { OwnRails } from "./compose/rails.ts";
export { type Config, ConfigError, loadConfig } from "./config.ts";
export type { RailName } from "./ledger/rails/terms.ts";
export { createLog, type Log } from "./observability/log.ts";
export {
  type BeneficiaryAnswer,
  type Instruction,
  type Rail,
  RailDown,
  type RailRecords,
  type RailRejection,
  type RailResult,
  type RailState,
} from "./rails/rail.ts";
