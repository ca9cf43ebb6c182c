import { createHmac, createSecretKey, hkdfSync, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto'
import nacl from 'tweetnacl'

/** An encrypted value cannot be decrypted: the master key is another one, or the value is damaged. */
export class CannotOpen extends Error {
  constructor() {
    super('A sealed value cannot be opened with this master key.')
    this.name = 'CannotOpen'
  }
}

/**
 * Encrypts and signs with keys that are derived from the master key. Secrets in the database are encrypted
 * (XSalsa20-Poly1305) with a separate key per purpose, so that an encrypted value of one kind cannot be used as one of
 * another kind.
 */
export class Vault {
  readonly #master: Buffer
  readonly #keys = new Map<string, Buffer>()
  readonly #tagKeys = new Map<string, KeyObject>()

  /** @param master the master key, 32 bytes */
  constructor(master: Buffer) {
    if (master.length !== 32) throw new RangeError('A master key has 32 bytes.')
    this.#master = master
  }

  #key(purpose: string): Buffer {
    let key = this.#keys.get(purpose)
    if (!key) {
      key = Buffer.from(hkdfSync('sha256', this.#master, Buffer.alloc(0), `institute/${purpose}`, 32))
      this.#keys.set(purpose, key)
    }
    return key
  }

  #tagKey(purpose: string): KeyObject {
    let key = this.#tagKeys.get(purpose)
    if (!key) {
      key = createSecretKey(this.#key(`tag/${purpose}`))
      this.#tagKeys.set(purpose, key)
    }
    return key
  }

  /** Encrypts a text. `open` needs the same purpose. */
  seal(purpose: string, plain: string): string {
    const nonce = randomBytes(nacl.secretbox.nonceLength)
    const box = nacl.secretbox(Buffer.from(plain, 'utf8'), nonce, this.#key(`seal/${purpose}`))
    return Buffer.concat([nonce, box]).toString('base64url')
  }

  /** Decrypts a value. @throws CannotOpen */
  open(purpose: string, sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64url')
    const nonce = bytes.subarray(0, nacl.secretbox.nonceLength)
    if (nonce.length < nacl.secretbox.nonceLength) throw new CannotOpen()
    const plain = nacl.secretbox.open(bytes.subarray(nacl.secretbox.nonceLength), nonce, this.#key(`seal/${purpose}`))
    if (!plain) throw new CannotOpen()
    return Buffer.from(plain).toString('utf8')
  }

  /** Returns an HMAC over `text` that only this installation can make. */
  tag(purpose: string, text: string): string {
    return createHmac('sha256', this.#tagKey(purpose)).update(text).digest('base64url').slice(0, 22)
  }

  /** Returns a key of 32 bytes, in base64url, that only this installation can make, and always makes again. */
  keyFor(purpose: string, text: string): string {
    return createHmac('sha256', this.#tagKey(`key/${purpose}`))
      .update(text)
      .digest('base64url')
  }

  /** Whether `tag` is the tag of this text. Takes the same time for all tags of the right length. */
  hasTag(purpose: string, text: string, tag: string): boolean {
    const ours = Buffer.from(this.tag(purpose, text))
    const theirs = Buffer.from(tag)
    return ours.length === theirs.length && timingSafeEqual(ours, theirs)
  }
}
