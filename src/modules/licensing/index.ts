import { jobKind, type Module } from '#kernel/contract/module.ts'
import type { Vault } from '#runtime/secrets/vault.ts'
import type { InstallDeps } from './deps.ts'
import { licenseEndpoints } from './endpoints.ts'
import { heartbeatJob, heartbeats } from './heartbeat.ts'
import { StateFile } from './state-file.ts'
import { installTables } from './tables.ts'
import { reconcileAll, watch, watchJob } from './watch.ts'
import { INSTALL_KEY_CREDENTIAL } from './credentials.ts'

export { lookAtLicense } from './check.ts'
export type { Issuer } from './deps.ts'
export { askForLanName, LAN_NAME_REASONS, type AskForLanName } from './lan-name.ts'
export {
  COMMAND_KINDS,
  Envelope,
  Heartbeat,
  INSTALL_KEY_HEADER,
  INSTALL_SIGNATURE_HEADER,
  isLanAddress,
  LanNameEnvelope,
  LanNameRequest,
  LICENSE_STATES,
  MOST_COMMANDS,
  MOST_LAN_ADDRESSES,
  signEnvelope,
  signLanName,
  signLicenseToken,
  signUnlockToken,
  UPDATE_RESULTS,
  verifyHeartbeat,
  type LicenseClaims,
} from './protocol.ts'
export { LicenseStatus, readStatus as readLicenseStatus } from './status.ts'
export { isSignedBy, newSigningSecret, readPublicKey, signerOf, type PublicKey, type Signer } from './signing.ts'
export { STATE_FILE } from './state-file.ts'

export interface LicensingDeps extends Omit<InstallDeps, 'stateFile' | 'chance'> {
  mode: 'self_hosted' | 'cloud'
  dataDir: string
  vault: Vault
}

/** The licence of a self-hosted install. In cloud mode there is none, and nothing runs. */
export const licensingModule = ({ mode, dataDir, ...given }: LicensingDeps): Module => {
  const deps: InstallDeps = { ...given, stateFile: new StateFile(dataDir, given.vault), chance: Math.random }
  return {
    name: 'licensing',
    tags: { license: 'The licence of a self-hosted server, and how a locked institute is unlocked.' },
    tables: installTables,
    credentials: [INSTALL_KEY_CREDENTIAL],
    reads: { tenants: ['tenant'] },
    endpoints: licenseEndpoints(deps, mode),
    jobs: [jobKind(heartbeatJob, { handle: heartbeats(deps) }), jobKind(watchJob, { handle: watch(deps) })],
    // A database from a backup must not answer a single request as if it were not locked.
    ...(mode === 'self_hosted' && { beforeRequests: async (context) => void (await reconcileAll(deps, context)) }),
    cronJobs: mode === 'cloud' ? [] : [{ cron: '7 * * * *', job: watchJob, atStart: true }],
  }
}
