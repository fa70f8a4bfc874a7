/** The part of a log that a cluster writes to: an event, a sentence, and fields. */
export interface ClusterLog {
  warn(event: ClusterEvent, message: string, fields: { readonly processId?: number; readonly path?: string }): void;
  error(event: ClusterEvent, message: string, fields: { readonly error: Error }): void;
}

export type ClusterEvent =
  | "embedded_database.failed"
  | "embedded_database.record_stale"
  | "embedded_database.restarted";
