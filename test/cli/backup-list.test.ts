import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeBackup } from '#app/backup/make.ts'
import { systemClock } from '#kernel/time/clock.ts'
import { backedUp, configOf, type BackedUp } from './backup-kit.ts'
import { command } from './command.ts'
import { makeFolder } from './folder.ts'

let school: BackedUp
beforeAll(async () => {
  school = await backedUp()
})
afterAll(() => school.app.close())

const nameOf = async ({ owner }: BackedUp['school']): Promise<string> =>
  (await owner.get('/auth/me')).body.memberships[0].tenantName

const list = (...args: string[]) => command(['backup', 'list', ...args])

test('backup list says of each when, by which version and of what it was made, the newest first', async () => {
  const { app, backup, school: own } = school
  await own.owner.post('/students', { branchId: own.branchId, firstName: 'ليان', lastName: 'حداد' })
  const later = await makeBackup(app.app.config, { ...systemClock, now: () => '2099-01-02T03:04:05.678Z' })
  const { code, stdout, stderr } = await list('--data-dir', app.dataDir)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const [head, ...rows] = stdout.trimEnd().split('\n')
  expect(head?.split(/ {2,}/)).toEqual(['MADE', 'SIZE', 'VERSION', 'STUDENTS', 'FILES', 'NAME', 'INSTITUTE'])
  const name = await nameOf(own)
  expect(rows.map((row) => row.split(/ {2,}/))).toEqual([
    ['2099-01-02 03:04 UTC', expect.stringMatching(/^\d+ KB$/), '0.1.0', '2', '0', path.basename(later.file), name],
    [expect.stringMatching(/UTC$/), expect.any(String), '0.1.0', '1', '0', path.basename(backup.file), name],
  ])
  const { stdout: json } = await list('--json', '--data-dir', app.dataDir)
  expect(JSON.parse(json)).toMatchObject([
    {
      file: later.file,
      bytes: later.bytes,
      createdAt: '2099-01-02T03:04:05.678Z',
      institute: name,
      students: 2,
      files: 0,
    },
    { file: backup.file, students: 1 },
  ])
})

test('backup list of a folder or file needs no institute here, and names what is no whole backup', async () => {
  const folder = makeFolder()
  const nowhere = ['--data-dir', path.join(folder, 'nowhere')]
  copyFileSync(school.backup.file, path.join(folder, 'of-march.tar.gz'))
  copyFileSync(school.backup.file, path.join(folder, 'cut.tar.gz'))
  truncateSync(path.join(folder, 'cut.tar.gz'), 60)
  writeFileSync(path.join(folder, 'notes.tar.gz'), 'no archive')
  const { code, stdout } = await list(folder, ...nowhere)
  expect(code).toBe(0)
  expect(stdout).toMatch(/ 1 +0 +of-march\.tar\.gz /)
  for (const name of ['cut', 'notes'])
    expect(stdout).toMatch(new RegExp(`${name}\\.tar\\.gz +no whole backup: it is cut`))
  const one = await list(path.join(folder, 'of-march.tar.gz'), '--json', ...nowhere)
  expect(JSON.parse(one.stdout)).toHaveLength(1)
  expect(await list('/no/such.tar.gz', ...nowhere)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('/no/such'),
  })
})

test('backup list of an institute without one says so', async () => {
  const dataDir = makeFolder()
  await command(['migrate', '--data-dir', dataDir])
  expect(await list('--data-dir', dataDir)).toEqual({
    code: 0,
    stdout: '',
    stderr: `There is no backup in ${dataDir}/backups: institute backup makes one.\n`,
  })
})

test('what a backup holds is said before a restore, also of one that does not say it itself', async () => {
  const name = await nameOf(school.school)
  const held = new RegExp(
    `^This backup was made at .* UTC by version 0\\.1\\.0: ${name}, students: 1, uploaded files: 0, \\d+ KB\\.\n`,
  )
  const into = path.join(makeFolder(), 'data')
  const restored = await command(['restore', school.backup.file, '--data-dir', into])
  expect(restored).toMatchObject({ code: 0, stderr: expect.stringMatching(held) })
  // As an earlier version made them: without figures in its list.
  const work = makeFolder()
  const { file } = await makeBackup(configOf(into), systemClock)
  execFileSync('tar', ['-xzf', file, '-C', work])
  const contents = path.join(work, 'backup.json')
  const { figures, ...former } = JSON.parse(readFileSync(contents, 'utf8')) as Record<string, unknown>
  expect(figures).toMatchObject({ institute: name, students: 1, invoices: 0 })
  writeFileSync(contents, JSON.stringify(former))
  const older = path.join(work, 'older.tar.gz')
  execFileSync('tar', ['-czf', older, '--format=ustar', '-C', work, 'backup.json', 'data'])
  const again = await command(['restore', older, '--data-dir', into])
  expect(again, again.stderr).toMatchObject({ code: 0, stderr: expect.stringMatching(held) })
})
