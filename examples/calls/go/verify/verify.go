// go run verify.go <public-key.pem> <partner-id> <path> <timestamp> <signature> < body
package main

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
	"time"
)

func parsePublicKey(text []byte) (*rsa.PublicKey, error) {
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, errors.New("no PEM")
	}
	key, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return nil, err
	}
	public, ok := key.(*rsa.PublicKey)
	if !ok {
		return nil, errors.New("no RSA key")
	}
	return public, nil
}

func hashOf(data []byte) string {
	digest := sha256.Sum256(data)
	return hex.EncodeToString(digest[:])
}

// In a handler: path is r.RequestURI, data is io.ReadAll(http.MaxBytesReader(w, r.Body, 128<<10)), 8<<20 of 21.
// The hash is of the bytes as they came: json.Marshal sorts maps and escapes <, > and &.
func verifySignature(key *rsa.PublicKey, path, timestamp, signature string, data []byte) bool {
	signed, err := base64.StdEncoding.DecodeString(signature)
	digest := sha256.Sum256([]byte("POST:" + path + ":" + hashOf(data) + ":" + timestamp))
	return err == nil && rsa.VerifyPKCS1v15(key, crypto.SHA256, digest[:], signed) == nil
}

// X-TIMESTAMP is at most 5 minutes from now.
func isRecent(timestamp string, now time.Time) bool {
	at, err := time.Parse(time.RFC3339, timestamp)
	age := now.Sub(at)
	return err == nil && age <= 5*time.Minute && age >= -5*time.Minute
}

// A map has the exact names. The fields of a struct also match names in other letters, and the last one wins: a
// partner's own member "partnerid" would stand for the provider's "partnerId".
type object map[string]json.RawMessage

func (o object) object(name string) (member object) {
	json.Unmarshal(o[name], &member)
	return member
}

// The first of the members that has a text.
func (o object) text(names ...string) string {
	for _, name := range names {
		var text string
		if json.Unmarshal(o[name], &text) == nil && text != "" {
			return text
		}
	}
	return ""
}

// The partner that the signed body names: the key of mode 2 signs for all partners, and X-PARTNER-ID is not signed.
func isForUs(body object, partnerID string) bool {
	return body.object("additionalInfo").text("partnerId") == partnerID
}

// Service, number and status: the primary key of what you have handled. Where it is known, answer success.
func eventOf(path string, body object, data []byte) (service, number, status string) {
	service, status = "21", body.text("latestTransactionStatus")
	if strings.Contains(path, "/transfer-rtgs/") {
		service = "76"
	} else if strings.Contains(path, "/transfer-skn/") {
		service = "75"
	} else {
		var items []object
		json.Unmarshal(body["bulkObject"], &items)
		lines := make([]string, len(items))
		for i, item := range items {
			number := item.text("partnerReferenceNo", "originalPartnerReferenceNo", "originalReferenceNo")
			lines[i] = number + " " + item.text("responseCode")
		}
		status = hashOf([]byte(strings.Join(lines, "\n")))
	}
	number = body.text("originalReferenceNo", "bulkId")
	if ours := body.text("originalPartnerReferenceNo", "partnerBulkId"); number == "" && ours != "" {
		number = "partner:" + ours
	} else if number == "" {
		number = "sha256:" + hashOf(data)
	}
	return service, number, status
}

func check(key *rsa.PublicKey, partnerID, path, timestamp, signature string, data []byte) string {
	if !verifySignature(key, path, timestamp, signature, data) {
		return "rejected: signature"
	}
	if !isRecent(timestamp, time.Now()) {
		return "rejected: not recent"
	}
	var body object
	if json.Unmarshal(data, &body) != nil || !isForUs(body, partnerID) {
		return "rejected: not for this partner"
	}
	service, number, status := eventOf(path, body, data)
	return "verified: " + service + " " + number + " " + status
}

func main() {
	if len(os.Args) != 6 {
		fmt.Fprintln(os.Stderr, "Usage: verify <public-key.pem> <partner-id> <path> <timestamp> <signature> < body")
		os.Exit(1)
	}
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	key, err := parsePublicKey(text)
	if err != nil {
		log.Fatal(err)
	}
	data, err := io.ReadAll(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(check(key, os.Args[2], os.Args[3], os.Args[4], os.Args[5], data))
}
