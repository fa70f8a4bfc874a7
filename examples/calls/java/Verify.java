// java Verify.java <public-key.pem> <partner-id> <path> <timestamp> <signature> < body
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.X509EncodedKeySpec;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

public class Verify {
    static PublicKey parsePublicKey(String pem) throws GeneralSecurityException {
        String base64 = pem.replaceAll("-----(BEGIN|END) PUBLIC KEY-----|\\s", "");
        return KeyFactory.getInstance("RSA").generatePublic(new X509EncodedKeySpec(Base64.getDecoder().decode(base64)));
    }

    static String hashOf(byte[] data) throws GeneralSecurityException {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(data));
    }

    /** In a servlet: path is getRequestURI() with "?" and getQueryString() where there is one; data is getInputStream(). */
    static boolean verifySignature(PublicKey key, String path, String timestamp, String signature, byte[] data)
            throws GeneralSecurityException {
        String text = "POST:" + path + ":" + hashOf(data) + ":" + timestamp;
        Signature verifier = Signature.getInstance("SHA256withRSA");
        verifier.initVerify(key);
        verifier.update(text.getBytes(StandardCharsets.UTF_8));
        try {
            return verifier.verify(Base64.getDecoder().decode(signature));
        } catch (SignatureException | IllegalArgumentException malformed) {
            return false;
        }
    }

    /** X-TIMESTAMP is at most 5 minutes from now. */
    static boolean isRecent(String timestamp, Instant now) {
        try {
            Duration age = Duration.between(OffsetDateTime.parse(timestamp).toInstant(), now);
            return age.abs().compareTo(Duration.ofMinutes(5)) <= 0;
        } catch (DateTimeException malformed) {
            return false;
        }
    }

    /** The partner that the signed body names: the key of mode 2 signs for all partners, and X-PARTNER-ID is not signed. */
    static boolean isForUs(Map<?, ?> body, String partnerId) {
        return body.get("additionalInfo") instanceof Map<?, ?> info && partnerId.equals(info.get("partnerId"));
    }

    /** Service, number and status: the primary key of what you have handled. Where it is known, answer success. */
    static String eventOf(String path, Map<?, ?> body, byte[] data) throws GeneralSecurityException {
        String service = path.contains("/transfer-rtgs/") ? "76" : path.contains("/transfer-skn/") ? "75" : "21";
        String status = first(body, "latestTransactionStatus");
        if (service.equals("21")) {
            String lines = ((List<?>) body.get("bulkObject")).stream().map(item -> lineOf((Map<?, ?>) item))
                    .collect(Collectors.joining("\n"));
            status = hashOf(lines.getBytes(StandardCharsets.UTF_8));
        }
        String number = first(body, "originalReferenceNo", "bulkId");
        String ours = first(body, "originalPartnerReferenceNo", "partnerBulkId");
        if (number.isEmpty()) number = ours.isEmpty() ? "sha256:" + hashOf(data) : "partner:" + ours;
        return service + " " + number + " " + status;
    }

    static String lineOf(Map<?, ?> item) {
        return first(item, "partnerReferenceNo", "originalPartnerReferenceNo", "originalReferenceNo") + " "
                + item.get("responseCode");
    }

    static String first(Map<?, ?> of, String... names) {
        for (String name : names) if (of.get(name) instanceof String text && !text.isEmpty()) return text;
        return "";
    }

    static String check(PublicKey key, String partnerId, String path, String timestamp, String signature, byte[] data)
            throws GeneralSecurityException {
        if (!verifySignature(key, path, timestamp, signature, data)) return "rejected: signature";
        if (!isRecent(timestamp, Instant.now())) return "rejected: not recent";
        Object body = new Json(new String(data, StandardCharsets.UTF_8)).value();
        if (!(body instanceof Map<?, ?> fields) || !isForUs(fields, partnerId)) return "rejected: not for this partner";
        return "verified: " + eventOf(path, fields, data);
    }

    public static void main(String[] args) throws Exception {
        if (args.length != 5) {
            System.err.println("Usage: Verify <public-key.pem> <partner-id> <path> <timestamp> <signature> < body");
            System.exit(1);
        }
        PublicKey key = parsePublicKey(Files.readString(Path.of(args[0])));
        System.out.println(check(key, args[1], args[2], args[3], args[4], System.in.readAllBytes()));
    }

    /** Reads JSON that was verified. Java has no reader of its own: in your system use your library's, Jackson's or Gson's. */
    static class Json {
        private final String text;
        private int at = 0;

        Json(String text) {
            this.text = text;
        }

        Object value() {
            char next = peek();
            if (next == '{') return object();
            if (next == '[') return list();
            if (next == '"') return string();
            int start = at;
            while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) at++;
            return switch (text.substring(start, at)) {
                case "null" -> null;
                case "true" -> true;
                case "false" -> false;
                default -> new BigDecimal(text.substring(start, at));
            };
        }

        private char peek() {
            while (Character.isWhitespace(text.charAt(at))) at++;
            return text.charAt(at);
        }

        private boolean skips(char mark) {
            if (peek() != mark) return false;
            at++;
            return true;
        }

        private Map<String, Object> object() {
            Map<String, Object> members = new HashMap<>();
            skips('{');
            while (!skips('}')) {
                skips(',');
                peek();
                String name = string();
                skips(':');
                members.put(name, value());
            }
            return members;
        }

        private List<Object> list() {
            List<Object> items = new ArrayList<>();
            skips('[');
            while (!skips(']')) {
                skips(',');
                items.add(value());
            }
            return items;
        }

        private String string() {
            StringBuilder read = new StringBuilder();
            for (at++; text.charAt(at) != '"'; at++) {
                char next = text.charAt(at);
                if (next != '\\') {
                    read.append(next);
                } else if (text.charAt(++at) == 'u') {
                    read.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
                    at += 4;
                } else {
                    int known = "bfnrt".indexOf(text.charAt(at));
                    read.append(known < 0 ? text.charAt(at) : "\b\f\n\r\t".charAt(known));
                }
            }
            at++;
            return read.toString();
        }
    }
}
