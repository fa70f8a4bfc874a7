/** Spoils what carries a request: lengths, chunks, several requests in one go, bytes that are no HTTP at all. */
import { bytesOf, type Draft, headOf } from "./draft.ts";
import type { Random } from "./random.ts";

export interface Stream {
  readonly bytes: Buffer;
  /** True: the sender leaves at once, without waiting for a response. */
  readonly leaves: boolean;
}

const garbage: readonly Buffer[] = [
  Buffer.from("\r\n\r\n\r\n"),
  Buffer.from("GET\r\n\r\n"),
  Buffer.from("HELO example.com\r\n"),
  Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  Buffer.from("POST / HTTP/1.1\r\nHost\r\n\r\n"),
  Buffer.from("POST / HTTP/1.1\nHost: a\n\n"),
  Buffer.from("POST / HTTP/1.1\r\n Host: a\r\n\r\n"),
  Buffer.from("\u0000\u0000\u0000\u0000\r\n\r\n"),
  Buffer.from("1603010200010001fc03030000", "hex"),
  Buffer.from([0xff, 0xf4, 0xff, 0xfd, 0x06]),
  Buffer.from(`GET /${"a".repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`),
  Buffer.from(`POST / HTTP/1.1\r\nHost: a\r\n${"X: y\r\n".repeat(3_000)}\r\n`),
];

/** The body of the draft should be one that moves no money: not every sender waits to learn what became of it. */
export function spoilStream(random: Random, draft: Draft): Stream {
  const waits = (bytes: Buffer): Stream => ({ bytes, leaves: false });
  const leaves = (bytes: Buffer): Stream => ({ bytes, leaves: true });
  const { body } = draft;
  switch (random.int(12)) {
    case 0:
      return leaves(random.chance(0.5) ? random.pick(garbage) : random.bytes(1 + random.int(200)));
    case 1:
      return waits(Buffer.concat([random.pick(garbage), Buffer.from("\u0000\u0001 junk\r\n\r\n")]));
    case 2: {
      const whole = bytesOf(draft);
      return leaves(whole.subarray(0, random.int(whole.length)));
    }
    case 3:
      return leaves(framed(draft, ["Content-Length", String(body.length + 1 + random.int(1_000))], body));
    case 4: {
      const length = random.pick(["-1", "1e3", "0x10", "+5", "5, 5", "", " ", "99999999999999999999", "5 5", "five"]);
      return waits(framed(draft, ["Content-Length", length], body));
    }
    case 5:
      return waits(framed(draft, ["Transfer-Encoding", "chunked"], chunks(random, body)));
    case 6: {
      const bad = [
        "zz\r\n",
        "-1\r\n",
        "ffffffffffffffffff\r\n",
        "5\r\nab",
        "\r\n",
        "1;x=\u0000\r\na\r\n0\r\n\r\n",
        "0\r\nX-SIGNATURE: a\r\n\r\n",
      ];
      return waits(framed(draft, ["Transfer-Encoding", "chunked"], Buffer.from(`${random.pick(bad)}\u0000!\r\n\r\n`)));
    }
    case 7: {
      const encoding = random.pick(["gzip", "identity", "chunked, chunked", "xchunked", "chunked, gzip", ""]);
      return waits(framed(draft, ["Transfer-Encoding", encoding], chunks(random, body)));
    }
    case 8: {
      const both = {
        ...draft,
        headers: [...draft.headers, ["Content-Length", String(body.length)] as [string, string]],
      };
      return waits(framed(both, ["Transfer-Encoding", "chunked"], chunks(random, body)));
    }
    case 9:
      return waits(bytesOf({ ...draft, body: Buffer.alloc(random.pick([65_537, 70_000, 1_048_577]), 0x20) }));
    case 10: {
      const many = Array.from({ length: random.pick([100, 900, 2_500]) }, (_, index): [string, string] => [
        `X-${index}`,
        "y",
      ]);
      return waits(bytesOf({ ...draft, headers: [...draft.headers, ...many] }));
    }
    default:
      return leaves(Buffer.concat(Array.from({ length: 2 + random.int(4) }, () => bytesOf(draft))));
  }
}

function framed(draft: Draft, length: [string, string], body: Buffer): Buffer {
  return Buffer.concat([headOf({ ...draft, headers: [...draft.headers, length] }), body]);
}

/** The body in chunks of odd sizes. */
function chunks(random: Random, body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const part = body.subarray(at, at + 1 + random.int(90));
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n"));
    at += part.length;
  }
  return Buffer.concat([...parts, Buffer.from("0\r\n\r\n")]);
}
