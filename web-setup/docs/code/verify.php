<?php

const OLDEST_SECONDS = 300;

/**
 * $secret: whsec_ included. $header: X-Service-Signature.
 * $body: the bytes of the request, exactly as they came: file_get_contents('php://input').
 */
function is_genuine(string $secret, string $header, string $body, ?int $now_seconds = null): bool
{
    $parts = array_map(fn ($part) => array_pad(explode('=', $part, 2), 2, ''), explode(',', $header));
    $times = array_column(array_filter($parts, fn ($part) => $part[0] === 't'), 1);
    $sent = $times[0] ?? '';
    $now = $now_seconds ?? time();
    if (preg_match('/^[0-9]{1,15}$/D', $sent) !== 1 || abs($now - (int) $sent) > OLDEST_SECONDS) {
        return false;
    }
    $expected = hash_hmac('sha256', "$sent.$body", $secret);
    foreach ($parts as [$name, $value]) {
        if ($name === 'v1' && hash_equals($expected, $value)) {
            return true;
        }
    }
    return false;
}
