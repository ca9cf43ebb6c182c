import type { Logger } from 'pino'
import type { Outbound } from '#ports/outbound/port.ts'
import type { Vault } from '#runtime/secrets/vault.ts'
import type { HeartbeatInput } from './protocol.ts'
import type { PublicKey } from './signing.ts'
import type { StateFile } from './state-file.ts'

/** The issuer whose licences this program takes. */
export interface Issuer {
  /** The root of its server, without a slash at the end. */
  url: string
  key: PublicKey
}

export interface InstallDeps {
  /** undefined: neither the build nor the configuration names one. */
  issuer: Issuer | undefined
  /** The version that heartbeats tell. */
  version: string
  /** Between two heartbeats, unless the issuer wants them more often. */
  heartbeatSeconds: number
  /** How its last update went; undefined: it looks for none. */
  updater(): HeartbeatInput['updater']
  /** A number from 0 up to 1, for the jitter. */
  chance(): number
  outbound: Outbound
  vault: Vault
  log: Logger
  stateFile: StateFile
}
