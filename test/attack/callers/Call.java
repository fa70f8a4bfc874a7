import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Sends a file's bytes so many times at once, by both of Java's clients: a line of status and body for each call. */
public class Call {
  public static void main(String[] arguments) throws Exception {
    URI uri = URI.create(arguments[0]);
    String[] headers = Files.readString(Path.of(arguments[1])).strip().split("\n");
    byte[] body = Files.readAllBytes(Path.of(arguments[2]));
    int count = Integer.parseInt(arguments[3]);
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    boolean isOld = arguments[4].equals("HttpURLConnection");
    Callable<String> call = () -> isOld ? callByConnection(uri, headers, body) : callByClient(client, uri, headers, body);
    var threads = Executors.newFixedThreadPool(count);
    var calls = new ArrayList<Future<String>>();
    for (int i = 0; i < count; i += 1) calls.add(threads.submit(call));
    for (var one : calls) {
      try {
        System.out.println(one.get());
      } catch (Exception error) {
        System.out.println("failed: " + error.getCause());
      }
    }
    System.exit(0);
  }

  private static String callByClient(HttpClient client, URI uri, String[] headers, byte[] body) throws Exception {
    var request = HttpRequest.newBuilder(uri).POST(HttpRequest.BodyPublishers.ofByteArray(body));
    for (String header : headers) request.header(header.split(": ", 2)[0], header.split(": ", 2)[1]);
    var response = client.send(request.build(), BodyHandlers.ofString());
    return response.statusCode() + " " + response.body();
  }

  private static String callByConnection(URI uri, String[] headers, byte[] body) throws Exception {
    var connection = (HttpURLConnection) uri.toURL().openConnection();
    connection.setRequestMethod("POST");
    connection.setDoOutput(true);
    for (String header : headers) connection.setRequestProperty(header.split(": ", 2)[0], header.split(": ", 2)[1]);
    connection.getOutputStream().write(body);
    int status = connection.getResponseCode();
    return status + " " + new String(connection.getErrorStream().readAllBytes());
  }
}
