import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Trial } from './bad-day.ts'
import { isRoot, NOBODY, type Ended } from './program.ts'

const trial = Trial.ofFile()

const SERVE = ['serve', '--port', '0']
const ME = `user ${NOBODY}`

describe('where to listen:', () => {
  /** Without the addresses of the machine that runs the tests. */
  const told = async (args: readonly string[], uid?: number): Promise<Ended> => {
    const ended = await trial.told(trial.copy(uid), ['serve', ...args], uid === undefined ? {} : { uid })
    return { ...ended, stderr: ended.stderr.replace(/(This machine has )\S+(, \S+)*;/, '$1ADDRESSES;') }
  }
  const wrong = (says: string): Ended => ({ code: 2, stdout: '', stderr: `${says}\n` })
  const HERE = 'This machine has ADDRESSES; without INSTITUTE_HOST the program listens on all of them.'

  test.each([
    ['not-a-host.invalid', 'is no address, and no name that this machine knows'],
    ['203.0.113.9', 'is an address of another machine'],
  ])('a host that is none: %s', async (host, what) => {
    expect(await told(['--host', host, '--port', '0'])).toEqual(wrong(`INSTITUTE_HOST=${host}: ${what}. ${HERE}`))
  })

  test('a port in use', async () => {
    const other = createServer()
    onTestFinished(() => void other.close())
    other.listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const says = `INSTITUTE_PORT=${port}: another program listens on port ${port} of 127.0.0.1 already. End that (sudo ss -ltnp 'sport = :${port}' shows which it is), or choose another port.`
    expect(await told(['--host', '127.0.0.1', '--port', String(port)])).toEqual(wrong(says))
  })

  test('a port for which one needs a right', async ({ skip }) => {
    const first = Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8'))
    skip(!isRoot || first <= 1, 'only root can become another user, and this machine must keep ports for root')
    const says = 'INSTITUTE_PORT=1: this user may not listen on a port below 1024. Choose a port from 1024 on.'
    expect(await told(['--port', '1'], NOBODY)).toEqual(wrong(says))
  })
})

describe('a data directory', () => {
  test('where nothing can be made is no reason to try for ever', async () => {
    const says = 'No folder can be made in /proc: name another place.'
    expect(await trial.told('/proc/institute', SERVE)).toEqual(trial.line('/proc/institute', 2, says))
  })

  test.each(['', '/below'])('that is a file%s', async (below) => {
    const file = path.join(trial.emptyFolder(), 'file')
    writeFileSync(file, '')
    const says = `${file} is a file, and must be a folder: name another place.`
    for (const args of [SERVE, ['doctor'], ['backup'], ['migrate'], ['setup-token']]) {
      expect(await trial.told(`${file}${below}`, args)).toEqual(trial.line(`${file}${below}`, 2, says))
    }
  })

  test('whose disk is not mounted', async () => {
    const link = path.join(trial.emptyFolder(), 'link')
    symlinkSync('/nowhere/institute', link)
    const says = '{data} is a link to /nowhere/institute, which is not there: mount its disk, or remove the link.'
    for (const args of [SERVE, ['doctor'], ['backup']])
      expect(await trial.told(link, args)).toEqual(trial.line(link, 2, says))
  })
})

describe.runIf(isRoot)('without the right:', () => {
  const COMMANDS = ['doctor', 'backup', 'setup-token', 'migrate', 'user disable --email a@example.org', 'serve']

  test.each(COMMANDS)('%s on the data of a service', async (command) => {
    const dataDir = trial.copy(NOBODY + 1)
    expect(await trial.told(dataDir, command.split(' '), { uid: NOBODY })).toEqual(
      trial.line(
        dataDir,
        2,
        `${ME} may not work with {data}, which belongs to user ${NOBODY + 1}: put sudo before the command, or run it as user ${NOBODY + 1}.`,
      ),
    )
  })

  test.each(['backup', 'serve'])('%s on what root restored', async (command) => {
    const says = `${ME} may not work with {data}, which belongs to root: put sudo before the command, or, where the institute runs as ${ME}: sudo chown -R ${NOBODY}: {data}.`
    const dataDir = trial.copy()
    // As it may be after a copy.
    chmodSync(dataDir, 0o755)
    expect(await trial.told(dataDir, [command], { uid: NOBODY })).toEqual(trial.line(dataDir, 2, says))
  })

  test('a first start in a folder that others may read and nobody write', async () => {
    const dataDir = trial.emptyFolder()
    expect(await trial.told(dataDir, SERVE, { uid: NOBODY })).toEqual(
      trial.line(
        dataDir,
        2,
        `${ME} may not work with {data}, which belongs to root: put sudo before the command, or, where the institute runs as ${ME}: sudo chown -R ${NOBODY}: {data}.`,
      ),
    )
    const inside = path.join(dataDir, 'new')
    expect(await trial.told(inside, SERVE, { uid: NOBODY })).toEqual(
      trial.line(
        inside,
        2,
        `${ME} may not work with ${dataDir}, which belongs to root: put sudo before the command, give ${ME} the right, or name another place.`,
      ),
    )
  })

  test('a certificate’s key that root alone may read', async () => {
    const folder = trial.emptyFolder()
    const [cert, key] = [path.join(folder, 'cert.pem'), path.join(folder, 'key.pem')]
    for (const file of [cert, key]) writeFileSync(file, '', { mode: 0o600 })
    chownSync(cert, NOBODY, NOBODY)
    expect(
      await trial.told(trial.copy(NOBODY), [...SERVE, '--tls-cert', cert, '--tls-key', key], { uid: NOBODY }),
    ).toEqual(
      trial.line(
        trial.copy(NOBODY),
        2,
        `INSTITUTE_TLS_CERT, INSTITUTE_TLS_KEY: ${ME} may not read ${key}. Give it copies that it may read: sudo install -o ${NOBODY} -m 600 FILE FOLDER.`,
      ),
    )
  })

  test('backup --to a folder of somebody else', async () => {
    const folder = trial.emptyFolder()
    chmodSync(folder, 0o755)
    expect(
      await trial.told(trial.copy(NOBODY), ['backup', '--to', path.join(folder, 'x.tar.gz')], { uid: NOBODY }),
    ).toEqual(
      trial.line(
        trial.copy(NOBODY),
        2,
        `${ME} may not work with ${folder}, which belongs to root: put sudo before the command, give ${ME} the right, or name another place.`,
      ),
    )
  })
})

describe('backup --to', () => {
  test.each(['nowhere/x.tar.gz', 'nowhere/'])('a folder that is not there: %s', async (to) => {
    const folder = trial.emptyFolder()
    const says = `There is no folder ${folder}/nowhere for the backup: make it (mkdir -p ${folder}/nowhere), or name another with --to.`
    expect(await trial.told(trial.copy(), ['backup', '--to', `${folder}/${to}`])).toEqual(
      trial.line(trial.copy(), 2, says),
    )
    expect(existsSync(path.join(folder, 'nowhere'))).toBe(false)
  })

  test('below a file, or that file as a folder', async () => {
    const file = path.join(trial.emptyFolder(), 'file')
    writeFileSync(file, 'not ours')
    const dataDir = trial.copy()
    expect(await trial.told(dataDir, ['backup', '--to', `${file}/x.tar.gz`])).toEqual(
      trial.line(dataDir, 2, `${file} is a file, and must be a folder: name another place.`),
    )
    expect(await trial.told(dataDir, ['backup', '--to', `${file}/`])).toEqual(
      trial.line(dataDir, 2, `${file} is a file, and no folder for a backup.`),
    )
    expect(readFileSync(file, 'utf8')).toBe('not ours')
  })
})

// What else a line may be is in test/unit/app/read-config.test.ts.
describe('institute.conf', () => {
  test.each([
    ['institute_port=80', 'line 1: institute_port must be written INSTITUTE_PORT.'],
    ['\nINSTITUTE_PROT=80', 'line 2: INSTITUTE_PROT is no setting of this program; institute --help lists them.'],
    ['export INSTITUTE_PORT=80', 'line 1: leave "export" out; it must begin with INSTITUTE_PORT=.'],
    ['INSTITUTE_PORT=eighty', 'line 1: INSTITUTE_PORT=eighty: must be 0 to 65535.'],
    [
      'INSTITUTE_SMTP_URL=smtp://user:sec#ret@mail.example.org',
      'line 1: INSTITUTE_SMTP_URL=(not shown): must be smtp://user:password@host:port or smtps://…, with %23 for # in a password, %2F for /, %3F for ?, %40 for @.',
    ],
  ])('%j', async (text, says) => {
    const dataDir = trial.copy()
    writeFileSync(path.join(dataDir, 'institute.conf'), `${text}\n`)
    for (const args of [['serve'], ['doctor'], ['health']]) {
      expect(await trial.told(dataDir, args)).toEqual(trial.line(dataDir, 2, `{data}/institute.conf, ${says}`))
    }
  })

  test('that is a folder', async () => {
    const dataDir = trial.copy()
    mkdirSync(path.join(dataDir, 'institute.conf'))
    const says = '{data}/institute.conf is a folder, and must be a file: move it away.'
    expect(await trial.told(dataDir, ['doctor'])).toEqual(trial.line(dataDir, 2, says))
  })
})

test.each([
  ['--smtp-url', 'smtp://mail.example.org/inbox', 'a mail server is written smtp://host:port'],
  ['--mail-from', '@', 'mails cannot come from "@"'],
])('%s %s is a wrong setting', async (flag, value, says) => {
  const { code, stderr } = await trial.run([...SERVE, '--data-dir', trial.copy(), flag, value])
  expect(code).toBe(2)
  expect(stderr).toMatch(/^INSTITUTE_SMTP_URL, INSTITUTE_MAIL_FROM: [^\n]+\.\n$/)
  expect(stderr).toContain(says)
})
