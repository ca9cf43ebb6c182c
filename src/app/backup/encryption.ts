import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { isIdentity } from '#app/config/backup-key.ts'
import { Mistake } from '#app/trouble/mistake.ts'
import { BadBackup } from './archive.ts'

/**
 * Backups in a bucket are encrypted in the format of age (age-encryption.org/v1): the server knows the public key alone,
 * and cannot read what it has sent away; any age program can, with the key that the owner keeps. The library is loaded
 * when it is needed: few servers do.
 */

/** What an encrypted backup is called behind the name of the backup. */
export const ENCRYPTED = '.age'

/** A pair of keys. */
interface BackupKey {
  /** `age1…`: encrypts. It is no secret. */
  recipient: string
  /** `AGE-SECRET-KEY-1…`: decrypts. */
  identity: string
}

export const newBackupKey = async (): Promise<BackupKey> => {
  const { generateX25519Identity, identityToRecipient } = await import('age-encryption')
  const identity = await generateX25519Identity()
  return { identity, recipient: await identityToRecipient(identity) }
}

/** The file in which the owner keeps the key, as age writes it. */
export const keyFileOf = ({ recipient, identity }: BackupKey): string =>
  [
    '# The key to the backups of an institute. Keep it where the server is not: whoever has it can read',
    '# every backup, and without it nobody can. Its last line may also be kept on paper.',
    `# public key: ${recipient}`,
    identity,
    '',
  ].join('\n')

/** Reads the private key out of the text of a key file. @throws Mistake */
export const identityIn = (text: string): string => {
  const line = text
    .split('\n')
    .map((each) => each.trim())
    .find((each) => each !== '' && !each.startsWith('#'))
  if (line === undefined || !isIdentity(line)) {
    throw new Mistake(
      'This is no key to backups: it has a line that begins with AGE-SECRET-KEY-1, and each letter of it counts.',
    )
  }
  return line.toUpperCase()
}

/** The public key that belongs to the private one in the text of a key file. @throws Mistake */
export const recipientOf = async (text: string): Promise<string> => {
  const { identityToRecipient } = await import('age-encryption')
  return identityToRecipient(identityIn(text))
}

const chunksOf = (stream: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> => stream

/** Encrypts while it is read. */
export const encrypted = async (
  bytes: AsyncIterable<Uint8Array>,
  recipient: string,
): Promise<AsyncIterable<Uint8Array>> => {
  const { Encrypter } = await import('age-encryption')
  const encrypter = new Encrypter()
  encrypter.addRecipient(recipient)
  return chunksOf(await encrypter.encrypt(Readable.toWeb(Readable.from(bytes))))
}

/** What lies at the beginning of an encrypted file does not open with the key. */
class WrongKey extends Error {
  constructor(cause: unknown) {
    super(
      'This key does not open the backup, or the backup is damaged: the key has to be that of the server that made it. Nothing was changed.',
      { cause },
    )
    this.name = 'WrongKey'
  }
}

/** Decrypts while it is read. @throws an Error where the key is another one, or the bytes are not those that were written */
export async function* decrypted(bytes: AsyncIterable<Uint8Array>, identity: string): AsyncGenerator<Uint8Array> {
  const { Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  // What the source itself says is more than that the stream has ended.
  let failure: Error | undefined
  const noted = async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield* bytes
    } catch (error) {
      failure = error as Error
      throw error
    }
  }
  let isOpen = false
  try {
    const inner = chunksOf(await decrypter.decrypt(Readable.toWeb(Readable.from(noted()))))
    isOpen = true
    yield* inner
  } catch (error) {
    // The key has opened its beginning: it is the right one.
    throw failure ?? (isOpen ? new BadBackup('it is cut short or damaged') : new WrongKey(error))
  }
}
