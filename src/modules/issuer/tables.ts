import type { Defaulted, Fixed, Json, TableRules } from '#kernel/contract/tables.ts'
import type { COMMAND_KINDS, LICENSE_STATES, UPDATE_RESULTS } from '#modules/licensing/index.ts'

/** What an install may show that is unusual. */
export const SIGNALS = [
  'counter_regressed',
  'clock_rollback',
  'duplicate_install',
  'too_many_installs',
  'key_changed',
  'version_downgraded',
] as const
export type SignalKind = (typeof SIGNALS)[number]

/** From the least serious one on. */
export const SEVERITIES = ['info', 'warning', 'critical'] as const
export type Severity = (typeof SEVERITIES)[number]

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    license: {
      id: Fixed<string>
      /** The issuer's record of the institute that the licence is for. */
      tenant_id: Fixed<string>
      plan_id: string | null
      /** Names the licence in heartbeats; only the token tells it. */
      jti: Fixed<string>
      /** The token, encrypted. */
      token: string
      max_installs: number
      /** What the newest command makes of it. */
      state: (typeof LICENSE_STATES)[number]
      /** Since when it is locked, by the newest command; null: it is not. */
      locked_at: string | null
      /** What that command tells people; null: nothing, or it is not locked. */
      locked_reason: string | null
      /** The sequence number of the newest command; 0: there was none. */
      last_seq: Defaulted<number>
      expires_at: string | null
      created_at: Fixed<string>
      updated_at: string
    }
    license_install: {
      id: Fixed<string>
      license_id: Fixed<string>
      /** The id that the install gave itself. */
      install_id: Fixed<string>
      app_version: string
      /** The counter of the last heartbeat. */
      heartbeat_counter: number
      /** The last counter of the sequence before the current one. Two sequences that alternate mean two machines. */
      other_counter: number | null
      last_nonce: string
      /** The key that signed its first signed heartbeat; null: none was signed. */
      public_key: string | null
      /** The latest time that it is known to have seen; never in the future of this server. */
      max_observed_at: string
      /** The install has seen all commands up to this sequence number. */
      acknowledged_seq: number
      update_channel: string | null
      updater_last_check_at: string | null
      updater_last_result: (typeof UPDATE_RESULTS)[number] | null
      updater_last_reason: string | null
      updater_target_version: string | null
      first_seen_at: Fixed<string>
      last_seen_at: string
      /** The last heartbeat that the pinned key has signed. */
      last_witness_at: string | null
    }
    license_signal: {
      license_install_id: Fixed<string>
      kind: Fixed<SignalKind>
      severity: Severity
      detail: string
      detected_at: string
      last_detected_at: string
    }
    /** The name of an install in the vendor's zone. */
    license_lan_name: {
      id: Fixed<string>
      license_id: Fixed<string>
      /** Whose it is now; a name of a server that is gone goes over to the one in its place. */
      license_install_id: string
      /** Random, and the same for good: certificates are given for it, and people bookmark it. */
      label: Fixed<string>
      addresses: Json<string[]>
      /** What a certificate authority is to find, until the given time; null: nothing. */
      challenge: string | null
      challenge_until: string | null
      created_at: Fixed<string>
      asked_at: string
    }
    license_command: {
      id: Fixed<string>
      license_id: Fixed<string>
      seq: Fixed<number>
      kind: Fixed<(typeof COMMAND_KINDS)[number]>
      reason: Fixed<string | null>
      issued_at: Fixed<string>
      acknowledged_at: string | null
    }
  }
}

/** Licences are the issuer's: code inside an institute does not see them. */
export const licenseTables: TableRules = {
  license: { kind: 'system' },
  license_install: { kind: 'system' },
  license_signal: { kind: 'system' },
  license_command: { kind: 'system' },
  license_lan_name: { kind: 'system' },
}
