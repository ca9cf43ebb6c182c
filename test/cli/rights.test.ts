import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { fileSystemOf } from '#app/trouble/rights.ts'
import { databaseTrouble } from '#app/explain/database-trouble.ts'
import { mountNtfs, whyNoNtfs } from '#kit/ntfs.ts'
import { command } from './command.ts'
import { makeFolder } from './folder.ts'
import { startProgram } from './institute.ts'

const why = whyNoNtfs()
const skipped = why === undefined ? '' : `: skipped, ${why}`

const seenBy = async (dataDir: string) => (await command(['doctor', '--data-dir', dataDir])).stdout.split('\n')

test.skipIf(why)(
  `on a disk that keeps no rights the program starts and says so once, and doctor${skipped}`,
  async () => {
    const dataDir = path.join(mountNtfs(), 'data')
    mkdirSync(dataDir)
    const server = await startProgram(dataDir)
    expect(await server.stop()).toBe(0)
    const told = `${dataDir} lies on a disk (fuse) that keeps no rights, as NTFS, FAT and network shares do: everybody on this machine can read its keys and records, and chmod changes nothing; move it`
    expect(server.stderr.split(told)).toHaveLength(2)
    const findings = await seenBy(dataDir)
    expect(findings.filter((line) => line.startsWith('WRONG    folder'))).toEqual([expect.stringContaining(told)])
    expect(findings.join('\n')).not.toContain('chmod 600')
  },
)

test.skipIf(why)(`mounted for one user alone, such a disk is as good as another${skipped}`, async () => {
  const dataDir = path.join(mountNtfs('dmask=077,fmask=177'), 'data')
  mkdirSync(dataDir)
  const server = await startProgram(dataDir)
  expect(await server.stop()).toBe(0)
  expect(server.stderr).not.toContain('keeps no rights')
  const findings = await seenBy(dataDir)
  expect(findings.filter((line) => /^\S+ +(?:folder|keys) /.test(line))).toEqual([
    expect.stringMatching(/^ok +folder/),
    expect.stringMatching(/^ok +keys/),
  ])
})

test('a disk on which SQLite can map no memory is told as that, and not as one that fails', () => {
  // What a FAT disk under fusefat 0.1a answers.
  const error = Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_SHMOPEN' })
  expect(databaseTrouble(error, makeFolder())?.message).toMatch(
    /lies on a disk \(\w+\) on which no database can be kept, because its files cannot be mapped into memory: move it/,
  )
})

test('the file system of a folder is that of the nearest mount above it', () => {
  const folder = makeFolder()
  const mounts = path.join(folder, 'mounts')
  const lines = [
    '/dev/sda1 / ext4 rw 0 0',
    `/dev/sdb1 ${folder}/a\\040b vfat rw 0 0`,
    `/dev/sdc1 ${folder}/a cifs rw 0 0`,
  ]
  writeFileSync(mounts, `${lines.join('\n')}\n`)
  mkdirSync(path.join(folder, 'a b', 'data'), { recursive: true })
  mkdirSync(path.join(folder, 'other'))
  expect(fileSystemOf(path.join(folder, 'a b', 'data'), mounts)).toBe('vfat')
  expect(fileSystemOf(path.join(folder, 'other'), mounts)).toBe('ext4')
})
