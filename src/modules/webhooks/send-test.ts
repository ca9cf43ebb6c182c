import type { InferOutput } from 'valibot'
import { newId } from '#kernel/basics/ids.ts'
import type { Outbound } from '#ports/outbound/port.ts'
import type { Vault } from '#runtime/secrets/vault.ts'
import type { TestResult } from './schemas.ts'
import { liveSecrets, type SealedSecrets } from './secrets.ts'
import { sendSigned } from './send.ts'

const TEST_TYPE = 'webhook.test'

/** Posts a test event to an endpoint, signed like every delivery. */
export const sendTest = async (
  { vault, outbound }: { vault: Vault; outbound: Outbound },
  endpoint: SealedSecrets & { id: string; url: string },
  { now, tenantId }: { now: string; tenantId: string },
): Promise<InferOutput<typeof TestResult>> => {
  const deliveryId = newId()
  const event = { id: newId(), type: TEST_TYPE, occurredAt: now, tenantId, data: { endpointId: endpoint.id } }
  const result = await sendSigned(outbound, {
    url: endpoint.url,
    secrets: liveSecrets(vault, endpoint, now),
    deliveryId,
    eventId: event.id,
    eventType: TEST_TYPE,
    body: JSON.stringify(event),
    now,
  })
  return {
    deliveryId,
    statusCode: result.status,
    ok: result.ok,
    durationMs: result.durationMs,
    error: result.status === null ? result.error : null,
  }
}
