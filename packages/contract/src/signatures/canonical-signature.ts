/** One spelling for the bytes of a signature (spec D4): some partners' systems send hex instead of Base64. */

/** Digits of an HMAC-SHA512, and of RSA signatures of 2,048 to 8,192 bits. */
const hex = /^(?:[0-9a-f]{128}|(?:[0-9a-f]{2}){256,1024})$/i;

/**
 * Hex of a signature's length, in either case, as standard Base64; any other text as it is. Base64 of those lengths is
 * never taken for hex: it would need hundreds of digits without one letter behind F.
 */
export function canonicalSignature(text: string): string {
  return hex.test(text) ? Buffer.from(text, "hex").toString("base64") : text;
}
