import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { KeysDocument } from '#app/updates/keys.ts'
import type { Manifest, Release } from '#app/updates/manifest.ts'
import { seal, type Envelope } from '#app/updates/envelope.ts'
import { newSigningSecret, signerOf, type Signer } from '#modules/licensing/index.ts'

export const newSigner = (): Signer => signerOf(newSigningSecret())
const textsOf = (signers: readonly Signer[]): string[] => signers.map(({ key }) => key.text)

/** A statement of which keys count. Of the root keys two are enough. */
export const keysDocument = (
  version: number,
  { root, release }: { root: readonly Signer[]; release: readonly Signer[] },
): KeysDocument => ({
  version,
  root: textsOf(root),
  rootThreshold: 2,
  release: textsOf(release),
  releaseThreshold: 1,
})

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export const NEWS = { ar: ['أسرع'], he: ['מהיר יותר'], en: ['Faster'] }

const TARGET = `${process.platform}-${process.arch}`

/** A release whose file holds these bytes. */
export const releaseOf = (version: string, bytes: Uint8Array, more: Partial<Release> = {}): Release => ({
  version,
  from: '0.0.0',
  news: NEWS,
  files: { [TARGET]: { url: `files/${sha256Of(bytes)}.tar.gz`, size: bytes.length, sha256: sha256Of(bytes) } },
  ...more,
})

export const manifestOf = (releases: Release[], more: Partial<Manifest> = {}): Manifest => ({
  format: 1,
  channel: 'stable',
  sequence: 7,
  issuedAt: '2026-03-01T00:00:00.000Z',
  expiresAt: '2026-04-15T00:00:00.000Z',
  releases,
  ...more,
})

/** The vendor's folder of static files, as an install reads it. */
export class VendorFolder {
  readonly folder: string
  readonly root = [newSigner(), newSigner(), newSigner()] as const
  release = newSigner()

  constructor(folder: string) {
    this.folder = folder
    mkdirSync(path.join(folder, 'files'), { recursive: true })
  }

  /** What comes with the installed version. */
  get keys(): KeysDocument {
    return keysDocument(1, { root: this.root, release: [this.release] })
  }

  /** Lays the file of a release. */
  layFile(bytes: Uint8Array): void {
    writeFileSync(path.join(this.folder, 'files', `${sha256Of(bytes)}.tar.gz`), bytes)
  }

  publish(manifest: Manifest, by: Signer = this.release): Envelope {
    const envelope = seal('manifest', manifest, [by])
    mkdirSync(path.join(this.folder, manifest.channel), { recursive: true })
    writeFileSync(path.join(this.folder, manifest.channel, 'manifest.json'), JSON.stringify(envelope))
    return envelope
  }

  publishKeys(document: KeysDocument, by: readonly Signer[]): void {
    mkdirSync(path.join(this.folder, 'keys'), { recursive: true })
    const envelope = seal('keys', document, by)
    writeFileSync(path.join(this.folder, 'keys', `${document.version}.json`), JSON.stringify(envelope))
  }
}
