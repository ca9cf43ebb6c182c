import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { create } from 'tar'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BadBackup, verify, type Manifest } from '#app/backup/archive.ts'
import type { Backup } from '#app/backup/make.ts'
import type { TestApp } from '#kit/app.ts'
import { backedUp, copyOf } from './backup-kit.ts'
import { command } from './command.ts'
import { contentOf, makeFolder } from './folder.ts'
import { institute } from './institute.ts'

let app: TestApp
let backup: Backup
let stopped: string

beforeAll(async () => {
  ;({ app, backup, stopped } = await backedUp())
})
afterAll(() => app.close())

/** A copy of the stopped install, which tests change. */
let target: string
beforeEach(() => {
  target = copyOf(stopped)
})

describe('a file that is not a complete backup is refused, and nothing changes:', () => {
  /** The backup unpacked, changed, and packed again. */
  const forged = async (change: (folder: string) => void, entries = ['backup.json', 'data']): Promise<string> => {
    const folder = makeFolder()
    execFileSync('tar', ['-xzf', backup.file, '-C', folder])
    change(folder)
    const file = path.join(makeFolder(), 'forged.tar.gz')
    await create({ gzip: true, file, cwd: folder, preservePaths: true }, entries)
    return file
  }
  /** Adds a file and lists it. */
  const addFile = (folder: string, name: string, text: string): void => {
    const list = path.join(folder, 'backup.json')
    const manifest = JSON.parse(readFileSync(list, 'utf8')) as Manifest
    writeFileSync(path.join(folder, 'data', name), text)
    manifest.files.push({ path: name, size: text.length, sha256: createHash('sha256').update(text).digest('hex') })
    writeFileSync(list, JSON.stringify(manifest))
  }
  /** More than the 64 MB that a list may take. A file of it compresses to almost nothing. */
  const HUGE = 80 * 1024 * 1024
  const bytesOf = (change: (bytes: Buffer) => Buffer) => async () => {
    const file = path.join(makeFolder(), 'damaged.tar.gz')
    writeFileSync(file, change(readFileSync(backup.file)))
    return file
  }
  const append = (name: string) => (folder: string) => writeFileSync(path.join(folder, name), 'more')

  test.each<[string, () => Promise<string>]>([
    ['an empty file', bytesOf(() => Buffer.alloc(0))],
    ['some other file', bytesOf(() => Buffer.from('not an archive at all'.repeat(100)))],
    ['one cut short', bytesOf((bytes) => bytes.subarray(0, bytes.length - 200))],
    ['one cut in the middle', bytesOf((bytes) => bytes.subarray(0, bytes.length / 2))],
    ['one with a flipped byte', bytesOf((bytes) => bytes.fill((bytes.at(5000) as number) ^ 1, 5000, 5001))],
    [
      'one whose database was changed',
      () => forged((folder) => writeFileSync(path.join(folder, 'data/institute.db'), 'x', { flag: 'a' })),
    ],
    ['one with a file too many', () => forged(append('data/extra'))],
    ['one that lacks a file', () => forged((folder) => execFileSync('rm', [path.join(folder, 'data/master-key')]))],
    ['one whose list names what no backup holds', () => forged((folder) => addFile(folder, '.begun', 'x'))],
    ['one whose list climbs out', () => forged((folder) => addFile(folder, '../climbed', 'x'))],
    ['one that has a file twice', () => forged(() => {}, ['backup.json', 'data', 'data/master-key'])],
    [
      'one that unpacks to more than it lists: in one file',
      () => forged((folder) => truncateSync(path.join(folder, 'data/master-key'), HUGE)),
    ],
    [
      'one that unpacks to more than it lists: in many files',
      () =>
        forged((folder) => {
          for (let n = 0; n < 1500; n += 1) writeFileSync(path.join(folder, `data/${n}`), '')
        }),
    ],
    [
      'one that goes on behind its end',
      bytesOf((bytes) => gzipSync(Buffer.concat([gunzipSync(bytes), Buffer.alloc(HUGE)]))),
    ],
    ['one that is packed twice', bytesOf((bytes) => gzipSync(bytes))],
    ['one whose list is huge', () => forged((folder) => truncateSync(path.join(folder, 'backup.json'), HUGE))],
    ['one without its list', () => forged(() => {}, ['data'])],
    ['one with a list that is none', () => forged((folder) => writeFileSync(path.join(folder, 'backup.json'), '{'))],
    ['one of another kind', () => forged((folder) => writeFileSync(path.join(folder, 'backup.json'), '{"format":2}'))],
    [
      'one that climbs out of its folder',
      () =>
        forged(
          (folder) => copyFileSync(path.join(folder, 'backup.json'), path.join(folder, '../climbed')),
          ['backup.json', 'data', '../climbed'],
        ),
    ],
    [
      'one with a link',
      () => forged((folder) => execFileSync('ln', ['-s', '/etc/passwd', path.join(folder, 'data/link')])),
    ],
  ])('%s', async (_, make) => {
    const file = await make()
    const before = contentOf(target)
    const { code, stdout, stderr } = await command(['restore', file, '--data-dir', target])
    expect(stderr).toMatch(/^This is not a whole backup of the institute: .*\. Nothing was changed\.\n$/)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(contentOf(target)).toEqual(before)
    // The command that makes a backup verifies it in the same way.
    const handle = openSync(file, 'r')
    await expect(verify(handle)).rejects.toThrow(BadBackup)
    closeSync(handle)
  })

  test('a backup that does not fit on the disk, whatever size it claims', async ({ skip }) => {
    skip(process.getuid?.() !== 0, 'only root can mount a small disk')
    const small = path.join(makeFolder(), 'small')
    mkdirSync(small)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', small])
    try {
      const zeros = Buffer.alloc(64 * 1024 * 1024)
      const huge = await forged((folder) => addFile(folder, 'zeros', zeros.toString()))
      const { code, stdout, stderr } = await institute(['restore', huge, '--data-dir', path.join(small, 'data')])
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(/^The backup holds 6\d MB, and there is room for \d MB\. Nothing was changed\.\n$/)
      // An archive that holds more than it lists is stopped before the disk is full.
      const lying = await forged((folder) => truncateSync(path.join(folder, 'data/master-key'), HUGE))
      expect(await institute(['restore', lying, '--data-dir', path.join(small, 'data')])).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^This is not a whole backup of the institute: master-key is damaged in it\./),
      })
      expect(readdirSync(path.join(small, 'data')).filter((name) => !name.startsWith('.lock'))).toEqual([])
    } finally {
      execFileSync('umount', [small])
    }
  })
})
