// Falcon of Bouncy Castle's provider BCPQC on PEM keys and bare signatures. For falcon.sh; N is 512 or 1024.
// Usage: version | keygen N PRIVATE PUBLIC | rewrite N KEY KEY | sign N PRIVATE MESSAGE SIGNATURE | verify N PUBLIC MESSAGE SIGNATURE

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Security;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.pqc.jcajce.provider.BouncyCastlePQCProvider;
import org.bouncycastle.pqc.jcajce.spec.FalconParameterSpec;

public class Falcon {
    private static final String PROVIDER = "BCPQC";

    public static void main(String[] words) throws Exception {
        Security.addProvider(new BouncyCastlePQCProvider());
        if (words[0].equals("version")) {
            System.out.println(new BouncyCastleProvider().getInfo().replaceAll(".* v", ""));
            return;
        }
        var name = "Falcon-" + words[1];
        switch (words[0]) {
            case "keygen": {
                var generator = KeyPairGenerator.getInstance("Falcon", PROVIDER);
                var spec = words[1].equals("512") ? FalconParameterSpec.falcon_512 : FalconParameterSpec.falcon_1024;
                generator.initialize(spec, new SecureRandom());
                var pair = generator.generateKeyPair();
                write(words[2], pair.getPrivate());
                write(words[3], pair.getPublic());
                break;
            }
            case "rewrite":
                write(words[3], read(words[2]));
                break;
            case "sign": {
                var signature = Signature.getInstance(name, PROVIDER);
                signature.initSign((PrivateKey) read(words[2]));
                signature.update(Files.readAllBytes(Path.of(words[3])));
                Files.write(Path.of(words[4]), signature.sign());
                break;
            }
            case "verify": {
                var signature = Signature.getInstance(name, PROVIDER);
                signature.initVerify((PublicKey) read(words[2]));
                signature.update(Files.readAllBytes(Path.of(words[3])));
                if (!signature.verify(Files.readAllBytes(Path.of(words[4])))) {
                    System.err.println("not valid");
                    System.exit(1);
                }
                break;
            }
            default:
                throw new IllegalArgumentException(words[0]);
        }
    }

    private static Key read(String file) throws Exception {
        var text = Files.readString(Path.of(file));
        var der = Base64.getMimeDecoder().decode(text.replaceAll("-----[^-]*-----", ""));
        var factory = KeyFactory.getInstance("Falcon", PROVIDER);
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
