<?php
$file = (getenv('TITIAN_DATA_DIR') ?: '.titian') . '/sandbox.json';
if (!is_readable($file)) {
    fwrite(STDERR, "No $file here: run it in the repository's root, with the sandbox started (npm start)\n");
    exit(1);
}
$sandbox = json_decode(file_get_contents($file), true);
$partner = $sandbox['partners'][0];
$root = "{$sandbox['pathPrefix']}/{$sandbox['version']}";
define('BASE', $sandbox['baseUrl']);
define('PATH', "$root/transfer-intrabank");
define('TOKEN_PATH', "$root/access-token/b2b");
define('CLIENT_KEY', $partner['clientKey']);
define('CLIENT_SECRET', $partner['clientSecret']);
define('PRIVATE_KEY', $partner['privateKey']);
define('PARTNER_ID', $partner['partnerId']);
define('CHANNEL_ID', $partner['channelId']);
define('NUMBER', (string) hrtime(true) . random_int(1000, 9999));
define('BODY', json_encode([
    'partnerReferenceNo' => NUMBER,
    'amount' => ['value' => '250000.00', 'currency' => 'IDR'],
    'sourceAccountNo' => $partner['sourceAccounts'][0],
    'beneficiaryAccountNo' => $partner['sourceAccounts'][1],
    'transactionDate' => gmdate('Y-m-d\TH:i:s\Z'),
]));

function now(): string
{
    return gmdate('Y-m-d\TH:i:s\Z');
}

function rsa(string $text): string
{
    openssl_sign($text, $signature, PRIVATE_KEY, OPENSSL_ALGO_SHA256);
    return base64_encode($signature);
}

function post(string $path, string $body, array $headers): string
{
    $options = [
        'method' => 'POST',
        'header' => ['Content-Type: application/json', ...$headers],
        'content' => $body,
        'ignore_errors' => true,
        'timeout' => 30,
    ];
    return (string) @file_get_contents(BASE . $path, false, stream_context_create(['http' => $options]));
}

// Without an answer nobody knows what became of it: the same number and the same bytes again, signed anew.
// It takes effect once; if it had, the answer is 409xx00 with the first one in additionalInfo.originalResponse.
function ask(callable $send): string
{
    for ($wait = 1; ; $wait *= 2) {
        $answer = $send();
        $isLost = $answer === '' || str_starts_with($answer, '{"responseCode":"5');
        if (!$isLost || $wait > 8) {
            return $answer;
        }
        sleep($wait);
    }
}

function fail(string $path, string $answer): never
{
    if ($answer === '') {
        fwrite(STDERR, 'No answer from ' . BASE . $path . PHP_EOL);
    } else {
        echo $answer, PHP_EOL;
    }
    exit(1);
}

function sign(string $text): string
{
    return base64_encode(hash_hmac('sha512', $text, CLIENT_SECRET, true));
}

function getToken(): string
{
    $time = now();
    return post(TOKEN_PATH, '{"grantType":"client_credentials"}', [
        'X-TIMESTAMP: ' . $time,
        'X-CLIENT-KEY: ' . CLIENT_KEY,
        'X-SIGNATURE: ' . rsa(CLIENT_KEY . '|' . $time),
    ]);
}

$answer = ask('getToken');
$token = json_decode($answer)->accessToken ?? fail(TOKEN_PATH, $answer);

function call(string $token): string
{
    $time = now();
    $hash = hash('sha256', BODY);
    $signature = sign(implode(':', ['POST', PATH, $token, $hash, $time]));
    return post(PATH, BODY, [
        'X-TIMESTAMP: ' . $time,
        'X-SIGNATURE: ' . $signature,
        'Authorization: ' . 'Bearer ' . $token,
        'X-PARTNER-ID: ' . PARTNER_ID,
        'X-EXTERNAL-ID: ' . NUMBER,
        'CHANNEL-ID: ' . CHANNEL_ID,
    ]);
}

$answer = ask(fn () => call($token));
str_contains($answer, '"responseCode":"2') || fail(PATH, $answer);
echo $answer, PHP_EOL;
