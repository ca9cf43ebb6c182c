import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { OWNER } from '#kit/setup.ts'
import { EXECUTABLE, Program } from '../school-day/program.ts'
import { Distribution, isSame, PATH, type Installed } from './distribution.ts'
import { run, type Ended } from './program.ts'

/** Under a root made.folder, as any user and without systemd. */

let made: Distribution
beforeAll(async () => {
  made = await Distribution.make()
})
afterAll(() => made.remove())

let server: Installed
beforeEach(async () => {
  server = await made.installed()
})

test('upgrade makes a backup, installs the new version and checks that it answers', async () => {
  server.setUp()
  const { code, stdout, stderr } = await server.run('upgrade', made.newer)
  expect(code, stderr).toBe(0)
  const [, backup = ''] = /^Backed up to (.+)$/m.exec(stdout) ?? []
  expect(existsSync(backup)).toBe(true)
  expect(isSame(server.program, made.newer)).toBe(true)
  expect(isSame(`${server.program}.former`, EXECUTABLE)).toBe(true)
  expect(await server.isWhole()).toBe(true)
  expect(await server.run('upgrade', made.newer)).toMatchObject({ code: 0, stdout: expect.stringContaining('already') })
})

test.each([
  ['destroys the database and ends', 'rm "$INSTITUTE_DATA_DIR"/institute.db*; echo its last words >&2; exit 1'],
  ['never answers', 'echo its last words >&2; exec sleep 600'],
])('upgrade to a version that %s is rolled back, with the data unchanged', async (_what, script) => {
  server.setUp()
  const { code, stderr } = await server.run('upgrade', '--wait', '3', made.versionThat(script))
  expect(stderr).toMatch(/^its last words\nVersion 9\.9\.9 does not answer\. Going back to .+$/m)
  expect(stderr).toMatch(/^Version .+ answers again, with the data as it was\.$/m)
  expect(code).toBe(1)
  expect(isSame(server.program, EXECUTABLE)).toBe(true)
  expect(await server.isWhole()).toBe(true)
})

/**
 * Runs the script with a copy of the root made before each file gets its name or goes: what a power cut there leaves.
 * @param copies where they lie, numbered
 */
const cutAtEachStep = (copies: string, args: readonly string[]): Promise<Ended> => {
  const command = ['/bin/sh', path.join(made.dist, 'install.sh'), '--root', server.root, ...args]
  return run(command, { cwd: made.folder, env: { PATH: `${server.copyingTools(copies)}:${PATH}` } })
}

/** Its email addresses, which are in the database and nowhere else; undefined: there is none that can be read. */
const usersOf = (at: string): unknown => {
  try {
    const database = new Sqlite(path.join(at, 'var/lib/institute/institute.db'), { readonly: true })
    const users = database.prepare('select email from user').all()
    database.close()
    return users
  } catch {
    return undefined
  }
}

test('a power cut at any step of an upgrade, and of what goes back from it, leaves the former version with its data', async () => {
  server.setUp()
  const copies = mkdtempSync(path.join(made.folder, 'copies-'))
  const destroys = made.versionThat(
    'rm "$INSTITUTE_DATA_DIR"/institute.db*; echo none >"$INSTITUTE_DATA_DIR"/institute.db',
  )
  expect(await cutAtEachStep(copies, ['upgrade', '--wait', '3', destroys])).toMatchObject({ code: 1 })
  const states = readdirSync(copies)
    .toSorted((one, other) => Number(one) - Number(other))
    .map((name) => path.join(copies, name))
  // One of them has the version that destroys what it finds, and what it left.
  const worst = states.findIndex((state) => usersOf(state) === undefined)
  expect(isSame(path.join(states[worst]!, 'opt/institute/institute'), destroys)).toBe(true)
  for (const state of states) {
    const settled = await made.runUnder(state, 'settle')
    expect(settled, state).toMatchObject({ code: 0 })
    expect(isSame(path.join(state, 'opt/institute/institute'), EXECUTABLE), state).toBe(true)
    expect(usersOf(state), state).toEqual([{ email: OWNER.email }])
    expect(existsSync(path.join(state, 'opt/institute/trial')), state).toBe(false)
  }
})

test('an upgrade that was killed keeps others from starting; the next one settles it first', async () => {
  server.setUp()
  const hangs = made.versionThat('touch "$INSTITUTE_DATA_DIR/started"; exec sleep 600')
  const child = spawn('/bin/sh', [path.join(made.dist, 'install.sh'), '--root', server.root, 'upgrade', hangs], {
    detached: true,
    env: { PATH },
    stdio: 'ignore',
  })
  while (!existsSync(path.join(server.data, 'started'))) await pause(20)
  expect(await server.run('upgrade', made.newer)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Another upgrade/),
  })
  // What its own start of the service asks.
  expect(await server.run('settle')).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(isSame(server.program, hangs)).toBe(true)
  const ended = once(child, 'exit')
  process.kill(-child.pid!, 'SIGKILL')
  await ended
  expect(
    await run([path.join(server.root, 'usr/local/bin/institute'), 'serve'], { cwd: made.folder, env: { PATH } }),
  ).toEqual({
    code: 1,
    stdout: '',
    stderr: `An upgrade was broken off; nothing starts before it is settled: sh ${server.root}/opt/institute/install.sh --root ${server.root} settle\n`,
  })
  const { code, stdout, stderr } = await server.run('upgrade', made.newer)
  expect(code, stderr).toBe(0)
  expect(stdout).toMatch(/^An upgrade was broken off .+ is in its place again, with the data as it was\.$/m)
  expect(isSame(server.program, made.newer)).toBe(true)
  expect(await server.isWhole()).toBe(true)
})

test('an interrupted upgrade is rolled back', async () => {
  server.setUp()
  const hangs = made.versionThat('touch "$INSTITUTE_DATA_DIR/started"; exec sleep 600')
  const child = spawn('/bin/sh', [path.join(made.dist, 'install.sh'), '--root', server.root, 'upgrade', hangs], {
    env: { PATH },
    stdio: 'ignore',
  })
  while (!existsSync(path.join(server.data, 'started'))) await pause(20)
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await ended).toEqual([1, null])
  expect(isSame(server.program, EXECUTABLE)).toBe(true)
  expect(await server.isWhole()).toBe(true)
})

test('upgrade changes nothing while the program runs, or where its database is in Postgres', async () => {
  server.setUp()
  const conf = path.join(server.data, 'institute.conf')
  const kept = readFileSync(conf)
  appendFileSync(conf, 'INSTITUTE_DATABASE_URL=postgres://localhost/institute\n')
  expect(await server.run('upgrade', made.newer)).toMatchObject({ code: 1, stderr: expect.stringContaining('pg_dump') })
  writeFileSync(conf, kept)
  const program = new Program(server.data)
  await program.start()
  writeFileSync(conf, `INSTITUTE_PORT=${new URL(program.url).port}\n`)
  expect(await server.run('upgrade', made.newer)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('stop it first'),
  })
  await program.stop()
  expect(isSame(server.program, EXECUTABLE)).toBe(true)
})
