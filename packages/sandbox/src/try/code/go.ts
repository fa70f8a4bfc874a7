/** The call in Go, with its standard library alone. */
import { type CodeInput, headersOf, lines, needsToken, quoted, signedParts, type Words } from "./code-input.ts";

export function writeGo(input: CodeInput): string {
  const { isToken, signing } = input;
  const withToken = needsToken(input);
  return lines(
    "package main",
    "",
    importsOf(input),
    "",
    `const base = ${quoted(input.baseUrl)}`,
    `const path = ${quoted(input.path)}`,
    (isToken || withToken) && `const clientKey = ${quoted(input.clientKey)}`,
    withToken && `const clientSecret = ${quoted(input.clientSecret)}`,
    `const privateKey = \`${input.privateKey}\``,
    `const body = ${quoted(input.body)}`,
    "",
    helpers,
    withToken && hmacHelper,
    "",
    "func main() {",
    withToken && tokenCall(input.tokenPath),
    `\ttime := now()`,
    !isToken && `\thash := fmt.Sprintf("%x", sha256.Sum256([]byte(body)))`,
    isToken
      ? `\tsignature := signRSA(clientKey + "|" + time)`
      : `\tsignature := ${signing === "symmetric" ? "signHMAC" : "signRSA"}(strings.Join([]string{"POST", path, ${signedParts(input, "token.AccessToken", "hash", "time")}}, ":"))`,
    "\tfmt.Println(post(path, body, map[string]string{",
    ...headersOf(input, words).map(([name, value]) => `\t\t${quoted(name)}: ${value},`),
    "\t}))",
    "}",
  );
}

function importsOf(input: CodeInput): string {
  const names = [
    "crypto",
    ...(needsToken(input) ? ["crypto/hmac"] : []),
    "crypto/rand",
    "crypto/rsa",
    "crypto/sha256",
    ...(needsToken(input) ? ["crypto/sha512"] : []),
    "crypto/x509",
    "encoding/base64",
    ...(needsToken(input) ? ["encoding/json"] : []),
    "encoding/pem",
    "fmt",
    "io",
    "net/http",
    "strings",
    "time",
  ];
  return `import (\n${names.map((name) => `\t"${name}"`).join("\n")}\n)`;
}

const helpers = `func now() string {
	return time.Now().UTC().Format("2006-01-02T15:04:05Z")
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func signRSA(text string) string {
	block, _ := pem.Decode([]byte(privateKey))
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	check(err)
	digest := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(rand.Reader, key.(*rsa.PrivateKey), crypto.SHA256, digest[:])
	check(err)
	return base64.StdEncoding.EncodeToString(signature)
}

func post(path, body string, headers map[string]string) string {
	request, err := http.NewRequest("POST", base+path, strings.NewReader(body))
	check(err)
	request.Header.Set("Content-Type", "application/json")
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	check(err)
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	check(err)
	return string(answer)
}`;

const hmacHelper = `
func signHMAC(text string) string {
	mac := hmac.New(sha512.New, []byte(clientSecret))
	mac.Write([]byte(text))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}`;

const tokenCall = (path: string) => `	asked := now()
	answer := post(${quoted(path)}, \`{"grantType":"client_credentials"}\`, map[string]string{
		"X-TIMESTAMP":  asked,
		"X-CLIENT-KEY": clientKey,
		"X-SIGNATURE":  signRSA(clientKey + "|" + asked),
	})
	var token struct{ AccessToken string }
	check(json.Unmarshal([]byte(answer), &token))
`;

const words: Words = {
  time: "time",
  signature: "signature",
  clientKey: "clientKey",
  bearer: '"Bearer " + token.AccessToken',
  text: quoted,
};
