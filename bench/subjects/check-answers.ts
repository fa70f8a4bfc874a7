/** Whether a database holds one accepted write for every success that was answered, and nothing else. */
import { countAccepted } from "../database/databases.ts";

export interface AnswerCheck {
  /** Adds what one window answered. */
  add(done: number): void;
  /** Throws when rows and answers differ. */
  check(): Promise<void>;
}

/** Starts from the rows that are there. */
export async function createAnswerCheck(name: string, url: string): Promise<AnswerCheck> {
  let answered = await countAccepted(url);
  return {
    add: (done) => {
      answered += done;
    },
    async check() {
      const rows = await countAccepted(url);
      if (rows !== answered) {
        throw new Error(`${name}: ${answered} calls were answered with success and ${rows} are in the database.`);
      }
    },
  };
}
