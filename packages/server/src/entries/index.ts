/** Entry of programs that embed the service (docs/reference/rails.md). Rails: `@titian/server/rails`. */
export type { Keys } from "../basics/keys.ts";
export type { MovableClock } from "../basics/clock.ts";
export { type Service, type ServiceDeps, type ServiceLoad, startService } from "../compose/start-service.ts";
export type {
  Extension,
  OpenedExtension,
  ServiceParts,
  StartedExtension,
} from "../compose/extension.ts";
export type { StartDatabase } from "../compose/database.ts";
export type { ConnectedRails, OwnRails } from "../compose/rails/rails.ts";
export { type Config, ConfigError, loadConfig } from "../config/config.ts";
export type {
  CallHooks,
  CallObserver,
  ExplainRejection,
  Fault,
  FaultInjection,
  FaultKind,
  ObservedCall,
} from "../edge/call-hooks.ts";
export { explanationLeftOut } from "../edge/responses/debug-message.ts";
export type { CheckStep } from "../edge/responses/rejected-call.ts";
export { createLog, type Log } from "../observability/log.ts";
