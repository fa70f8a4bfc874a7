package main

import (
	"crypto"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

type sandboxFile struct {
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
		fmt.Fprintln(os.Stderr, "No "+file+" here: run it in the repository's root, with the sandbox started (npm start)")
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
	`{"partnerReferenceNo":%q,"amount":{"value":"250000.00","currency":"IDR"},`+
		`"sourceAccountNo":%q,"beneficiaryAccountNo":%q,"transactionDate":%q}`,
	number, partner.SourceAccounts[0], partner.SourceAccounts[1], now(),
)

func now() string {
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
}

// Without an answer nobody knows what became of it: the same number and the same bytes again, signed anew.
// It takes effect once; if it had, the answer is 409xx00 with the first one in additionalInfo.originalResponse.
func ask(send func() string) string {
	for wait := time.Second; ; wait *= 2 {
		answer := send()
		isLost := answer == "" || strings.HasPrefix(answer, `{"responseCode":"5`)
		if !isLost || wait > 8*time.Second {
			return answer
		}
		time.Sleep(wait)
	}
}

func fail(path, answer string) {
	if answer == "" {
		fmt.Fprintln(os.Stderr, "No answer from "+base+path)
	} else {
		fmt.Println(answer)
	}
	os.Exit(1)
}

func signHMAC(text string) string {
	mac := hmac.New(sha512.New, []byte(clientSecret))
	mac.Write([]byte(text))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

func askToken() string {
	at := now()
	return post(tokenPath, `{"grantType":"client_credentials"}`, map[string]string{
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
}

func call(token string) string {
	at := now()
	hash := fmt.Sprintf("%x", sha256.Sum256([]byte(body)))
	signature := signHMAC(strings.Join([]string{"POST", path, token, hash, at}, ":"))
	return post(path, body, map[string]string{
		"X-TIMESTAMP": at,
		"X-SIGNATURE": signature,
		"Authorization": "Bearer " + token,
		"X-PARTNER-ID": partner.PartnerID,
		"X-EXTERNAL-ID": number,
		"CHANNEL-ID": partner.ChannelID,
	})
}

func main() {
	token := getToken()
	answer := ask(func() string { return call(token) })
	if !strings.Contains(answer, `"responseCode":"2`) {
		fail(path, answer)
	}
	fmt.Println(answer)
}
