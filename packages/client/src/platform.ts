/** Types of the platform, as far as the program has them: those of this package need neither Node's nor a browser's. */

/** `AbortSignal`. */
export type Signal = typeof globalThis extends { AbortSignal: { readonly prototype: infer Native } }
  ? Native
  : {
      readonly aborted: boolean;
      addEventListener(type: "abort", listener: () => void): void;
      removeEventListener(type: "abort", listener: () => void): void;
    };

/** `Request` and `Response` of the Fetch API. */
export type FetchApiRequest = typeof globalThis extends { Request: { readonly prototype: infer Native } }
  ? Native
  : never;
export type FetchApiResponse = typeof globalThis extends { Response: { readonly prototype: infer Native } }
  ? Native
  : object;

/** `IncomingMessage` and `ServerResponse` of `node:http`, as any program that has them sees them. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly complete: boolean;
  readonly httpVersion: string;
}
export interface NodeResponse {
  readonly headersSent: boolean;
  readonly statusCode: number;
  readonly writableEnded: boolean;
}
