/** What the process of a test file tells the runner, a line of JSON each. */
export type FileEvent =
  | {
      readonly kind: "end";
      readonly name: string;
      /** File and line. */
      readonly place: string;
      readonly isSuite: boolean;
      readonly isSkipped: boolean;
      readonly isTodo: boolean;
      /** `type`: node's name of the kind of failure. */
      readonly failure?: { readonly type: string; readonly text: string };
    }
  | { readonly kind: "diagnostic"; readonly message: string }
  /** All tests of the file have ended. */
  | { readonly kind: "summary" };

/** Number of the pipe in the process of a test file. */
export const eventsPipe = 3;
/** Names the test file to its process. */
export const fileVariable = "TEST_FILE_OF_RUNNER";
