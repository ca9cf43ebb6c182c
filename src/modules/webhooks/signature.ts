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
