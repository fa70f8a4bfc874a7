/** The call in Java 17, in one file that `java Call.java` runs. */
import { type CodeInput, headersOf, lines, needsToken, quoted, signedParts, type Words } from "./code-input.ts";

export function writeJava(input: CodeInput): string {
  const { isToken, signing } = input;
  const withToken = needsToken(input);
  const parts = signedParts(input, "token", "hash", "time");
  return lines(
    "// Call.java: run it with java Call.java",
    imports,
    "",
    "class Call {",
    `    static final String BASE = ${quoted(input.baseUrl)};`,
    `    static final String PATH = ${quoted(input.path)};`,
    (isToken || withToken) && `    static final String CLIENT_KEY = ${quoted(input.clientKey)};`,
    withToken && `    static final String CLIENT_SECRET = ${quoted(input.clientSecret)};`,
    `    static final String PRIVATE_KEY = """\n${input.privateKey.trim()}\n""";`,
    `    static final String BODY = ${quoted(input.body)};`,
    "",
    "    public static void main(String[] args) throws Exception {",
    withToken && tokenCall(input.tokenPath),
    "        var time = now();",
    !isToken && `        var digest = MessageDigest.getInstance("SHA-256").digest(BODY.getBytes(UTF_8));`,
    !isToken && "        var hash = HexFormat.of().formatHex(digest);",
    isToken
      ? `        var signature = rsa(CLIENT_KEY + "|" + time);`
      : `        var signature = ${signing === "symmetric" ? "hmac" : "rsa"}(String.join(":", "POST", PATH, ${parts}));`,
    "        System.out.println(post(PATH, BODY,",
    headersOf(input, words)
      .map(([name, value]) => `            ${quoted(name)}, ${value}`)
      .join(",\n"),
    "        ));",
    "    }",
    "",
    helpers,
    withToken && hmacHelper,
    "}",
  );
}

const imports = `import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;`;

const helpers = `    static String now() {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    static String rsa(String text) throws Exception {
        var der = Base64.getMimeDecoder().decode(PRIVATE_KEY.replaceAll("-----[A-Z ]+-----", ""));
        var signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(der)));
        signature.update(text.getBytes(UTF_8));
        return Base64.getEncoder().encodeToString(signature.sign());
    }

    static String post(String path, String body, String... headers) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(BASE + path))
            .header("Content-Type", "application/json")
            .headers(headers)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
    }`;

const hmacHelper = `
    static String hmac(String text) throws Exception {
        var mac = Mac.getInstance("HmacSHA512");
        mac.init(new SecretKeySpec(CLIENT_SECRET.getBytes(UTF_8), "HmacSHA512"));
        return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(UTF_8)));
    }`;

const tokenCall = (path: string) => `        var asked = now();
        var answer = post(${quoted(path)}, "{\\"grantType\\":\\"client_credentials\\"}",
            "X-TIMESTAMP", asked,
            "X-CLIENT-KEY", CLIENT_KEY,
            "X-SIGNATURE", rsa(CLIENT_KEY + "|" + asked));
        var token = answer.replaceFirst("(?s).*\\"accessToken\\":\\"([^\\"]*)\\".*", "$1");
`;

const words: Words = {
  time: "time",
  signature: "signature",
  clientKey: "CLIENT_KEY",
  bearer: '"Bearer " + token',
  text: quoted,
};
