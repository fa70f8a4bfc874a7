/** The call in Java 17, in one file that `java Call.java` runs. */
import {
  type CodeInput,
  headersOf,
  lines,
  needsToken,
  quoted,
  signedParts,
  textsOf,
  whyAgain,
  type Words,
} from "./code-input.ts";

export function writeJava(input: CodeInput): string {
  const { isToken, signing, repeats } = input;
  const withToken = needsToken(input);
  const isFile = input.values === "sandboxFile";
  const name = isFile ? "Transfer" : "Call";
  const parts = signedParts(input, "token", "hash", "time");
  return lines(
    `// ${name}.java: run it with java ${name}.java`,
    importsOf(isFile),
    "",
    `class ${name} {`,
    isFile ? sandboxFile : texts(input),
    "",
    "    public static void main(String[] args) throws Exception {",
    withToken && "        var token = getToken();",
    repeats ? again(callOf(withToken)) : `        System.out.println(${callOf(withToken)});`,
    "    }",
    "",
    `    static String call(${withToken ? "String token" : ""}) throws Exception {`,
    "        var time = now();",
    !isToken && `        var digest = MessageDigest.getInstance("SHA-256").digest(BODY.getBytes(UTF_8));`,
    !isToken && "        var hash = HexFormat.of().formatHex(digest);",
    isToken
      ? `        var signature = rsa(CLIENT_KEY + "|" + time);`
      : `        var signature = ${signing === "symmetric" ? "hmac" : "rsa"}(String.join(":", "POST", PATH, ${parts}));`,
    "        return post(PATH, BODY,",
    headersOf(input, wordsOf(input))
      .map(([header, value]) => `            ${quoted(header)}, ${value}`)
      .join(",\n"),
    "        );",
    "    }",
    withToken && tokenCall,
    "",
    helpers(repeats),
    withToken && hmacHelper,
    isFile && sandboxHelpers,
    "}",
  );
}

const callOf = (withToken: boolean) => `call(${withToken ? "token" : ""})`;

const importsOf = (isFile: boolean) => `import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
${isFile ? "import java.nio.file.Files;\nimport java.nio.file.Path;\n" : ""}import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.HexFormat;
${isFile ? "import java.util.Optional;\nimport java.util.regex.Pattern;\n" : ""}import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;`;

function texts(input: CodeInput): string {
  const withToken = needsToken(input);
  return lines(
    `    static final String BASE = ${quoted(input.baseUrl)};`,
    `    static final String PATH = ${quoted(input.path)};`,
    withToken && `    static final String TOKEN_PATH = ${quoted(input.tokenPath)};`,
    (input.isToken || withToken) && `    static final String CLIENT_KEY = ${quoted(input.clientKey)};`,
    withToken && `    static final String CLIENT_SECRET = ${quoted(input.clientSecret)};`,
    `    static final String PRIVATE_KEY = """\n${input.privateKey.trim()}\n""";`,
    `    static final String BODY = ${quoted(input.body)};`,
  ).trimEnd();
}

const sandboxFile = `    static final String SANDBOX = readSandbox();
    // The members of the first partner stand first behind this name.
    static final String PARTNER = SANDBOX.substring(SANDBOX.indexOf("\\"partners\\""));
    static final String ROOT = find(SANDBOX, "pathPrefix") + "/" + find(SANDBOX, "version");

    static final String BASE = find(SANDBOX, "baseUrl");
    static final String PATH = ROOT + "/transfer-intrabank";
    static final String TOKEN_PATH = ROOT + "/access-token/b2b";
    static final String CLIENT_KEY = find(PARTNER, "clientKey");
    static final String CLIENT_SECRET = find(PARTNER, "clientSecret");
    static final String PRIVATE_KEY = find(PARTNER, "privateKey");
    static final String NUMBER = Long.toString(System.currentTimeMillis()) + System.nanoTime() % 1_000_000;
    static final String BODY = """
        {"partnerReferenceNo":"%s","amount":{"value":"250000.00","currency":"IDR"},\\
        "sourceAccountNo":"1001000001","beneficiaryAccountNo":"1001000002","transactionDate":"%s"}\\
        """.formatted(NUMBER, now());`;

const sandboxHelpers = `
    static String readSandbox() {
        var directory = Optional.ofNullable(System.getenv("TITIAN_DATA_DIR")).orElse(".titian");
        try {
            return Files.readString(Path.of(directory, "sandbox.json"));
        } catch (IOException error) {
            throw new IllegalStateException(error);
        }
    }

    // Java reads no JSON by itself; this is enough for the texts of this file.
    static String find(String json, String name) {
        var found = Pattern.compile("\\"" + name + "\\"\\\\s*:\\\\s*\\"([^\\"]*)\\"").matcher(json);
        if (!found.find()) throw new IllegalStateException("sandbox.json has no " + name);
        return found.group(1).replace("\\\\n", "\\n");
    }`;

const helpers = (repeats: boolean) => `    static String now() {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    static String rsa(String text) throws Exception {
        var der = Base64.getMimeDecoder().decode(PRIVATE_KEY.replaceAll("-----[A-Z ]+-----", ""));
        var signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(der)));
        signature.update(text.getBytes(UTF_8));
        return Base64.getEncoder().encodeToString(signature.sign());
    }

    static String post(String path, String body, String... headers) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(BASE + path))
            .timeout(Duration.ofSeconds(30))
            .header("Content-Type", "application/json")
            .headers(headers)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
        var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
${repeats ? "        if (response.statusCode() >= 500) throw new IOException(response.body());\n" : ""}        return response.body();
    }`;

const hmacHelper = `
    static String hmac(String text) throws Exception {
        var mac = Mac.getInstance("HmacSHA512");
        mac.init(new SecretKeySpec(CLIENT_SECRET.getBytes(UTF_8), "HmacSHA512"));
        return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(UTF_8)));
    }`;

const tokenCall = `
    static String getToken() throws Exception {
        var time = now();
        var answer = post(TOKEN_PATH, "{\\"grantType\\":\\"client_credentials\\"}",
            "X-TIMESTAMP", time,
            "X-CLIENT-KEY", CLIENT_KEY,
            "X-SIGNATURE", rsa(CLIENT_KEY + "|" + time));
        return answer.replaceFirst("(?s).*\\"accessToken\\":\\"([^\\"]*)\\".*", "$1");
    }`;

const again = (call: string) => `${whyAgain.map((line) => `        // ${line}`).join("\n")}
        for (var wait = 1; ; wait *= 2) {
            try {
                System.out.println(${call});
                return;
            } catch (IOException error) {
                if (wait > 8) throw error;
                Thread.sleep(wait * 1_000L);
            }
        }`;

function wordsOf(input: CodeInput): Words {
  return {
    time: "time",
    signature: "signature",
    clientKey: "CLIENT_KEY",
    bearer: '"Bearer " + token',
    ...textsOf(input, quoted),
    ...(input.values === "sandboxFile" && {
      partnerId: 'find(PARTNER, "partnerId")',
      externalId: "NUMBER",
      channelId: 'find(PARTNER, "channelId")',
    }),
  };
}
