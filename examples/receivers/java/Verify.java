// java Verify.java <public-key.pem> <path> <timestamp> <signature> < body
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
import java.util.Base64;
import java.util.HexFormat;

public class Verify {
    static PublicKey parsePublicKey(String pem) throws GeneralSecurityException {
        String base64 = pem.replaceAll("-----(BEGIN|END) PUBLIC KEY-----|\\s", "");
        return KeyFactory.getInstance("RSA").generatePublic(new X509EncodedKeySpec(Base64.getDecoder().decode(base64)));
    }

    /** In a servlet: path is getRequestURI() with "?" and getQueryString() where there is one; body is getInputStream(). */
    static boolean verifySignature(PublicKey key, String path, String timestamp, String signature, byte[] body)
            throws GeneralSecurityException {
        String bodyHash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
        String text = "POST:" + path + ":" + bodyHash + ":" + timestamp;
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

    public static void main(String[] args) throws Exception {
        PublicKey key = parsePublicKey(Files.readString(Path.of(args[0])));
        boolean verifies = verifySignature(key, args[1], args[2], args[3], System.in.readAllBytes());
        String recent = isRecent(args[2], Instant.now()) ? "" : ", not recent";
        System.out.println((verifies ? "verified" : "rejected") + recent);
    }
}
