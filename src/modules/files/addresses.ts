import { plusSeconds } from '#kernel/clock.ts'
import { failure } from '#kernel/errors.ts'
import type { Vault } from '#runtime/vault.ts'

const UPLOAD_SECONDS = 15 * 60
const DOWNLOAD_SECONDS = 5 * 60

export const AddressRefused = failure(
  'FORBIDDEN',
  'address_refused',
  'This address is not one that the server gave out, or its time is over: ask for a new one.',
)

/** What an address is signed over; one for a download says nothing of size and type. */
export interface Signed {
  method: 'GET' | 'PUT'
  institute: string
  id: string
  /** Milliseconds since the epoch: the first instant at which the address is good no more. */
  expires: number
  size?: number
  type?: string
}

const PURPOSE = 'file-address'

const signedText = ({ method, institute, id, expires, size, type }: Signed): string =>
  JSON.stringify([method, institute, id, expires, size ?? null, type ?? null])

/**
 * Addresses at the server's root under which bytes are sent and fetched; whoever has one needs no other credential. An
 * HMAC under the master key covers the method, the key, the time at which the address ends and, for an upload, size and
 * type.
 */
export class FileAddresses {
  readonly #vault: Vault
  readonly #base: () => Promise<string>

  /** @param base what addresses begin with */
  constructor(vault: Vault, base: () => Promise<string>) {
    this.#vault = vault
    this.#base = base
  }

  /** Makes addresses. To be asked for outside a transaction: it reads what they begin with. */
  async signer(): Promise<Signer> {
    const base = await this.#base()
    const address = (signed: Signed): string => {
      const { institute, id, expires, size, type } = signed
      const query = new URLSearchParams({
        expires: String(expires),
        ...(size !== undefined && { size: String(size) }),
        ...(type !== undefined && { type }),
        signature: this.#vault.tag(PURPOSE, signedText(signed)),
      })
      return `${base}/files/${institute}/${id}?${query.toString()}`
    }
    return {
      upload: (place, now, { size, type }) => {
        const expiresAt = plusSeconds(now, UPLOAD_SECONDS)
        return { url: address({ method: 'PUT', ...place, expires: Date.parse(expiresAt), size, type }), expiresAt }
      },
      download: (place, now) => {
        const expiresAt = plusSeconds(now, DOWNLOAD_SECONDS)
        return { url: address({ method: 'GET', ...place, expires: Date.parse(expiresAt) }), expiresAt }
      },
    }
  }

  /** @throws AddressRefused */
  check(signed: Signed, signature: string, now: string): void {
    if (!this.#vault.hasTag(PURPOSE, signedText(signed), signature)) throw AddressRefused({ reason: 'signature' })
    if (Date.parse(now) >= signed.expires) throw AddressRefused({ reason: 'expired' })
  }
}

interface Place {
  institute: string
  id: string
}

interface Address {
  url: string
  expiresAt: string
}

export interface Signer {
  upload(place: Place, now: string, of: { size: number; type: string }): Address
  download(place: Place, now: string): Address
}
