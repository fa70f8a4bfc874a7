/** The call in Go, with its standard library alone. */
import {
  type CodeInput,
  headersOf,
  lines,
  marks,
  needsToken,
  noSandbox,
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
    helpers,
    repeats ? askAgain : askOnce,
    fail,
    withToken && hmacHelper,
    withToken && tokenCall,
    "",
    `func call(${withToken ? "token string" : ""}) string {`,
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
    `\tanswer := ask(${withToken ? "func() string { return call(token) }" : "call"})`,
    `\tif !strings.Contains(answer, \`${marks.success}\`) {\n\t\tfail(path, answer)\n\t}`,
    "\tfmt.Println(answer)",
    "}",
  );
}

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
    "os",
    ...(input.values === "sandboxFile" ? ["path/filepath"] : []),
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
	file := filepath.Join(directory, "sandbox.json")
	text, err := os.ReadFile(file)
	if err != nil {
		fmt.Fprintln(os.Stderr, "No "+file+"${noSandbox}")
		os.Exit(1)
	}
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

var client = http.Client{Timeout: 30 * time.Second}

// Empty without an answer.
func post(path, body string, headers map[string]string) string {
	request, err := http.NewRequest("POST", base+path, strings.NewReader(body))
	check(err)
	request.Header.Set("Content-Type", "application/json")
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	response, err := client.Do(request)
	if err != nil {
		return ""
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return ""
	}
	return string(answer)
}`;

const hmacHelper = `
func signHMAC(text string) string {
	mac := hmac.New(sha512.New, []byte(clientSecret))
	mac.Write([]byte(text))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}`;

const tokenCall = `
func askToken() string {
	at := now()
	return post(tokenPath, \`{"grantType":"client_credentials"}\`, map[string]string{
		"X-TIMESTAMP":  at,
		"X-CLIENT-KEY": clientKey,
		"X-SIGNATURE":  signRSA(clientKey + "|" + at),
	})
}

func getToken() string {
	answer := ask(askToken)
	var token struct{ AccessToken string }
	if json.Unmarshal([]byte(answer), &token) != nil || token.AccessToken == "" {
		fail(tokenPath, answer)
	}
	return token.AccessToken
}`;

const askOnce = `
func ask(send func() string) string {
	return send()
}`;

const askAgain = `
${whyAgain.map((line) => `// ${line}`).join("\n")}
func ask(send func() string) string {
	for wait := time.Second; ; wait *= 2 {
		answer := send()
		isLost := answer == "" || strings.HasPrefix(answer, \`${marks.lost}\`)
		if !isLost || wait > 8*time.Second {
			return answer
		}
		time.Sleep(wait)
	}
}`;

const fail = `
func fail(path, answer string) {
	if answer == "" {
		fmt.Fprintln(os.Stderr, "No answer from "+base+path)
	} else {
		fmt.Println(answer)
	}
	os.Exit(1)
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
