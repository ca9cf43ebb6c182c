/**
 * `npm run release -- --key FILE [--update-keys KEYS]`: packages the commit that is checked out for every machine, signs each
 * package, and lays them as archives into release/, signed too. FILE is a private Ed25519 key in PEM, KEYS names the keys by
 * which an install knows updates; `npm run publish-update` then offers the release to those that look for one.
 * For Windows it also lays InstituteSetup-VERSION.exe there, or says what has to be installed to make that.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { create } from 'tar'
import { readPinned } from '../src/app/updates/keys.ts'
import { commit, version } from '../src/executable/version.ts'
import { layDistribution } from './distribution.ts'
import { readSigningKey, signFolder } from './signing.ts'
import { isForWindows, TARGETS } from './targets.ts'
import { laySetup } from './windows-setup.ts'

const root = path.resolve(import.meta.dirname, '..')
const release = path.join(root, 'release')

const { values } = parseArgs({ options: { key: { type: 'string' }, 'update-keys': { type: 'string' } } })
if (values.key === undefined) throw new Error('Usage: npm run release -- --key FILE [--update-keys KEYS]')
const updateKeys = values['update-keys']
if (updateKeys !== undefined) readPinned(readFileSync(updateKeys, 'utf8'))
const key = readSigningKey(values.key)
const madeOf = commit()
if (madeOf === null || madeOf.endsWith('-modified')) {
  throw new Error('A release is made of a commit: there is none here, or files differ from it.')
}
const committedAt = execFileSync('git', ['log', '-1', '--format=%cI'], { cwd: root, encoding: 'utf8' }).trim()

rmSync(release, { recursive: true, force: true })
for (const target of TARGETS) {
  const name = `institute-${version}-${target}`
  const folder = path.join(release, name)
  mkdirSync(folder, { recursive: true })
  await layDistribution(folder, target)
  if (updateKeys !== undefined) copyFileSync(updateKeys, path.join(folder, 'update-keys.json'))
  if (isForWindows(target)) console.log(laySetup(folder, path.join(release, `InstituteSetup-${version}.exe`)))
  signFolder(folder, key)
  const archive = { file: `${folder}.tar.gz`, cwd: release, gzip: true, portable: true, mtime: new Date(committedAt) }
  await create(archive, [name])
  rmSync(folder, { recursive: true })
}
signFolder(release, key)
console.log(`release/ holds version ${version} of commit ${madeOf}, signed.`)
