import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { jsonIn, unzip } from '#kit/archive.ts'
import { worldOf } from '#kit/examples.ts'
import { uploaded } from '#kit/files.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newStudent } from '../api/examples/people.ts'
import { copyOf } from './backup-kit.ts'
import { command } from './command.ts'
import { contentOf, makeFolder } from './folder.ts'
import { institute, spawnInstitute } from './institute.ts'

let app: TestApp
let school: TestInstitute
beforeAll(async () => {
  app = await startApp()
  school = await makeInstitute(app)
  await newStudent(worldOf(app, school))
  await uploaded(app, school.owner, { entityType: 'student', entityId: await newStudent(worldOf(app, school)) })
})
afterAll(() => app.close())

const exported = (to: string, ...more: string[]) =>
  command(['export', '--tenant', school.tenant.slug, '--to', to, '--data-dir', app.dataDir, ...more])

const TOLD = 'The archive holds everybody’s records, without passwords and keys. Keep it where only you can read it:\n'

describe('institute export', () => {
  test('writes an archive beside the running program, readable by its owner only, and says how far it is', async () => {
    const file = path.join(makeFolder(), 'school.zip')
    const before = contentOf(app.dataDir)
    const { code, stdout, stderr } = await exported(file)
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${file}\n` })
    expect(stderr).toMatch(/^(\d+ %\n)+/)
    expect(stderr.endsWith(`100 %\n${TOLD}`)).toBe(true)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(path.dirname(file))).toEqual(['school.zip'])
    expect(contentOf(app.dataDir)).toEqual(before)
    const entries = await unzip(readFileSync(file))
    expect(jsonIn(entries, 'json/tenant.json')).toMatchObject([{ slug: school.tenant.slug }])
    expect(jsonIn(entries, 'json/student.json')).toHaveLength(2)
    expect([...entries.keys()].filter((name) => name.startsWith('files/'))).toHaveLength(1)
    // Other programs read it too.
    const listed = execFileSync('python3', ['-m', 'zipfile', '-t', file], { encoding: 'utf8' })
    expect(listed).toContain('Done testing')
  })

  test('writes one of an install that is stopped', async () => {
    const stopped = copyOf(app.dataDir)
    const file = path.join(makeFolder(), 'school.zip')
    const { code } = await command(['export', '--tenant', school.tenant.slug, '--to', file, '--data-dir', stopped])
    expect(code).toBe(0)
    expect(jsonIn(await unzip(readFileSync(file)), 'json/student.json')).toHaveLength(2)
  })

  test('names it itself in a folder', async () => {
    const folder = makeFolder()
    const { stdout } = await exported(folder)
    const [name = ''] = readdirSync(folder)
    expect(name).toMatch(new RegExp(`^${school.tenant.slug}-20\\d\\d-[-\\dTZ]+\\.zip$`))
    expect(stdout).toBe(`${path.join(folder, name)}\n`)
  })

  test('overwrites a file that is there only when it is told to, and follows no link beside it', async () => {
    const folder = makeFolder()
    const [file, elsewhere] = [path.join(folder, 'school.zip'), path.join(folder, 'elsewhere')]
    writeFileSync(file, 'of last year')
    writeFileSync(elsewhere, 'somebody else’s')
    expect(await exported(file)).toEqual({
      code: 1,
      stdout: '',
      stderr: `${file} is there already, and was left as it is: name another file, or overwrite it with --force.\n`,
    })
    expect(readFileSync(file, 'utf8')).toBe('of last year')
    symlinkSync(elsewhere, `${file}.partial`)
    expect((await exported(file, '--force')).code).toBe(0)
    expect(readFileSync(file).subarray(0, 2).toString()).toBe('PK')
    expect(readFileSync(elsewhere, 'utf8')).toBe('somebody else’s')
    expect(readdirSync(folder).toSorted()).toEqual(['elsewhere', 'school.zip'])
  })

  test('says in one line what is wrong, and leaves nothing', async () => {
    const folder = makeFolder()
    const file = path.join(folder, 'school.zip')
    const at = ['--data-dir', app.dataDir]
    expect(await command(['export', '--tenant', 'nobody', '--to', file, ...at])).toEqual({
      code: 1,
      stdout: '',
      stderr: `There is no institute with the slug "nobody". There is ${school.tenant.slug}.\n`,
    })
    expect(await command(['export', '--tenant', school.tenant.slug, ...at])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'Usage: institute export --tenant SLUG --to FILE [--force]\n',
    })
    expect(await exported(path.join(folder, 'nowhere/school.zip'))).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^There is no folder \S+\/nowhere for the export: make it \(mkdir -p [^\n]*\n$/),
    })
    expect(readdirSync(folder)).toEqual([])
  })

  test('leaves no half file where there is no room', async ({ skip }) => {
    skip(process.getuid?.() !== 0, 'only root can mount a small disk')
    const small = path.join(makeFolder(), 'small')
    mkdirSync(small)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', small])
    try {
      expect(await exported(path.join(small, 'school.zip'))).toEqual({
        code: 1,
        stdout: '',
        stderr: `There is no room for the export on the disk of ${small}: make room, or name another with --to.\n`,
      })
      expect(readdirSync(small)).toEqual([])
    } finally {
      execFileSync('umount', [small])
    }
  })

  test('leaves no half file when it is interrupted', async () => {
    const folder = makeFolder()
    const child = spawnInstitute([
      'export',
      '--tenant',
      school.tenant.slug,
      '--to',
      path.join(folder, 'school.zip'),
      '--data-dir',
      app.dataDir,
    ])
    await expect
      .poll(() => readdirSync(folder).length > 0 || child.exitCode !== null, { timeout: 30_000, interval: 1 })
      .toBe(true)
    child.kill('SIGTERM')
    await new Promise((resolve) => child.once('close', resolve))
    expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual([])
  })

  test.runIf(process.getuid?.() === 0)(
    'run by root on a service’s data directory writes a file of root, and leaves nothing of root there',
    async () => {
      const owner = 12_345
      const dataDir = copyOf(app.dataDir)
      execFileSync('chown', ['-R', `${owner}:${owner}`, dataDir])
      chmodSync(path.dirname(dataDir), 0o755)
      const outside = path.join(makeFolder(), 'outside')
      mkdirSync(outside, { mode: 0o700 })
      const file = path.join(outside, 'school.zip')
      const ended = await institute(['export', '--tenant', school.tenant.slug, '--to', file, '--data-dir', dataDir])
      expect(ended).toMatchObject({ code: 0 })
      expect(lstatSync(file).uid).toBe(0)
      for (const name of readdirSync(dataDir, { recursive: true, encoding: 'utf8' })) {
        expect({ name, uid: lstatSync(path.join(dataDir, name)).uid }).toEqual({ name, uid: owner })
      }
    },
  )
})
