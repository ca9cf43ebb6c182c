import type { Defaulted, Fixed, Json, TableRules } from '#kernel/contract/tables.ts'

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    event: {
      id: Fixed<string>
      tenant_id: Fixed<string>
      type: Fixed<string>
      occurred_at: Fixed<string>
      body: Fixed<string>
    }
    audit_entry: {
      id: Fixed<string>
      tenant_id: Fixed<string | null>
      actor_user_id: Fixed<string | null>
      actor_type: Fixed<string>
      channel: Fixed<string>
      action: Fixed<string>
      entity_type: Fixed<string>
      entity_id: Fixed<string | null>
      before: Fixed<unknown>
      after: Fixed<unknown>
      metadata: Fixed<unknown>
      request_id: Fixed<string | null>
      ip: Fixed<string | null>
      created_at: Fixed<string>
    }
    job: {
      id: Fixed<string>
      tenant_id: Fixed<string | null>
      kind: Fixed<string>
      lane: Fixed<string>
      payload: Json<Record<string, unknown>>
      run_at: string
      state: Defaulted<'queued' | 'paused' | 'running' | 'done' | 'dead'>
      attempts: Defaulted<number>
      max_attempts: number
      lease_until: string | null
      fence: Defaulted<number>
      unique_key: Fixed<string | null>
      last_error: string | null
      created_at: Fixed<string>
      finished_at: string | null
    }
    job_pause: {
      kind: Fixed<string>
      paused_at: Fixed<string>
      /** Why; null: it was paused before anybody was asked. */
      reason: Fixed<string | null>
    }
    idempotency_record: {
      caller: Fixed<string>
      key: Fixed<string>
      request_hash: Fixed<string>
      state: 'running' | 'done'
      status: number | null
      body: string | null
      sealed: Defaulted<boolean>
      started_at: string
      expires_at: string
    }
    /** When something was last sent, by what it was sent of or to; see pace.ts. */
    send_pace: {
      tenant_id: TenantId
      key: Fixed<string>
      /** In order; an instant to come is that of something which waits for its turn. */
      sent_millis: Json<readonly number[]>
      /** From then on it decides nothing. */
      ends_at: string
    }
    sealed_secret: {
      name: Fixed<string>
      value: string
      created_at: Fixed<string>
    }
  }
}

export const runtimeTables: TableRules = {
  event: { kind: 'system', exported: true },
  audit_entry: { kind: 'tenant' },
  job: { kind: 'system' },
  job_pause: { kind: 'system' },
  idempotency_record: { kind: 'system' },
  send_pace: { kind: 'tenant' },
  sealed_secret: { kind: 'system' },
}
