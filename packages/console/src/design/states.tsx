/** Stand-ins for missing data: loading, nothing there, or an error. */
import type { ComponentChildren } from "preact";
import { type ControlError, waits } from "../api/control.ts";
import { common } from "../texts/common.ts";

export function Skeleton({ lines = 3 }: { readonly lines?: number }) {
  return (
    <div class="stack-tight" role="status">
      <span class="hidden">{common().loading}</span>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} class="skeleton" style={{ width: `${90 - ((line * 23) % 50)}%` }} />
      ))}
    </div>
  );
}

interface EmptyProps {
  readonly title: string;
  readonly children?: ComponentChildren;
}

export function Empty({ title, children }: EmptyProps) {
  return (
    <div class="state">
      <strong>{title}</strong>
      {children}
    </div>
  );
}

/** The sentence of an error; what it is about where that is known. */
export function errorText({ status, code, message, field }: ControlError): string {
  if (code === "csrfTokenMissing") return common().oldPage;
  if (status === 0 && message !== "") return common().offlineMessage;
  return field === undefined ? message : `${message} (${common().field(field)})`;
}

interface FailureProps {
  readonly error: ControlError;
  readonly onRetry?: () => void;
}

export function Failure({ error, onRetry }: FailureProps) {
  return (
    <div class="state" role="alert">
      <strong>{common().failedTitle}</strong>
      {errorText(error)}
      {onRetry && (
        <div>
          <button type="button" class="button" onClick={onRetry}>
            {common().retry}
          </button>
        </div>
      )}
    </div>
  );
}

interface NoticeProps {
  readonly tone?: "good" | "warn" | "bad" | "info";
  readonly children: ComponentChildren;
}

/** A sentence that a screen reader says when it appears. */
export function Notice({ tone = "info", children }: NoticeProps) {
  return (
    <div class={`notice ${tone}`} role={tone === "bad" ? "alert" : "status"}>
      {children}
    </div>
  );
}

/** The sentence of a call that was not carried out; one that waits for approval is no error. */
export function ErrorNotice({ error }: { readonly error: ControlError }) {
  return <Notice tone={error.status === waits ? "info" : "bad"}>{errorText(error)}</Notice>;
}
