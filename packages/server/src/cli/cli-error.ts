/** How a command ends: exit codes, and errors whose message is all the user needs. */

export const exitCodes = {
  done: 0,
  /** Refused, found wrong, or failed. */
  failed: 1,
  /** The command line or the configuration cannot be used; nothing was done. */
  usage: 2,
  /** A call was sent and its outcome is not known: it may have taken effect. */
  unknown: 3,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** What is wrong, where, and what to do; shown without a stack. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly exitCode: ExitCode;
  constructor(message: string, exitCode: ExitCode = exitCodes.failed, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** A fault of the command line. */
export function usageError(message: string): CliError {
  return new CliError(message, exitCodes.usage);
}
