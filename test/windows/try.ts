/**
 * `npm run windows`: tries the set-up and the program for Windows under Wine 10, in a chroot of Debian 13. It takes some minutes,
 * and is no part of `npm test`. First: npm run package -- --target win-x64, where gcc-mingw-w64-x86-64 and nsis are. Wine shows
 * nothing of access lists, accounts and the firewall: installer/windows/CHECKLIST.md is for a person with a real Windows.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { client, type Client, type Reply } from '#kit/client.ts'
import { png } from '#kit/files.ts'
import { newSetup, OWNER, setupTokenIn } from '#kit/setup.ts'
import { laySetup } from '../../build/windows-setup.ts'
import { isInside, layWine, runInside, whyNoWine, Windows, type Ended } from './wine.ts'

const DIST = path.resolve('dist-win-x64')
const SETUP = 'InstituteSetup.exe'
const URL_OF_IT = 'http://127.0.0.1:8080'
const PROGRAM = String.raw`C:\Program Files\Institute`
const DATA = 'ProgramData/Institute/data'
const LOG = 'ProgramData/Institute/logs/institute.log'
const LAST_WORDS = 3000

const why =
  whyNoWine() ??
  (existsSync(path.join(DIST, SETUP))
    ? undefined
    : `there is no ${path.join(DIST, SETUP)}: npm run package -- --target win-x64 makes it, with gcc-mingw-w64-x86-64 and nsis`)

const good = ({ status, body }: Reply): Reply['body'] => {
  assert.ok(status < 300, JSON.stringify(body))
  return body
}

const done = ({ code, output }: Ended, expected = 0): string => {
  assert.equal(code, expected, output)
  return output
}

const begun = Date.now()
const say = (text: string): void => console.log(`${((Date.now() - begun) / 1000).toFixed(0).padStart(4)} s  ${text}`)

const answers = async (): Promise<boolean> =>
  fetch(`${URL_OF_IT}/api/v1/health/ready`).then(
    ({ status }) => status === 200,
    () => false,
  )

const until = async (what: string, isSo: () => Promise<boolean> | boolean, seconds = 60): Promise<void> => {
  const end = Date.now() + seconds * 1000
  while (!(await isSo())) {
    assert.ok(Date.now() < end, `not within ${seconds} s: ${what}`)
    await pause(200)
  }
}

class Try {
  readonly windows = new Windows()
  readonly folder = mkdtempSync(path.join(tmpdir(), 'institute-windows-'))
  #owner: Client | undefined
  #branchId = ''

  get owner(): Client {
    assert.ok(this.#owner)
    return this.#owner
  }

  institute(...words: string[]): Promise<Ended> {
    return this.windows.run(
      `${PROGRAM}\\institute.exe`,
      ...words,
      '--data-dir',
      String.raw`C:\ProgramData\Institute\data`,
    )
  }

  async setUp(from: string, expected = 0): Promise<void> {
    cpSync(from, this.windows.drive(SETUP))
    done(await this.windows.run(String.raw`C:\InstituteSetup.exe`, '/S'), expected)
  }

  async signIn(): Promise<void> {
    const anybody = client(URL_OF_IT)
    const { email, password } = OWNER
    this.#owner = anybody.as(good(await anybody.post('/auth/login', { email, password, client: 'mobile' })).accessToken)
  }

  async students(): Promise<number> {
    return good(await this.owner.get('/students?limit=1&total=true')).total ?? NaN
  }

  async install(): Promise<void> {
    await this.setUp(path.join(DIST, SETUP))
    assert.ok(await answers())
    say('the set-up installed it, and the service serves')
  }

  async use(): Promise<void> {
    const token = setupTokenIn(this.windows.drive(DATA))
    const anybody = client(URL_OF_IT)
    this.#owner = anybody.as(good(await anybody.post('/setup/bootstrap', newSetup(token))).accessToken)
    this.#branchId = good(await this.owner.get('/branches'))[0].id
    const student = await this.addStudent('ليان')
    const bytes = png()
    const announced = { kind: 'document', originalName: 'صورة.png', mimeType: 'image/png', sizeBytes: bytes.length }
    const asked = good(await this.owner.post('/files/upload-url', announced))
    const { pathname, search } = new URL(asked.uploadUrl)
    const sent = await fetch(URL_OF_IT + pathname + search, {
      method: 'PUT',
      body: new Uint8Array(bytes),
      headers: { 'content-type': 'image/png' },
    })
    assert.equal(sent.status, 200)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    good(await this.owner.post('/files/complete', { ...announced, storageKey: asked.storageKey, sha256 }))
    const lines = [{ description: 'שיעור פרטי', unitAmountMinor: 45_000 }]
    const invoice = good(await this.owner.post('/invoices', { studentId: student, lines }))
    const paper = await fetch(`${URL_OF_IT}/api/v1/invoices/${invoice.id}/pdf?locale=he`, {
      headers: { authorization: `Bearer ${this.owner.credential}` },
    })
    assert.equal(Buffer.from(await paper.arrayBuffer()).toString('latin1', 0, 5), '%PDF-')
    say('an institute was made, with a student, a file and a paper')
  }

  async addStudent(firstName: string): Promise<string> {
    return good(await this.owner.post('/students', { branchId: this.#branchId, firstName, lastName: 'حداد' })).id
  }

  async lookAtIt(): Promise<void> {
    const { output } = await this.institute('doctor')
    assert.match(output, /is running/)
    assert.doesNotMatch(output, /wrong|sudo|chmod|systemctl/i)
    const second = await this.institute('serve')
    assert.equal(second.code, 1, second.output)
    assert.match(second.output, /Another institute process/)
    say('the doctor finds nothing wrong; a second one does not start')
  }

  async killWhileWriting(): Promise<void> {
    const kept: string[] = []
    const killed = new AbortController()
    const writing = (async () => {
      while (!killed.signal.aborted) kept.push(await this.addStudent(`writer ${kept.length}`))
    })().catch(() => {})
    await until('a hundred students', () => kept.length >= 100)
    assert.ok(this.windows.kill('institute.exe') > 0)
    killed.abort()
    // Wine does not always close the connection of a program that was killed.
    await Promise.race([writing, pause(5000)])
    await until('it serves again', answers)
    for (const id of kept) good(await this.owner.get(`/students/${id}`))
    say(`killed while it wrote: of ${kept.length} students that were acknowledged, all are there`)
  }

  async backUpAndRestore(): Promise<void> {
    const file = done(await this.windows.run('cmd', '/c', `${PROGRAM}\\institute.cmd`, 'backup'))
      .split(/\r?\n/)
      .find((line) => line.endsWith('.tar.gz'))
    assert.ok(file)
    const later = await this.addStudent('after the backup')
    done(await this.windows.run('net', 'stop', 'Institute'))
    done(await this.windows.run(`${PROGRAM}\\institute-host.exe`, 'stop'))
    assert.equal(await answers(), false)
    const log = readFileSync(this.windows.drive(LOG), 'utf8')
    assert.ok(log.includes('"msg":"stopping"'), log.slice(-LAST_WORDS))
    assert.equal(existsSync(this.windows.drive(`${DATA}/institute.db-wal`)), false)
    done(await this.institute('restore', '--yes', file))
    done(await this.windows.run('net', 'start', 'Institute'))
    await until('it serves again', answers)
    await this.signIn()
    assert.equal((await this.owner.get(`/students/${later}`)).status, 404)
    say('net stop let it end by itself; the backup was restored; net start started it')
  }

  async update(): Promise<void> {
    const student = await this.addStudent('before the update')
    const before = readdirSync(this.windows.drive(`${DATA}/backups`)).length
    await this.setUp(path.join(DIST, SETUP))
    assert.ok(await answers())
    assert.equal(readdirSync(this.windows.drive(`${DATA}/backups`)).length, before + 1)
    await this.signIn()
    good(await this.owner.get(`/students/${student}`))
    say('the set-up over it made a backup, and it serves again')
  }

  async updateToWorse(): Promise<void> {
    const student = await this.addStudent('before the worse version')
    cpSync(DIST, this.folder, { recursive: true })
    // A program that ends at once.
    cpSync(path.join(DIST, 'institute-host.exe'), path.join(this.folder, 'institute.exe'))
    laySetup(this.folder, path.join(this.folder, SETUP), { seconds: 10 })
    await this.setUp(path.join(this.folder, SETUP), 2)
    assert.ok(await answers())
    await this.signIn()
    good(await this.owner.get(`/students/${student}`))
    assert.match(done(await this.institute('version')), /\d+\.\d+\.\d+/)
    say('a version that does not serve: the former one came back, with its data')
  }

  async uninstall(): Promise<void> {
    // It goes on in a copy of itself, since it could not take itself away.
    done(await this.windows.run(`${PROGRAM}\\uninstall.exe`, '/S'))
    await until('the program is gone', () => !existsSync(this.windows.drive('Program Files/Institute')))
    assert.equal(await answers(), false)
    assert.notEqual((await this.windows.run('net', 'start', 'Institute')).code, 0)
    assert.ok(existsSync(this.windows.drive(`${DATA}/institute.db`)))
    await this.install()
    await this.signIn()
    say('taken away, the data stayed; installed again, everything is there')
  }

  end(): void {
    this.windows.remove()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

const tryAll = async (): Promise<void> => {
  const one = new Try()
  try {
    done(await one.windows.run('wineboot', '--init'))
    // A quite new one does not find the services that are made in it.
    await one.windows.restart()
    say('Wine has begun')
    await one.install()
    await one.use()
    await one.lookAtIt()
    await one.killWhileWriting()
    await one.backUpAndRestore()
    await one.update()
    await one.updateToWorse()
    await one.uninstall()
    console.log('All of it works under Wine. What Wine cannot show: installer/windows/CHECKLIST.md.')
  } catch (error) {
    const log = one.windows.drive(LOG)
    if (existsSync(log)) console.error(readFileSync(log, 'utf8').slice(-LAST_WORDS))
    console.error(error)
    process.exitCode = 1
  } finally {
    one.end()
  }
}

if (why !== undefined) {
  console.log(`Skipped: ${why}.`)
} else if (isInside()) {
  await tryAll()
} else {
  layWine()
  process.exitCode = runInside(import.meta.filename)
}
