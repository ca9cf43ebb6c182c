import { execFileSync } from 'node:child_process'
import { createPrivateKey, randomBytes } from 'node:crypto'
import { appendFileSync, chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { seal } from '#app/updates/envelope.ts'
import { stagedIn } from '#app/updates/places.ts'
import type { Manifest } from '#app/updates/manifest.ts'
import { newSigningSecret, signerOf, type Signer } from '#modules/licensing/index.ts'
import { keysDocument, manifestOf, newSigner, releaseOf } from '#kit/updates.ts'
import { signFolder } from '../../build/signing.ts'
import { INSTALLER, PATH, type Installed } from './distribution.ts'
import { run, type Ended } from './program.ts'

const MEGABYTE = 1024 * 1024

/** What makes the new version larger. */
export interface Padding {
  megabytes: number
  /** Whether it is as large in the archive. */
  isDense?: boolean
}

interface Staged {
  version?: string
  by?: Signer
  more?: Partial<Manifest>
}

export const inAWeek = (): Partial<Manifest> => ({
  expiresAt: new Date(Date.now() + 7 * 24 * 3600 * 1000).toISOString(),
})

/** Listens on the port of the install, and does nothing else. */
export const serves = ({ data }: Installed): string => {
  const [, port] = /INSTITUTE_PORT = "(\d+)"/.exec(readFileSync(path.join(data, 'institute.conf'), 'utf8')) ?? []
  return `case $1 in serve) exec ${process.execPath} -e "require('http').createServer((_, reply) => reply.end()).listen(${port}, '127.0.0.1')" ;; *) exit 1 ;; esac`
}

/** Releases of a vendor whose keys an install knows: their programs are scripts with numbers of their own. */
export class Releases {
  readonly #folder: string
  readonly #root = [newSigner(), newSigner(), newSigner()]
  readonly #secret = newSigningSecret()
  readonly release = signerOf(this.#secret)
  /** The same key as PEM, for install.sh. */
  readonly #releaseKey = createPrivateKey({
    key: { kty: 'OKP', crv: 'Ed25519', d: this.#secret, x: this.release.key.text },
    format: 'jwk',
  })

  /** @param folder where they are made */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** Has an install know the keys. */
  isKnownTo({ root }: Installed): void {
    writeFileSync(
      path.join(root, 'opt/institute/update-keys.json'),
      JSON.stringify(keysDocument(1, { root: this.#root, release: [this.release] })),
    )
  }

  /** The archive of a release whose program, apart from its version, runs `script`. */
  archiveThat(script: string, version = '9.9.9', padding?: Padding): Buffer {
    const home = mkdtempSync(path.join(this.#folder, 'release-'))
    const folder = path.join(home, `institute-${version}-linux-x64`)
    cpSync(INSTALLER, folder, { recursive: true })
    cpSync('LICENSE-NOTICE', path.join(folder, 'LICENSE-NOTICE'))
    const file = path.join(folder, 'institute')
    writeFileSync(file, `#!/bin/sh\nif [ "$1" = version ]; then echo ${version}; exit; fi\n${script}\nexit\n`)
    if (padding) {
      const { megabytes, isDense = false } = padding
      appendFileSync(file, isDense ? randomBytes(megabytes * MEGABYTE) : Buffer.alloc(megabytes * MEGABYTE))
    }
    chmodSync(file, 0o755)
    signFolder(folder, this.#releaseKey)
    execFileSync('tar', ['-czf', 'archive', path.basename(folder)], { cwd: home })
    return readFileSync(path.join(home, 'archive'))
  }

  /** As the service lays it, once it has looked. */
  stage({ data }: Installed, archive: Buffer, { version = '9.9.9', by = this.release, more = {} }: Staged = {}): void {
    const staged = stagedIn(data)
    mkdirSync(staged.folder, { recursive: true })
    const manifest = manifestOf([releaseOf(version, archive)], { ...inAWeek(), ...more })
    writeFileSync(staged.manifest, JSON.stringify(seal('manifest', manifest, [by])))
    writeFileSync(staged.keys, '[]')
    writeFileSync(staged.release, archive)
    writeFileSync(staged.wanted, '')
  }

  /** Runs the updater. @param tools folders that go first in PATH, with a colon behind */
  apply({ program, data }: Installed, tools = '', ...args: string[]): Promise<Ended> {
    return run([program, 'update', 'apply', '--wait', '3', ...args], {
      cwd: this.#folder,
      env: { PATH: tools + PATH, INSTITUTE_DATA_DIR: data },
    })
  }
}

/** What the updater said last. */
export const outcomeIn = ({ root }: Installed) =>
  JSON.parse(readFileSync(path.join(root, 'opt/institute/update-result.json'), 'utf8'))
