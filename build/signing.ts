import { createHash, createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { signerOf, type Signer } from '../src/modules/licensing/index.ts'

/** What signing adds to a folder. install.sh knows these names. */
export const SUMS = 'SHA256SUMS'
export const SIGNATURE = 'SHA256SUMS.sig'
export const PUBLIC_KEY = 'release.pub'

/** @param file a private Ed25519 key in PEM: `openssl genpkey -algorithm ed25519` @throws Error for anything else */
export const readSigningKey = (file: string): KeyObject => {
  const key = createPrivateKey(readFileSync(file))
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${file} holds no Ed25519 key.`)
  return key
}

/** The same key, as the papers of updates are signed with it. */
export const signerOfFile = (file: string): Signer => signerOf(readSigningKey(file).export({ format: 'jwk' }).d ?? '')

/**
 * Signs what a folder's files are: their SHA-256, as `sha256sum --check` reads them, and an Ed25519 signature of that
 * list, as `openssl pkeyutl -verify -rawin` reads it. The public key lies beside them, for whoever knows none yet.
 */
export const signFolder = (folder: string, key: KeyObject): void => {
  writeFileSync(path.join(folder, PUBLIC_KEY), createPublicKey(key).export({ type: 'spki', format: 'pem' }))
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== SUMS && entry.name !== SIGNATURE)
    .map(({ name }) => name)
    .toSorted()
  const sums = files.map((name) => {
    const sum = createHash('sha256')
      .update(readFileSync(path.join(folder, name)))
      .digest('hex')
    return `${sum}  ${name}\n`
  })
  const list = Buffer.from(sums.join(''))
  writeFileSync(path.join(folder, SUMS), list)
  writeFileSync(path.join(folder, SIGNATURE), sign(null, list, key))
}
