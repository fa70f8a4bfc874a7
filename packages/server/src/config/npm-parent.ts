/** The program that started this process, and the data directory that it was given. */

export interface NpmParent {
  /** Its process id, where the script has told it: `npm start` does. */
  readonly pid?: number;
  readonly isNpx: boolean;
}

/** The npm that runs this process; undefined where none does. */
export function npmParent(): NpmParent | undefined {
  const { TITIAN_NPM_PID: pid, npm_lifecycle_event: script } = process.env;
  if (pid === undefined && script === undefined) return undefined;
  return { ...(pid !== undefined && { pid: Number(pid) }), isNpx: script === "npx" };
}

/** TITIAN_DATA_DIR as it was given; undefined where the default holds. */
export function givenDataDir(): string | undefined {
  const { TITIAN_DATA_DIR: given = "" } = process.env;
  return given === "" ? undefined : given;
}
