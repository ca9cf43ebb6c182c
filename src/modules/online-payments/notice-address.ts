import { checkUrl } from '#ports/outbound/port.ts'

/** Why a provider could not send its notices to an address. */
export const NOTICE_PROBLEMS = ['not_public', 'not_https'] as const
type NoticeProblem = (typeof NOTICE_PROBLEMS)[number]

/** The machine's own addresses may be public ones. */
const FROM_OUTSIDE = { requireHttps: false, blockPrivate: true, ownAddresses: () => [] }

/** Names that mean something within one network alone. */
const OF_NETWORK = /^[^.]+$|\.(?:local|localdomain|lan|internal|home|home\.arpa)\.?$/

/** What keeps notices from an address, as far as it can be read off; null: nothing. */
export const noticeProblemOf = (url: string): NoticeProblem | null => {
  const { protocol, hostname } = new URL(url)
  const isAddress = /^[[\d]/.test(hostname) && !/[g-z]/i.test(hostname)
  if (checkUrl(url, FROM_OUTSIDE) !== undefined || (!isAddress && OF_NETWORK.test(hostname))) return 'not_public'
  return protocol === 'https:' ? null : 'not_https'
}
