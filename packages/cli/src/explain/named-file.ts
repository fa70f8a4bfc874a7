/**
 * Files that a saved command names. The command may be a stranger's: only files beside it are read, so that explaining it
 * opens nothing else of the machine.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import { usageError } from "../cli-error.ts";
import { visible } from "../tables/plain.ts";

/** The largest body that the service takes, of a bulk. */
const bytesMax = 8_388_608;

/** `directory`: of the saved command; undefined: it came by standard input. @throws CliError that says what to do */
export function readNamedFile(name: string, directory: string | undefined, what: string): Buffer {
  const shown = `${what} of the curl command, @${visible(name)},`;
  if (name === "-" || name === "") {
    throw usageError(`${shown} came by standard input and is not saved: save it to a file and name it by --body.`);
  }
  if (directory === undefined) {
    throw usageError(
      `${shown} is a file, and a command by standard input stands beside none: save the command to a file in its directory, or name the body by --body.`,
    );
  }
  const outside = `${shown} is not beside the saved command, and only such files are read: copy it there and name it without a path, or name the body by --body.`;
  if (isAbsolute(name) || name.split(/[\\/]/).includes("..")) throw usageError(outside);
  try {
    const [root, path] = [realpathSync(directory), realpathSync(join(directory, name))];
    const inside = relative(root, path);
    if (inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside)) throw usageError(outside);
    return readRegular(path, shown);
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error;
    throw usageError(`${shown} cannot be read: ${visible(error.message)}`);
  }
}

/** Neither a link that took its place meanwhile nor a device: opening one must not wait. */
function readRegular(path: string, shown: string): Buffer {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw usageError(`${shown} is no regular file: save its content to one.`);
    if (stat.size > bytesMax)
      throw usageError(`${shown} has ${stat.size} bytes; the service takes ${bytesMax} at most.`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
