/**
 * Publishes updates in a folder of static files, which any web server or a bucket shows, and a stick carries:
 *
 *   npm run publish-update -- --to FOLDER --keys KEYS --key RELEASE.pem --news NEWS.json [--from 0.1.0] [--channel early]
 *       what `npm run release` has laid into release/
 *   npm run publish-update -- --to FOLDER --keys KEYS --key RELEASE.pem --renew [--channel early] [--valid-days 45]
 *       signs the list anew, before it passes its end
 *   npm run publish-update -- --to FOLDER --keys KEYS --next-keys NEXT.json --root A.pem --root B.pem
 *       names other keys; two of the three root keys sign
 *
 * KEYS is the file that went into the oldest builds (`npm run release -- --update-keys KEYS`). It refuses to go back.
 */
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { KeysDocument, readPinned } from '../src/app/updates/keys.ts'
import { News, UPDATE_CHANNELS } from '../src/app/updates/manifest.ts'
import { publishKeys, publishManifest } from '../src/app/updates/publish.ts'
import { version } from '../src/executable/version.ts'
import { signerOfFile } from './signing.ts'
import { TARGETS } from './targets.ts'

const release = path.resolve(import.meta.dirname, '../release')

const { values } = parseArgs({
  options: {
    to: { type: 'string' },
    keys: { type: 'string' },
    key: { type: 'string' },
    channel: { type: 'string', default: 'stable' },
    news: { type: 'string' },
    from: { type: 'string', default: '0.0.0' },
    'valid-days': { type: 'string', default: '45' },
    renew: { type: 'boolean', default: false },
    'next-keys': { type: 'string' },
    root: { type: 'string', multiple: true, default: [] },
  },
})

const needed = (name: 'to' | 'keys' | 'key' | 'news'): string => {
  const value = values[name]
  if (value === undefined) throw new Error(`--${name} is missing; the head of build/publish.ts says how it is called.`)
  return value
}
const json = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

const folder = path.resolve(needed('to'))
const pinned = readPinned(readFileSync(needed('keys'), 'utf8'))

if (values['next-keys'] !== undefined) {
  const next = v.parse(KeysDocument, json(values['next-keys']))
  publishKeys(folder, { pinned, next, signers: values.root.map(signerOfFile) })
  console.log(`${folder} names the keys of version ${next.version}.`)
} else {
  const archiveOf = (target: string) => path.join(release, `institute-${version}-${target}.tar.gz`)
  const there = values.renew ? [] : readdirSync(release)
  const made = publishManifest(folder, {
    pinned,
    channel: v.parse(v.picklist(UPDATE_CHANNELS), values.channel),
    signers: [signerOfFile(needed('key'))],
    now: new Date(),
    validDays: Number(values['valid-days']),
    release: values.renew
      ? undefined
      : {
          version,
          from: values.from,
          news: v.parse(News, json(needed('news'))),
          archives: Object.fromEntries(
            TARGETS.filter((target) => there.includes(path.basename(archiveOf(target)))).map((target) => [
              target,
              archiveOf(target),
            ]),
          ),
        },
  })
  const [newest] = made.releases
  console.log(
    `${folder}: ${made.channel} ${made.sequence}, good until ${made.expiresAt}, offers ${newest?.version} for ${Object.keys(newest?.files ?? {}).join(', ')}.`,
  )
}
