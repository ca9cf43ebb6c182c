import { isIP } from 'node:net'
import type { RequestInfo } from '#kernel/contract/endpoint.ts'
import type { SystemDb } from '#kernel/contract/tables.ts'
import type { IdentityDeps } from '../deps.ts'
import type { Place } from './web-authn.ts'

/** Why browsers make no passkey for the address of this server. */
export const OBSTACLES = ['plain_http', 'ip_address'] as const
type Obstacle = (typeof OBSTACLES)[number]

/** Where passkeys are made and used: the address that people open. */
interface Where extends Place {
  obstacle: Obstacle | null
}

const whereAt = (address: string): Where => {
  const { hostname, origin, protocol } = new URL(address)
  const place = { rpId: hostname, origin }
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return { ...place, obstacle: 'ip_address' }
  // Browsers trust this very machine without HTTPS.
  if (protocol !== 'https:' && hostname !== 'localhost') return { ...place, obstacle: 'plain_http' }
  return { ...place, obstacle: null }
}

/** At the verified domain of an institute of a cloud that domain; else the address by which people reach the server. */
export const whereOf = async (
  { baseUrl, tenantOfHost }: Pick<IdentityDeps, 'baseUrl' | 'tenantOfHost'>,
  { everywhere, request }: { everywhere: SystemDb; request: Pick<RequestInfo, 'host'> },
): Promise<Where> => {
  const isDomain = (await tenantOfHost(everywhere, request.host)) !== undefined
  return whereAt(isDomain ? `https://${request.host}` : await baseUrl(everywhere))
}
