/** The text that is signed of an operation's example, in both signing modes. */
import { type DescribedOperation, hashBody, type OperationRow, stringToSign } from "@titian/contract";
import type { Block } from "../blocks/block.ts";
import type { Language, Text } from "../languages.ts";
import type { Section } from "../site.ts";
import { texts } from "../frame/texts.ts";
import { exampleClientKey, exampleTimestamp, exampleToken } from "./headers.ts";

const notes: Readonly<Record<"token" | "call" | "notification", Text>> = {
  token: {
    en: "RSA-SHA256 with your private key over client key, a bar, and exactly the text of `X-TIMESTAMP`; Base64 in `X-SIGNATURE`. The body is not signed.",
    id: "RSA-SHA256 dengan private key Anda atas client key, garis tegak, dan teks `X-TIMESTAMP` persis; Base64 di `X-SIGNATURE`. Body tidak ditandatangani.",
  },
  call: {
    en: "**Mode 1**: HMAC-SHA512 with the client secret. **Mode 2**: RSA-SHA256 with your private key, and no token in the text. Both as Base64 in `X-SIGNATURE`. The hash is SHA-256 of the body's bytes as they are sent, in lower-case hex; here of the example without white space.",
    id: "**Mode 1**: HMAC-SHA512 dengan client secret. **Mode 2**: RSA-SHA256 dengan private key Anda, tanpa token di dalam teks. Keduanya sebagai Base64 di `X-SIGNATURE`. Hash adalah SHA-256 dari byte body seperti yang dikirim, dalam hex huruf kecil; di sini dari contoh tanpa spasi.",
  },
  notification: {
    en: "Verify before parsing, over the bytes as they arrived. **Mode 2** (usual): RSA-SHA256 with the provider's key. **Mode 1**: HMAC-SHA512 with your client secret, and the token that you issued in the text. The path is that of your address.",
    id: "Verifikasi sebelum parsing, atas byte seperti yang tiba. **Mode 2** (lazim): RSA-SHA256 dengan kunci penyedia. **Mode 1**: HMAC-SHA512 dengan client secret Anda, dan token yang Anda terbitkan di dalam teks. Path adalah path alamat Anda.",
  },
};

export function signedTextSection(row: OperationRow, described: DescribedOperation, language: Language): Section {
  const kind = row.kind === "token" ? "token" : row.kind === "notification" ? "notification" : "call";
  return {
    heading: { id: "signed-text", text: texts.signedText[language] },
    blocks: [{ kind: "prose", markdown: notes[kind][language] }],
    aside: samplesOf(row, described),
  };
}

function samplesOf(row: OperationRow, { path, request }: DescribedOperation): readonly Block[] {
  if (row.kind === "token") {
    const text = stringToSign.token(exampleClientKey, exampleTimestamp);
    return [{ kind: "code", title: "RSA-SHA256", language: "text", text }];
  }
  const call = {
    method: "POST",
    path: path ?? `/v1.0/${row.path}`,
    bodyHash: hashBody(Buffer.from(JSON.stringify(request))),
    timestamp: exampleTimestamp,
  };
  const mode1 = stringToSign.transaction({ ...call, accessToken: exampleToken });
  const mode2 = stringToSign.transaction(call);
  return [
    { kind: "code", title: "Mode 1: HMAC-SHA512", language: "text", text: mode1 },
    { kind: "code", title: "Mode 2: RSA-SHA256", language: "text", text: mode2 },
  ];
}
