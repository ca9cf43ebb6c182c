import type { Json, TableRules, TenantId } from '#kernel/contract/tables.ts'
import type { Applied, License } from './state.ts'

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    installed_license: {
      tenant_id: TenantId
      install_id: string
      /** Encrypted. */
      install_secret: string
      activation: number
      activated_at: string
      license: Json<License>
      applied: Json<Record<string, Applied>>
      max_observed_at: string
      /**
       * How many heartbeats were begun. It lies in the database alone: a database from a backup, and a lost file, show
       * themselves to the issuer as a counter that went back.
       */
      counter: number
      /** The ids of commands that the next heartbeat acknowledges. */
      acknowledge: Json<string[]>
      /** The issuer's time in the last envelope that was believed, and not far ahead of all that was seen here. */
      last_server_at: string | null
      /** When that envelope came, by the own clock. */
      last_heartbeat_at: string | null
      /** What went wrong with the last heartbeat, in words; null: nothing. */
      last_error: string | null
      next_heartbeat_at: string | null
    }
  }
}

export const installTables: TableRules = { installed_license: { kind: 'tenant' } }
