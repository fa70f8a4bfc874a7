/** All calls of the control API that any program may mount; what it adds of its own stands beside them. */
import { auditCalls, type AuditCallsDeps } from "./audit/audit-calls.ts";
import { cellCalls, type CellCallsDeps } from "./cells/cell-calls.ts";
import { databaseCalls, type DatabaseCallsDeps } from "./database-calls.ts";
import { recordedCalls, type RecordedCallsDeps } from "./record/recorded-calls.ts";
import { sessionCalls, type SessionCallsDeps } from "./sessions/session-calls.ts";

export type ControlDeps = DatabaseCallsDeps & AuditCallsDeps & CellCallsDeps & RecordedCallsDeps & SessionCallsDeps;

export const controlCalls = [...databaseCalls, ...recordedCalls, ...auditCalls, ...cellCalls, ...sessionCalls] as const;
