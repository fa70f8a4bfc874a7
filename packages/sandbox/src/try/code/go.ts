/** The call in Go, with its standard library alone. */
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

export function writeGo(input: CodeInput): string {
  const { isToken, signing, repeats } = input;
  const withToken = needsToken(input);
  return lines(
    "package main",
    "",
    importsOf(input),
    "",
    input.values === "texts" ? texts(input) : sandboxFile,
    "",
    helpers(repeats),
    withToken && hmacHelper,
    withToken && tokenCall,
    "",
    `func call(${withToken ? "token string" : ""}) (string, error) {`,
    "\tat := now()",
    !isToken && `\thash := fmt.Sprintf("%x", sha256.Sum256([]byte(body)))`,
    isToken
      ? `\tsignature := signRSA(clientKey + "|" + at)`
      : `\tsignature := ${signing === "symmetric" ? "signHMAC" : "signRSA"}(strings.Join([]string{"POST", path, ${signedParts(input, "token", "hash", "at")}}, ":"))`,
    "\treturn post(path, body, map[string]string{",
    ...headersOf(input, wordsOf(input)).map(([name, value]) => `\t\t${quoted(name)}: ${value},`),
    "\t})",
    "}",
    "",
    "func main() {",
    withToken && "\ttoken := getToken()",
    repeats ? again(callOf(withToken)) : `\tanswer, err := ${callOf(withToken)}\n\tcheck(err)\n\tfmt.Println(answer)`,
    "}",
  );
}

const callOf = (withToken: boolean) => `call(${withToken ? "token" : ""})`;

function importsOf(input: CodeInput): string {
  const withToken = needsToken(input);
  const names = [
    "crypto",
    ...(withToken ? ["crypto/hmac"] : []),
    "crypto/rand",
    "crypto/rsa",
    "crypto/sha256",
    ...(withToken ? ["crypto/sha512"] : []),
    "crypto/x509",
    "encoding/base64",
    ...(withToken ? ["encoding/json"] : []),
    "encoding/pem",
    "fmt",
    "io",
    "net/http",
    ...(input.values === "sandboxFile" ? ["os", "path/filepath"] : []),
    "strings",
    "time",
  ];
  return `import (\n${names.map((name) => `\t"${name}"`).join("\n")}\n)`;
}

function texts(input: CodeInput): string {
  const withToken = needsToken(input);
  return lines(
    `const base = ${quoted(input.baseUrl)}`,
    `const path = ${quoted(input.path)}`,
    withToken && `const tokenPath = ${quoted(input.tokenPath)}`,
    (input.isToken || withToken) && `const clientKey = ${quoted(input.clientKey)}`,
    withToken && `const clientSecret = ${quoted(input.clientSecret)}`,
    `const privateKey = \`${input.privateKey}\``,
    `const body = ${quoted(input.body)}`,
  ).trimEnd();
}

const sandboxFile = `type sandboxFile struct {
	BaseURL, PathPrefix, Version string
	Partners                     []struct {
		PartnerID, ChannelID, ClientKey, ClientSecret, PrivateKey string
		SourceAccounts                                            []string
	}
}

func readSandbox() (sandbox sandboxFile) {
	directory := os.Getenv("TITIAN_DATA_DIR")
	if directory == "" {
		directory = ".titian"
	}
	text, err := os.ReadFile(filepath.Join(directory, "sandbox.json"))
	check(err)
	check(json.Unmarshal(text, &sandbox))
	return sandbox
}

var sandbox = readSandbox()
var partner = sandbox.Partners[0]
var root = sandbox.PathPrefix + "/" + sandbox.Version

var base = sandbox.BaseURL
var path = root + "/transfer-intrabank"
var tokenPath = root + "/access-token/b2b"
var clientKey = partner.ClientKey
var clientSecret = partner.ClientSecret
var privateKey = partner.PrivateKey
var number = fmt.Sprint(time.Now().UnixNano())
var body = fmt.Sprintf(
	\`{"partnerReferenceNo":%q,"amount":{"value":"250000.00","currency":"IDR"},\`+
		\`"sourceAccountNo":%q,"beneficiaryAccountNo":%q,"transactionDate":%q}\`,
	number, partner.SourceAccounts[0], partner.SourceAccounts[1], now(),
)`;

const helpers = (repeats: boolean) => `func now() string {
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

var client = http.Client{Timeout: 30 * time.Second}

func post(path, body string, headers map[string]string) (string, error) {
	request, err := http.NewRequest("POST", base+path, strings.NewReader(body))
	check(err)
	request.Header.Set("Content-Type", "application/json")
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	response, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
${repeats ? '\tif err == nil && response.StatusCode >= 500 {\n\t\terr = fmt.Errorf("%s", answer)\n\t}\n' : ""}	return string(answer), err
}`;

const hmacHelper = `
func signHMAC(text string) string {
	mac := hmac.New(sha512.New, []byte(clientSecret))
	mac.Write([]byte(text))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}`;

const tokenCall = `
func getToken() string {
	at := now()
	answer, err := post(tokenPath, \`{"grantType":"client_credentials"}\`, map[string]string{
		"X-TIMESTAMP":  at,
		"X-CLIENT-KEY": clientKey,
		"X-SIGNATURE":  signRSA(clientKey + "|" + at),
	})
	check(err)
	var token struct{ AccessToken string }
	check(json.Unmarshal([]byte(answer), &token))
	return token.AccessToken
}`;

const again = (call: string) => `${whyAgain.map((line) => `\t// ${line}`).join("\n")}
	for wait := time.Second; ; wait *= 2 {
		answer, err := ${call}
		if err == nil {
			fmt.Println(answer)
			return
		}
		if wait > 8*time.Second {
			panic(err)
		}
		time.Sleep(wait)
	}`;

function wordsOf(input: CodeInput): Words {
  return {
    time: "at",
    signature: "signature",
    clientKey: "clientKey",
    bearer: '"Bearer " + token',
    ...textsOf(input, quoted),
    ...(input.values === "sandboxFile" && {
      partnerId: "partner.PartnerID",
      externalId: "number",
      channelId: "partner.ChannelID",
    }),
  };
}
