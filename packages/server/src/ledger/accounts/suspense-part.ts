/**
 * The suspense account of a rail and currency has parts, so that transfers of different payers do not write the same row.
 * A transfer keeps its part: only new transfers depend on how parts are derived.
 */

export const suspensePartCount = 16;

/** The part of a payer's transfers, from 0. Numbers in sequence are spread evenly: the mixing is that of MurmurHash3. */
export function suspensePartOf(payerAccountNo: string): number {
  let hash = 0;
  for (let at = 0; at < payerAccountNo.length; at += 1) {
    hash = (Math.imul(hash, 31) + payerAccountNo.charCodeAt(at)) | 0;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % suspensePartCount;
}
