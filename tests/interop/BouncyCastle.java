// NTRU of Bouncy Castle's provider BCPQC on PEM files and bare ciphertexts. For bouncy_castle.sh.
// Usage: version | keygen SET PRIVATE PUBLIC | rewrite KEY KEY | encaps PUBLIC CIPHERTEXT SECRET | decaps PRIVATE CIPHERTEXT SECRET

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Security;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import javax.crypto.KeyGenerator;
import org.bouncycastle.jcajce.SecretKeyWithEncapsulation;
import org.bouncycastle.jcajce.spec.KEMExtractSpec;
import org.bouncycastle.jcajce.spec.KEMGenerateSpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.pqc.jcajce.provider.BouncyCastlePQCProvider;
import org.bouncycastle.pqc.jcajce.spec.NTRUParameterSpec;

public class BouncyCastle {
    private static final String NAME = "NTRU", PROVIDER = "BCPQC";
    private static final int SECRET_BITS = 256;

    public static void main(String[] words) throws Exception {
        Security.addProvider(new BouncyCastlePQCProvider());
        switch (words[0]) {
            case "version":
                System.out.println(new BouncyCastleProvider().getInfo().replaceAll(".* v", ""));
                break;
            case "keygen": {
                var generator = KeyPairGenerator.getInstance(NAME, PROVIDER);
                generator.initialize(NTRUParameterSpec.fromName(words[1]), new SecureRandom());
                var pair = generator.generateKeyPair();
                write(words[2], pair.getPrivate());
                write(words[3], pair.getPublic());
                break;
            }
            case "rewrite":
                write(words[2], read(words[1]));
                break;
            case "encaps": {
                var generator = KeyGenerator.getInstance(NAME, PROVIDER);
                var spec = new KEMGenerateSpec.Builder((PublicKey) read(words[1]), "AES", SECRET_BITS).withNoKdf().build();
                generator.init(spec, new SecureRandom());
                var made = (SecretKeyWithEncapsulation) generator.generateKey();
                Files.write(Path.of(words[2]), made.getEncapsulation());
                Files.write(Path.of(words[3]), made.getEncoded());
                break;
            }
            case "decaps": {
                var generator = KeyGenerator.getInstance(NAME, PROVIDER);
                var ciphertext = Files.readAllBytes(Path.of(words[2]));
                generator.init(new KEMExtractSpec.Builder((PrivateKey) read(words[1]), ciphertext, "AES", SECRET_BITS).withNoKdf().build());
                Files.write(Path.of(words[3]), generator.generateKey().getEncoded());
                break;
            }
            default:
                throw new IllegalArgumentException(words[0]);
        }
    }

    private static Key read(String file) throws Exception {
        var text = Files.readString(Path.of(file));
        var der = Base64.getMimeDecoder().decode(text.replaceAll("-----[^-]*-----", ""));
        var factory = KeyFactory.getInstance(NAME, PROVIDER);
        return text.contains("PRIVATE KEY")
            ? factory.generatePrivate(new PKCS8EncodedKeySpec(der))
            : factory.generatePublic(new X509EncodedKeySpec(der));
    }

    private static void write(String file, Key key) throws Exception {
        var label = key instanceof PrivateKey ? "PRIVATE KEY" : "PUBLIC KEY";
        var body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key.getEncoded());
        Files.writeString(Path.of(file), "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n");
    }
}
