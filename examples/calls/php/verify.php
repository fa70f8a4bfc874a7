<?php
// php verify.php <public-key.pem> <partner-id> <path> <timestamp> <signature> < body
declare(strict_types=1);

/** In a web server: $path is $_SERVER['REQUEST_URI'], $bytes is file_get_contents('php://input'). */
function verifySignature(string $publicKey, string $path, string $timestamp, string $signature, string $bytes): bool
{
    $key = openssl_pkey_get_public($publicKey);
    $signed = base64_decode($signature, true);
    if ($key === false || $signed === false) {
        return false;
    }
    $text = "POST:$path:" . hash('sha256', $bytes) . ":$timestamp";
    return openssl_verify($text, $signed, $key, OPENSSL_ALGO_SHA256) === 1;
}

/** X-TIMESTAMP is at most 5 minutes from now. */
function isRecent(string $timestamp, int $now): bool
{
    $isWhole = preg_match('/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/D', $timestamp) === 1;
    $at = $isWhole ? strtotime($timestamp) : false;
    return $at !== false && abs($now - $at) <= 300;
}

/** The partner that the signed body names: the key of mode 2 signs for all partners, and X-PARTNER-ID is not signed. */
function isForUs(array $body, string $partnerId): bool
{
    $info = $body['additionalInfo'] ?? null;
    return is_array($info) && ($info['partnerId'] ?? null) === $partnerId;
}

/** The first of the members that has a text. */
function first(array $of, string ...$names): string
{
    foreach ($names as $name) {
        if (is_string($of[$name] ?? null) && $of[$name] !== '') {
            return $of[$name];
        }
    }
    return '';
}

/** Service, number and status: the primary key of what you have handled. Where it is known, answer success. */
function eventOf(string $path, array $body, string $bytes): array
{
    $service = str_contains($path, '/transfer-rtgs/') ? '76' : (str_contains($path, '/transfer-skn/') ? '75' : '21');
    $status = first($body, 'latestTransactionStatus');
    if ($service === '21') {
        $numbers = ['partnerReferenceNo', 'originalPartnerReferenceNo', 'originalReferenceNo'];
        $line = fn (array $item) => first($item, ...$numbers) . " {$item['responseCode']}";
        $status = hash('sha256', implode("\n", array_map($line, $body['bulkObject'])));
    }
    $number = first($body, 'originalReferenceNo', 'bulkId');
    $ours = first($body, 'originalPartnerReferenceNo', 'partnerBulkId');
    if ($number === '') {
        $number = $ours === '' ? 'sha256:' . hash('sha256', $bytes) : "partner:$ours";
    }
    return [$service, $number, $status];
}

function check(string $key, string $partnerId, string $path, string $timestamp, string $signature, string $bytes): string
{
    if (!verifySignature($key, $path, $timestamp, $signature, $bytes)) {
        return 'rejected: signature';
    }
    if (!isRecent($timestamp, time())) {
        return 'rejected: not recent';
    }
    $body = json_decode($bytes, true, 32);
    if (!is_array($body) || !isForUs($body, $partnerId)) {
        return 'rejected: not for this partner';
    }
    return 'verified: ' . implode(' ', eventOf($path, $body, $bytes));
}

if ($argc !== 6) {
    fwrite(STDERR, "Usage: verify.php <public-key.pem> <partner-id> <path> <timestamp> <signature> < body\n");
    exit(1);
}
[, $file, $partnerId, $path, $timestamp, $signature] = $argv;
echo check(file_get_contents($file), $partnerId, $path, $timestamp, $signature, stream_get_contents(STDIN)), "\n";
