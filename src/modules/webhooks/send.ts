import type { Outbound, OutboundResult } from '#ports/outbound/port.ts'
import { signatureHeader, standardSignature } from './signature.ts'

export interface Sending {
  url: string
  /** Each of them signs. */
  secrets: string[]
  deliveryId: string
  eventId: string
  eventType: string
  /** Exactly the bytes that are sent. */
  body: string
  now: string
}

/** Posts one signed delivery. The outbound port stops after the contract's 5 seconds and follows no redirects. */
export const sendSigned = (
  outbound: Outbound,
  { url, secrets, deliveryId, eventId, eventType, body, now }: Sending,
): Promise<OutboundResult> => {
  const seconds = Math.floor(Date.parse(now) / 1000)
  return outbound.post({
    url,
    body,
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'Institute-Webhooks',
      'X-Service-Signature': signatureHeader(secrets, seconds, body),
      'X-Service-Timestamp': String(seconds),
      'X-Service-Event': eventType,
      'X-Service-Delivery': deliveryId,
      'webhook-id': eventId,
      'webhook-timestamp': String(seconds),
      'webhook-signature': standardSignature(secrets, { id: eventId, timestampSec: seconds, rawBody: body }),
    },
  })
}
