/** A process of the benches: forked, ready once it has sent its first message, and ended in order when this one goes away. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

export interface Forked<Ready> {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Its first message. */
  readonly ready: Ready;
  /** Sends a message and gives the response. */
  ask<Answer>(message: object): Promise<Answer>;
  close(): Promise<void>;
}

interface ForkOptions {
  readonly args?: readonly string[];
  /** Beside this process's own. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * The script ends when it is disconnected from its parent, which happens too when the parent dies.
 * @throws when it ends before it is ready; it says why on standard error.
 */
export async function forkScript<Ready>(
  script: URL,
  { args = [], env = {} }: ForkOptions = {},
): Promise<Forked<Ready>> {
  const child = fork(script, args, {
    execArgv: ["--conditions=source", "--expose-gc", "--disable-warning=ExperimentalWarning"],
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  const receive = async <Message>(): Promise<Message> => {
    const gone = ended.then((): never => {
      throw new Error(`The bench process ${script.pathname} ended before it answered.`);
    });
    // Both sides are this program.
    const [message] = (await Promise.race([once(child, "message"), gone])) as [Message];
    return message;
  };
  const ready = await receive<Ready>();
  if (child.pid === undefined) throw new Error(`The bench process ${script.pathname} could not be started.`);
  return {
    child,
    pid: child.pid,
    ready,
    ask: (message) => {
      const answer = receive<never>();
      child.send(message);
      return answer;
    },
    close: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
