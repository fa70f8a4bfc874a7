// go run verify.go <public-key.pem> <path> <timestamp> <signature> < body
package main

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
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

// In a handler: path is r.RequestURI, body is io.ReadAll(http.MaxBytesReader(w, r.Body, 64<<10)).
func verifySignature(key *rsa.PublicKey, path, timestamp, signature string, body []byte) error {
	bytes, err := base64.StdEncoding.DecodeString(signature)
	if err != nil {
		return err
	}
	bodyHash := sha256.Sum256(body)
	text := "POST:" + path + ":" + hex.EncodeToString(bodyHash[:]) + ":" + timestamp
	digest := sha256.Sum256([]byte(text))
	return rsa.VerifyPKCS1v15(key, crypto.SHA256, digest[:], bytes)
}

// X-TIMESTAMP is at most 5 minutes from now.
func isRecent(timestamp string, now time.Time) bool {
	at, err := time.Parse(time.RFC3339, timestamp)
	age := now.Sub(at)
	return err == nil && age <= 5*time.Minute && age >= -5*time.Minute
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	key, err := parsePublicKey(text)
	if err != nil {
		log.Fatal(err)
	}
	body, err := io.ReadAll(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	result := "verified"
	if verifySignature(key, os.Args[2], os.Args[3], os.Args[4], body) != nil {
		result = "rejected"
	}
	if !isRecent(os.Args[3], time.Now()) {
		result += ", not recent"
	}
	fmt.Println(result)
}
