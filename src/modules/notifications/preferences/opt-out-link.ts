import type { Locale } from '#shared/locale.ts'
import { CannotOpen, type Vault } from '#runtime/secrets/vault.ts'

/** Whose mails from which institute a link stops, and in which language its pages are. */
export interface OptOutTarget {
  tenantId: string
  locale: Locale
  /** A member's account; else the address that the mail went to. */
  who: { userId: string } | { email: string }
}

/** Opened with another purpose, a link is refused: it is about the channel email and nothing else. */
const PURPOSE = 'email-opt-out'

/** The path of the page, and of its button that takes it back. */
export const OPT_OUT_PATH = '/unsubscribe'
export const UNDO_PATH = '/unsubscribe/undo'

export const withToken = (path: string, token: string): string => `${path}?${new URLSearchParams({ token }).toString()}`

/**
 * The address that stops mails. Its token is sealed with a key that is derived from the master key: nobody else can make
 * one or change one, and no proxy's log shows whose address it is. It does not expire, because mails are read years
 * later, and it does not hold the server's address, which may change.
 * @param baseUrl the server's own address: an institute's domain may lapse before the link is followed
 * @returns it in ASCII, whatever the script of the server's name
 */
export const optOutLink = (baseUrl: string, vault: Vault, { tenantId, locale, who }: OptOutTarget): string =>
  new URL(baseUrl + withToken(OPT_OUT_PATH, vault.seal(PURPOSE, JSON.stringify([tenantId, locale, who])))).href

/** @returns undefined: this server has not made the token */
export const openOptOut = (vault: Vault, token: string): OptOutTarget | undefined => {
  try {
    const [tenantId, locale, who] = JSON.parse(vault.open(PURPOSE, token))
    return { tenantId, locale, who }
  } catch (error) {
    if (error instanceof CannotOpen) return undefined
    throw error
  }
}
