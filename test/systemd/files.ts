/**
 * Lays what test/systemd/run.sh tries into a folder: a signed release of dist/institute, and versions 9.9.9 as the service
 * lays them for the updater: one that works, one that another key signed, one that dies with the data, one that hangs.
 *   node build/boot.mjs test/systemd/files.ts FOLDER
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createPrivateKey } from 'node:crypto'
import path from 'node:path'
import { seal } from '#app/updates/envelope.ts'
import { newSigningSecret, signerOf, type Signer } from '#modules/licensing/index.ts'
import { keysDocument, manifestOf, newSigner, releaseOf } from '#kit/updates.ts'
import { signFolder } from '../../build/signing.ts'

const folder = path.resolve(process.argv[2] ?? '')
const secret = newSigningSecret()
const release = signerOf(secret)
const key = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d: secret, x: release.key.text }, format: 'jwk' })

const layRelease = (home: string, layProgram: (file: string) => void): void => {
  cpSync('installer', home, { recursive: true })
  copyFileSync('LICENSE-NOTICE', path.join(home, 'LICENSE-NOTICE'))
  layProgram(path.join(home, 'institute'))
  chmodSync(path.join(home, 'institute'), 0o755)
  const keys = keysDocument(1, { root: [newSigner(), newSigner(), newSigner()], release: [release] })
  writeFileSync(path.join(home, 'update-keys.json'), JSON.stringify(keys))
  signFolder(home, key)
}

/** Version 9.9.9, which otherwise runs `script`. Beside what is installed, run.sh lays the program itself as `program`. */
const layVersion = (name: string, script: string, by: Signer = release): void => {
  const home = path.join(folder, 'work', name, 'institute-9.9.9-linux-x64')
  mkdirSync(home, { recursive: true })
  layRelease(home, (file) =>
    writeFileSync(file, `#!/bin/sh\nif [ "$1" = version ]; then echo 9.9.9; exit; fi\n${script}\n`),
  )
  const staged = path.join(folder, name)
  mkdirSync(staged)
  execFileSync('tar', ['-czf', path.join(staged, 'release.tar.gz'), '-C', path.dirname(home), path.basename(home)])
  const archive = readFileSync(path.join(staged, 'release.tar.gz'))
  const inAWeek = new Date(Date.now() + 7 * 24 * 3_600_000).toISOString()
  const manifest = manifestOf([releaseOf('9.9.9', archive)], { expiresAt: inAWeek })
  writeFileSync(path.join(staged, 'manifest.json'), JSON.stringify(seal('manifest', manifest, [by])))
  writeFileSync(path.join(staged, 'keys.json'), '[]')
}

mkdirSync(path.join(folder, 'first'), { recursive: true })
layRelease(path.join(folder, 'first'), (file) => copyFileSync('dist/institute', file))
layVersion('good', 'exec /opt/institute/program "$@"')
layVersion('wrong-key', 'exec /opt/institute/program "$@"', newSigner())
layVersion('dies', '[ "$1" != serve ] || rm -f "$INSTITUTE_DATA_DIR"/institute.db*; exit 1')
layVersion('hangs', '[ "$1" = serve ] && rm -f "$INSTITUTE_DATA_DIR"/institute.db* && exec sleep 1000; exit 1')
