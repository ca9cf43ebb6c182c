import { createHmac } from 'node:crypto'

/**
 * Makes the X-Service-Signature header, `t=<unix seconds>,v1=<hex>[,v1=<hex>]`: for each live secret the HMAC-SHA256 of
 * `<t>.<rawBody>`, keyed with the whole secret string (`whsec_` included).
 */
export function signatureHeader(secrets: readonly string[], timestampSec: number, rawBody: string): string {
  const signed = `${timestampSec}.${rawBody}`
  const values = secrets.map((secret) => `v1=${createHmac('sha256', secret).update(signed).digest('hex')}`)
  return [`t=${timestampSec}`, ...values].join(',')
}

const PREFIX = 'whsec_'

/**
 * Makes the webhook-signature header of Standard Webhooks, `v1,<base64>[ v1,<base64>]`: for each live secret the
 * HMAC-SHA256 of `<id>.<timestamp>.<rawBody>`, keyed with the bytes that the secret encodes. Older secrets are base64url,
 * which is decoded as well.
 * @param id of the event: the same at every attempt and replay
 */
export function standardSignature(
  secrets: readonly string[],
  { id, timestampSec, rawBody }: { id: string; timestampSec: number; rawBody: string },
): string {
  const signed = `${id}.${timestampSec}.${rawBody}`
  return secrets
    .map((secret) => Buffer.from(secret.slice(PREFIX.length), 'base64'))
    .map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
    .join(' ')
}
