/** Times of sends, where no client gives them. */

let last = 0;

/** `X-TIMESTAMP` of a call that is signed anew (epoch ms): later than of all before it in this process. */
export function newSentAt(): number {
  last = Math.max(last + 1, Date.now());
  return last;
}
