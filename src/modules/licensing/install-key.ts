import type { OutboundResult } from '#ports/outbound/port.ts'
import type { InstallDeps, Issuer } from './deps.ts'
import { signHeartbeat } from './protocol.ts'
import { signerOf } from './signing.ts'
import type { LicenseRow } from './store.ts'

const PURPOSE = 'license-install-key'

export const sealInstallSecret = ({ vault }: Pick<InstallDeps, 'vault'>, secret: string): string =>
  vault.sealForFormer(PURPOSE, secret)

interface Post {
  issuer: Issuer
  /** Below the licences of the vendor's API. */
  path: 'heartbeat' | 'lan-name'
  message: object
  deadlineMillis: number
  answerBytes: number
}

/** Sends the vendor a message that the install's key has signed. */
export const postSigned = (
  { vault, outbound }: Pick<InstallDeps, 'vault' | 'outbound'>,
  { install_secret: secret }: Pick<LicenseRow, 'install_secret'>,
  { issuer, path, message, deadlineMillis, answerBytes }: Post,
): Promise<OutboundResult> => {
  const body = Buffer.from(JSON.stringify(message), 'utf8')
  return outbound.post({
    url: `${issuer.url}/api/v1/platform/licenses/${path}`,
    headers: { 'Content-Type': 'application/json', ...signHeartbeat(body, signerOf(vault.open(PURPOSE, secret))) },
    body,
    deadlineMs: deadlineMillis,
    maxResponseBytes: answerBytes,
  })
}
