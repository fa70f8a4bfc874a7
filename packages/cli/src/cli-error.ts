/** Exit codes, and errors that are shown to the user as a message. */

export const exitCodes = {
  done: 0,
  /** Rejected, failed, or audit findings. */
  failed: 1,
  /** Invalid command line or configuration; nothing was done. */
  usage: 2,
  /** A call was sent and its outcome is unknown: it may have taken effect. */
  unknown: 3,
  /** Exit code for a list of payments of which some were rejected or returned. */
  partial: 4,
  /** Nothing was done yet: another operator has to approve it. */
  waits: 5,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Takes the exit code of a command; one that does not say is done. */
export type End = (code: ExitCode) => void;

/** The message says what is wrong, where, and what to do; shown without a stack. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly exitCode: ExitCode;
  constructor(message: string, exitCode: ExitCode = exitCodes.failed, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** An invalid command line. */
export function usageError(message: string): CliError {
  return new CliError(message, exitCodes.usage);
}
