/** Entry of programs that mount the control API. Its types alone: `@titian/control/types`. */
export type * from "./types.ts";
export { type OpenCallRecord, openCallRecord } from "./calls/open-call-record.ts";
export type { RecordedCall } from "./calls/record-calls.ts";
export { type Hide, showCall } from "./calls/show-call.ts";
export { controlCalls, type ControlDeps } from "./control-calls.ts";
export { ControlError, errorBody, invalidField, unknownPartner, valueOf } from "./control-error.ts";
export { type CallExplanations, createCallExplanations } from "./explanations/explain-calls.ts";
export { writeAmount } from "./money-text.ts";
export { describeReceiverTest, notificationServices, receiverTestView } from "./notifications/receiver-test.ts";
export { oneATurn } from "./one-a-turn.ts";
export { type AnyCall, defineCall } from "./rows/define-call.ts";
export { describeCalls, isDescription } from "./rows/describe-calls.ts";
export { noteReads } from "./rows/note-reads.ts";
export { serveCalls } from "./rows/serve-calls.ts";
export { authenticate, type ControlAccess } from "./sessions/authenticate.ts";
export { consoleDirectory, createConsoleRoutes } from "./sessions/serve-console.ts";
export { checkPage, isSessionCall } from "./sessions/session-calls.ts";
export { createSessions } from "./sessions/sessions.ts";
