<?php
// Sends a file's bytes: a line of status and body.
[, $url, $headers, $body] = $argv;
$context = stream_context_create(["http" => [
    "method" => "POST",
    "header" => file($headers, FILE_IGNORE_NEW_LINES),
    "content" => file_get_contents($body),
    "ignore_errors" => true,
    "timeout" => 60,
]]);
$answer = @file_get_contents($url, false, $context);
$status = explode(" ", $http_response_header[0] ?? "")[1] ?? "none";
echo $status, " ", $answer === false ? "nothing" : $answer, "\n";
