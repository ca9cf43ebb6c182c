import type { Defaulted, Fixed, Json, TableRules, TenantId } from '#kernel/contract/tables.ts'
import type { EventType } from '#kernel/contract/events.ts'

export type DeliveryStatus = 'queued' | 'delivered' | 'failed' | 'disabled'

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    webhook_endpoint: {
      id: Fixed<string>
      tenant_id: TenantId
      url: string
      events: Json<EventType[]>
      is_active: boolean
      /** Deliveries in a row that failed with all their attempts. */
      failure_count: Defaulted<number>
      /** When those failures disabled it; null when a person disabled it. */
      disabled_at: string | null
      /** Sealed. */
      secret: string
      /** Sealed. The secret before the current one, which also signs until it expires. */
      previous_secret: string | null
      previous_secret_expires_at: string | null
      created_at: Fixed<string>
      updated_at: string
    }
    webhook_delivery: {
      id: Fixed<string>
      tenant_id: TenantId
      endpoint_id: Fixed<string>
      event_id: Fixed<string>
      event_type: Fixed<EventType>
      status: DeliveryStatus
      attempts: number
      /** Rises with every replay; results of attempts from an earlier generation do not count. */
      generation: number
      last_status_code: number | null
      response_excerpt: string | null
      next_attempt_at: string | null
      delivered_at: string | null
      created_at: Fixed<string>
    }
  }
}

export const webhookTables: TableRules = {
  webhook_endpoint: { kind: 'tenant' },
  webhook_delivery: { kind: 'tenant' },
}
