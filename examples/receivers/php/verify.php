<?php
// php verify.php <public-key.pem> <path> <timestamp> <signature> < body
declare(strict_types=1);

/** In a web server: $path is $_SERVER['REQUEST_URI'], $body is file_get_contents('php://input'). */
function verifySignature(string $publicKey, string $path, string $timestamp, string $signature, string $body): bool
{
    $key = openssl_pkey_get_public($publicKey);
    $bytes = base64_decode($signature, true);
    if ($key === false || $bytes === false) {
        return false;
    }
    $text = "POST:$path:" . hash('sha256', $body) . ":$timestamp";
    return openssl_verify($text, $bytes, $key, OPENSSL_ALGO_SHA256) === 1;
}

/** X-TIMESTAMP is at most 5 minutes from now. */
function isRecent(string $timestamp, int $now): bool
{
    $isWhole = preg_match('/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/D', $timestamp) === 1;
    $at = $isWhole ? strtotime($timestamp) : false;
    return $at !== false && abs($now - $at) <= 300;
}

[, $file, $path, $timestamp, $signature] = $argv;
$verifies = verifySignature(file_get_contents($file), $path, $timestamp, $signature, stream_get_contents(STDIN));
echo $verifies ? 'verified' : 'rejected', isRecent($timestamp, time()) ? '' : ', not recent', "\n";
