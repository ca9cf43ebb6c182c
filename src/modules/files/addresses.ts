import { plusSeconds } from '#kernel/time/clock.ts'
import type { RequestInfo } from '#kernel/contract/endpoint.ts'
import { failure, reasons } from '#kernel/values/errors.ts'
import { partsOf, type FileStore, type StoredKey } from '#ports/files/port.ts'
import type { Vault } from '#runtime/secrets/vault.ts'

const UPLOAD_SECONDS = 15 * 60
const DOWNLOAD_SECONDS = 5 * 60

export const AddressRefused = failure(
  'FORBIDDEN',
  'address_refused',
  'This address is not one that the server gave out, or its time is over: ask for a new one.',
  { details: reasons('signature', 'expired') },
)

/** What a signature covers; downloads have no size and type. */
export interface Signed {
  method: 'GET' | 'PUT'
  institute: string
  id: string
  /** Milliseconds since the epoch: from this instant on the address is invalid. */
  expires: number
  size?: number
  type?: string
}

/** What a signed address leads to. */
export interface Download {
  key: StoredKey
  /** The name under which browsers save it. */
  name: string
  type: string
  sizeBytes: number
  sha256: string
}

const PURPOSE = 'file-address'

type Asked = Pick<RequestInfo, 'origin'>
type BaseOf = (tenantId: string, request: Asked) => Promise<string>

const signedText = ({ method, institute, id, expires, size, type }: Signed): string =>
  JSON.stringify([method, institute, id, expires, size ?? null, type ?? null])

/**
 * Signed addresses for uploads and downloads: at the store itself for a file in a bucket, which the store checks, and for
 * others at the server's root, by the address that was asked at. Whoever has an address needs no other credential.
 * Its signature is an HMAC under the master key over the method, the key, the expiry and, for an upload, size and type.
 */
export class FileAddresses {
  readonly #vault: Vault
  readonly #base: BaseOf
  readonly #files: Pick<FileStore, 'address'>

  /**
   * @param base says what the addresses in the reply to a request begin with
   * @param files may have addresses of its own, which are used then
   */
  constructor(vault: Vault, base: BaseOf, files: Pick<FileStore, 'address'>) {
    this.#vault = vault
    this.#base = base
    this.#files = files
  }

  /**
   * Prepares to make addresses for the reply to a request. Call it outside a transaction, because it reads what they begin
   * with. The host is no part of what is signed: an address is good at every host of the server, and in every process.
   */
  async signer(tenantId: string, request: Asked): Promise<Signer> {
    const base = await this.#base(tenantId, request)
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
      upload: (key, now, said) => {
        const expiresAt = plusSeconds(now, UPLOAD_SECONDS)
        const own = { method: 'PUT', ...fileOf(key), expires: Date.parse(expiresAt), ...said } as const
        const direct = this.#files.address(key, { method: 'PUT', now, seconds: UPLOAD_SECONDS, ...said })
        return { url: direct ?? address(own), expiresAt }
      },
      download: ({ key, name, type }, now) => {
        const expiresAt = plusSeconds(now, DOWNLOAD_SECONDS)
        const own = { method: 'GET', ...fileOf(key), expires: Date.parse(expiresAt) } as const
        const direct = this.#files.address(key, { method: 'GET', now, seconds: DOWNLOAD_SECONDS, name, type })
        return { url: direct ?? address(own), expiresAt }
      },
    }
  }

  /** @throws AddressRefused */
  check(signed: Signed, signature: string, now: string): void {
    if (!this.#vault.hasTag(PURPOSE, signedText(signed), signature)) throw AddressRefused({ reason: 'signature' })
    if (Date.parse(now) >= signed.expires) throw AddressRefused({ reason: 'expired' })
  }
}

const fileOf = (key: StoredKey): Pick<Signed, 'institute' | 'id'> => {
  const { institute, id } = partsOf(key)
  return { institute, id }
}

interface Address {
  url: string
  expiresAt: string
}

export interface Signer {
  upload(key: StoredKey, now: string, of: { size: number; type: string }): Address
  download(file: Pick<Download, 'key' | 'name' | 'type'>, now: string): Address
}
