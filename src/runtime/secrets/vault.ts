import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto'
import nacl from 'tweetnacl'
import { fromBase64url } from '#kernel/basics/base64url.ts'

/** An encrypted value cannot be decrypted: the master key is another one, or the value is damaged. */
export class CannotOpen extends Error {
  constructor() {
    super('A sealed value cannot be opened with this master key.')
    this.name = 'CannotOpen'
  }
}

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** What a seal begins with. Seals made before it are base64url alone, which has no dot, so no such seal begins with it. */
const PREFIX = '2.'

/**
 * Encrypts and signs with keys that are derived from the master key. Secrets in the database are encrypted (AES-256-GCM)
 * with a separate key per purpose, which is authenticated with them too, so that an encrypted value of one kind cannot be
 * used as one of another kind. Values that were encrypted with XSalsa20-Poly1305, as all were once, can still be opened.
 */
export class Vault {
  readonly #master: Buffer
  readonly #keys = new Map<string, Buffer>()
  readonly #cryptoKeys = new Map<string, KeyObject>()

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

  #cryptoKey(purpose: string): KeyObject {
    let key = this.#cryptoKeys.get(purpose)
    if (!key) {
      key = createSecretKey(this.#key(purpose))
      this.#cryptoKeys.set(purpose, key)
    }
    return key
  }

  /** Encrypts a text. `open` needs the same purpose. @returns a text of letters, digits, `-`, `_` and one dot */
  seal(purpose: string, plain: string): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, this.#cryptoKey(`${CIPHER}/${purpose}`), nonce, { authTagLength: TAG_BYTES })
    cipher.setAAD(Buffer.from(PREFIX + purpose, 'utf8'))
    const box = [nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]
    return PREFIX + Buffer.concat(box).toString('base64url')
  }

  /** Decrypts a value. @throws CannotOpen, also for a text that `seal` writes otherwise */
  open(purpose: string, sealed: string): string {
    if (!sealed.startsWith(PREFIX)) return this.#openFormer(purpose, sealed)
    const bytes = fromBase64url(sealed.slice(PREFIX.length))
    if (!bytes || bytes.length < NONCE_BYTES + TAG_BYTES) throw new CannotOpen()
    const nonce = bytes.subarray(0, NONCE_BYTES)
    const opened = createDecipheriv(CIPHER, this.#cryptoKey(`${CIPHER}/${purpose}`), nonce, {
      authTagLength: TAG_BYTES,
    })
    opened.setAAD(Buffer.from(PREFIX + purpose, 'utf8'))
    opened.setAuthTag(bytes.subarray(-TAG_BYTES))
    const plain = opened.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
    try {
      return Buffer.concat([plain, opened.final()]).toString('utf8')
    } catch {
      throw new CannotOpen()
    }
  }

  /**
   * Encrypts as versions did that knew no other cipher: for what outlasts an upgrade that goes back, because no backup
   * restores it. `open` decrypts it.
   */
  sealForFormer(purpose: string, plain: string): string {
    const nonce = randomBytes(nacl.secretbox.nonceLength)
    const box = nacl.secretbox(Buffer.from(plain, 'utf8'), nonce, this.#key(`seal/${purpose}`))
    return Buffer.concat([nonce, box]).toString('base64url')
  }

  /** Decrypts a value of XSalsa20-Poly1305. Links in mails and secrets of that time are used for years. */
  #openFormer(purpose: string, sealed: string): string {
    const { nonceLength } = nacl.secretbox
    const bytes = fromBase64url(sealed)
    if (!bytes || bytes.length < nonceLength) throw new CannotOpen()
    const key = this.#key(`seal/${purpose}`)
    const plain = nacl.secretbox.open(bytes.subarray(nonceLength), bytes.subarray(0, nonceLength), key)
    if (!plain) throw new CannotOpen()
    return Buffer.from(plain).toString('utf8')
  }

  /** Returns an HMAC over `text` that only this installation can make. */
  tag(purpose: string, text: string): string {
    return createHmac('sha256', this.#cryptoKey(`tag/${purpose}`))
      .update(text)
      .digest('base64url')
      .slice(0, 22)
  }

  /** Returns a key of 32 bytes, in base64url, that only this installation can make, and always makes again. */
  keyFor(purpose: string, text: string): string {
    return createHmac('sha256', this.#cryptoKey(`tag/key/${purpose}`))
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
