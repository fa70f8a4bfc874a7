/**
 * Who may ask the database a question now (decision D17): reads are bounded in number, partners take turns, and one
 * partner never holds more than half of the connections, so its slow questions do not become the others'.
 */
export interface ReadTurns {
  /** Runs the work when its turn comes; undefined at once when too much waits already. */
  run<Answer>(partner: string, work: () => Promise<Answer>): Promise<Answer> | undefined;
  /** Questions that wait now. */
  waiting(): number;
}

export interface ReadLimits {
  readonly running: number;
  readonly runningOfOnePartner: number;
  readonly waiting: number;
  readonly waitingOfOnePartner: number;
}

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

export function createReadTurns(limits: ReadLimits): ReadTurns {
  // A map keeps the order in which lines were put in: who was served goes to its end.
  const lines = new Map<string, Line>();
  let running = 0;
  let waiting = 0;

  const lineOf = (partner: string): Line => {
    const line = lines.get(partner) ?? { running: 0, waiting: [] };
    lines.set(partner, line);
    return line;
  };

  const startNext = () => {
    for (const [partner, line] of lines) {
      if (running >= limits.running) return;
      if (line.running >= limits.runningOfOnePartner) continue;
      const start = line.waiting.shift();
      if (!start) continue;
      lines.delete(partner);
      lines.set(partner, line);
      waiting -= 1;
      running += 1;
      line.running += 1;
      start();
    }
  };

  const end = (partner: string, line: Line) => {
    running -= 1;
    line.running -= 1;
    if (line.running === 0 && line.waiting.length === 0) lines.delete(partner);
    startNext();
  };

  return {
    run: (partner, work) => {
      const line = lineOf(partner);
      if (waiting >= limits.waiting || line.waiting.length >= limits.waitingOfOnePartner) return undefined;
      waiting += 1;
      const turn = new Promise<void>((resolve) => line.waiting.push(resolve));
      startNext();
      return turn.then(work).finally(() => end(partner, line));
    },
    waiting: () => waiting,
  };
}
