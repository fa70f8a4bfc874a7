// Transfer.java: run it with java Transfer.java
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class Transfer {
    static final String SANDBOX = readSandbox();
    // The members of the first partner stand first behind this name.
    static final String PARTNER = SANDBOX.substring(SANDBOX.indexOf("\"partners\""));
    static final String ROOT = find(SANDBOX, "pathPrefix") + "/" + find(SANDBOX, "version");

    static final String BASE = find(SANDBOX, "baseUrl");
    static final String PATH = ROOT + "/transfer-intrabank";
    static final String TOKEN_PATH = ROOT + "/access-token/b2b";
    static final String CLIENT_KEY = find(PARTNER, "clientKey");
    static final String CLIENT_SECRET = find(PARTNER, "clientSecret");
    static final String PRIVATE_KEY = find(PARTNER, "privateKey");
    static final String NUMBER = Long.toString(System.currentTimeMillis()) + System.nanoTime() % 1_000_000;
    static final String BODY = """
        {"partnerReferenceNo":"%s","amount":{"value":"250000.00","currency":"IDR"},\
        "sourceAccountNo":"1001000001","beneficiaryAccountNo":"1001000002","transactionDate":"%s"}\
        """.formatted(NUMBER, now());

    public static void main(String[] args) throws Exception {
        var token = getToken();
        var answer = ask(() -> call(token));
        if (!answer.contains("\"responseCode\":\"2")) fail(PATH, answer);
        System.out.println(answer);
    }

    static String call(String token) throws Exception {
        var time = now();
        var digest = MessageDigest.getInstance("SHA-256").digest(BODY.getBytes(UTF_8));
        var hash = HexFormat.of().formatHex(digest);
        var signature = hmac(String.join(":", "POST", PATH, token, hash, time));
        return post(PATH, BODY,
            "X-TIMESTAMP", time,
            "X-SIGNATURE", signature,
            "Authorization", "Bearer " + token,
            "X-PARTNER-ID", find(PARTNER, "partnerId"),
            "X-EXTERNAL-ID", NUMBER,
            "CHANNEL-ID", find(PARTNER, "channelId")
        );
    }

    static String getToken() throws Exception {
        var answer = ask(Transfer::askToken);
        var found = Pattern.compile("\"accessToken\":\"([^\"]*)\"").matcher(answer);
        if (!found.find()) fail(TOKEN_PATH, answer);
        return found.group(1);
    }

    static String askToken() throws Exception {
        var time = now();
        return post(TOKEN_PATH, "{\"grantType\":\"client_credentials\"}",
            "X-TIMESTAMP", time,
            "X-CLIENT-KEY", CLIENT_KEY,
            "X-SIGNATURE", rsa(CLIENT_KEY + "|" + time));
    }

    static String now() {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    static String rsa(String text) throws Exception {
        var der = Base64.getMimeDecoder().decode(PRIVATE_KEY.replaceAll("-----[A-Z ]+-----", ""));
        var signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(der)));
        signature.update(text.getBytes(UTF_8));
        return Base64.getEncoder().encodeToString(signature.sign());
    }

    // Empty without an answer.
    static String post(String path, String body, String... headers) throws InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(BASE + path))
            .timeout(Duration.ofSeconds(30))
            .header("Content-Type", "application/json")
            .headers(headers)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
        try {
            return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
        } catch (IOException error) {
            return "";
        }
    }

    // Without an answer nobody knows what became of it: the same number and the same bytes again, signed anew.
    // It takes effect once; if it had, the answer is 409xx00 with the first one in additionalInfo.originalResponse.
    static String ask(Callable<String> send) throws Exception {
        for (var wait = 1; ; wait *= 2) {
            var answer = send.call();
            var isLost = answer.isEmpty() || answer.startsWith("{\"responseCode\":\"5");
            if (!isLost || wait > 8) return answer;
            Thread.sleep(wait * 1_000L);
        }
    }

    static void fail(String path, String answer) {
        if (answer.isEmpty()) System.err.println("No answer from " + BASE + path);
        else System.out.println(answer);
        System.exit(1);
    }

    static String hmac(String text) throws Exception {
        var mac = Mac.getInstance("HmacSHA512");
        mac.init(new SecretKeySpec(CLIENT_SECRET.getBytes(UTF_8), "HmacSHA512"));
        return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(UTF_8)));
    }

    static String readSandbox() {
        var directory = Optional.ofNullable(System.getenv("TITIAN_DATA_DIR")).orElse(".titian");
        var file = Path.of(directory, "sandbox.json");
        try {
            return Files.readString(file);
        } catch (IOException error) {
            System.err.println("No " + file + " here: run it in the repository's root, with the sandbox started (npm start)");
            System.exit(1);
            throw new IllegalStateException(error);
        }
    }

    // Java reads no JSON by itself; this is enough for the texts of this file.
    static String find(String json, String name) {
        var found = Pattern.compile("\"" + name + "\"\\s*:\\s*\"([^\"]*)\"").matcher(json);
        if (!found.find()) throw new IllegalStateException("sandbox.json has no " + name);
        return found.group(1).replace("\\n", "\n");
    }
}
