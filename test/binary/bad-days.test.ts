import { execFileSync } from 'node:child_process'
import {
  chownSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Trial } from './bad-day.ts'
import { isRoot, NOBODY } from './program.ts'

const trial = Trial.ofFile()

const SERVE = ['serve', '--port', '0']
const DISABLE = ['user', 'disable', '--email', 'owner@example.org']

const databaseIn = (dataDir: string): string => path.join(dataDir, 'institute.db')
const keyIn = (dataDir: string): string => path.join(dataDir, 'master-key')

const overwrite = (file: string, at: number, bytes: Buffer): void => {
  const handle = openSync(file, 'r+')
  writeSync(handle, bytes, 0, bytes.length, at)
  closeSync(handle)
}

const DAMAGED = (what: string): string =>
  `{data}/institute.db is damaged (${what}): stop the program and bring it back: institute restore {backup}; what is there now is kept aside`
const GONE = (how: string): string =>
  `There was an institute in {data}, but its database ({data}/institute.db) is ${how}; nothing was changed. Bring it back from a backup (institute restore {backup}), or move master-key and .begun away to begin anew`
const MALFORMED = 'database disk image is malformed'

const LOST: [what: string, lose: (dataDir: string) => void, says: string][] = [
  ['cut short', (dataDir) => truncateSync(databaseIn(dataDir), 300_000), DAMAGED(MALFORMED)],
  ['overwritten', (dataDir) => overwrite(databaseIn(dataDir), 100, Buffer.alloc(200_000, 0x55)), DAMAGED(MALFORMED)],
  [
    'no database at all',
    (dataDir) => overwrite(databaseIn(dataDir), 3, Buffer.from('x')),
    DAMAGED('file is not a database'),
  ],
  ['empty', (dataDir) => truncateSync(databaseIn(dataDir), 0), GONE('empty')],
  ['missing', (dataDir) => rmSync(databaseIn(dataDir)), GONE('missing')],
]

describe('a database that is lost:', () => {
  test.each(LOST)('%s: every command says what brings it back, and changes nothing', async (_, lose, says) => {
    const dataDir = trial.copy()
    lose(dataDir)
    const before = existsSync(databaseIn(dataDir)) ? readFileSync(databaseIn(dataDir)) : undefined
    for (const args of [SERVE, ['migrate'], ['backup'], ['setup-token'], DISABLE]) {
      expect(await trial.told(dataDir, args)).toEqual(trial.line(dataDir, 1, `${says}.`))
    }
    expect(await trial.wrongIn(dataDir)).toContain(trial.finding(dataDir, 'database', says))
    expect(existsSync(databaseIn(dataDir)) ? readFileSync(databaseIn(dataDir)) : undefined).toEqual(before)
  })

  test('what doctor says to type brings it back', async () => {
    const dataDir = trial.copy()
    truncateSync(databaseIn(dataDir), 300_000)
    const { stdout } = await trial.run(['doctor', '--data-dir', dataDir])
    const [, file = ''] = /institute restore (\S+);/.exec(stdout) ?? []
    expect((await trial.run(['restore', file, '--data-dir', dataDir])).code).toBe(0)
    expect((await trial.run(['doctor', '--data-dir', dataDir])).code).toBe(0)
  })

  test('damage deep inside is found by doctor, and by backup, which keeps none of it', async () => {
    const dataDir = trial.copy()
    // The second page is the root of the first table that was made.
    overwrite(databaseIn(dataDir), 4096, Buffer.alloc(4096, 0x55))
    const { code, stdout } = await trial.run(['doctor', '--data-dir', dataDir])
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringMatching(/^WRONG +database .+institute\.db is damaged /m),
    })
    const backup = await trial.run(['backup', '--data-dir', dataDir])
    expect(backup).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^\S+institute\.db is damaged [^\n]+\n$/),
    })
  })
})

const BRING_KEY =
  'sudo tar -xzf {backup} -C {data} --strip-components=1 data/master-key && sudo chown --reference={data} {data}/master-key'
const KEYS: [what: string, lose: (dataDir: string) => void, says: string][] = [
  [
    'missing',
    (dataDir) => rmSync(keyIn(dataDir)),
    `{data}/master-key is missing: bring it back (${BRING_KEY}), or give the key as INSTITUTE_MASTER_KEY`,
  ],
  [
    'empty',
    (dataDir) => writeFileSync(keyIn(dataDir), ''),
    `{data}/master-key does not hold a master key (32 bytes in base64url): bring it back (${BRING_KEY})`,
  ],
  [
    'another',
    (dataDir) => writeFileSync(keyIn(dataDir), `${Buffer.alloc(32, 7).toString('base64url')}\n`),
    `The master key in {data} does not belong to this database; bring back the one that does: ${BRING_KEY}`,
  ],
]

describe('a master key that is lost:', () => {
  test.each(KEYS)(
    '%s: no command makes one; doctor and whoever needs it say how to bring it back',
    async (_, lose, says) => {
      const dataDir = trial.copy()
      lose(dataDir)
      const before = existsSync(keyIn(dataDir)) ? readFileSync(keyIn(dataDir), 'utf8') : undefined
      for (const args of [SERVE, ['backup'], [...DISABLE, '--force']])
        expect(await trial.told(dataDir, args)).toEqual(trial.line(dataDir, 1, `${says}.`))
      expect(await trial.wrongIn(dataDir)).toContain(trial.finding(dataDir, 'keys', says))
      for (const args of [['migrate'], ['setup-token']]) await trial.run([...args, '--data-dir', dataDir])
      expect(existsSync(keyIn(dataDir)) ? readFileSync(keyIn(dataDir), 'utf8') : undefined).toBe(before)
    },
  )

  test('what doctor says to type brings it back', async () => {
    const dataDir = trial.copy()
    const key = readFileSync(keyIn(dataDir), 'utf8')
    rmSync(keyIn(dataDir))
    const { stdout } = await trial.run(['doctor', '--data-dir', dataDir])
    const [, command = ''] = /bring it back \((.+)\), or give/.exec(stdout) ?? []
    execFileSync('/bin/sh', ['-c', command.replaceAll('sudo ', '')])
    expect(readFileSync(keyIn(dataDir), 'utf8')).toBe(key)
    expect((await trial.run(['doctor', '--data-dir', dataDir])).code).toBe(0)
  })
})

describe('a folder that is lost:', () => {
  const LINK = (name: string): string =>
    `{data}/${name} is a link to /nowhere, which is not there: mount its disk, or remove the link`

  test.each(['files', 'backups'])('%s, whose disk is not mounted', async (name) => {
    const dataDir = trial.copy()
    renameSync(path.join(dataDir, name), path.join(dataDir, 'former'))
    symlinkSync('/nowhere', path.join(dataDir, name))
    expect(await trial.wrongIn(dataDir)).toContain(trial.finding(dataDir, 'folder', LINK(name)))
  })

  test('backups, whose disk is not mounted, says backup too', async () => {
    const dataDir = trial.copy()
    rmSync(path.join(dataDir, 'backups'), { recursive: true })
    symlinkSync('/nowhere', path.join(dataDir, 'backups'))
    expect(await trial.told(dataDir, ['backup'])).toEqual(trial.line(dataDir, 2, `${LINK('backups')}.`))
  })

  test('a file in the place of backups', async () => {
    const dataDir = trial.copy()
    rmSync(path.join(dataDir, 'backups'), { recursive: true })
    writeFileSync(path.join(dataDir, 'backups'), '')
    const says = '{data}/backups is a file, and must be a folder: move it away'
    expect(await trial.told(dataDir, ['backup'])).toEqual(trial.line(dataDir, 2, `${says}.`))
    expect(await trial.wrongIn(dataDir)).toContain(trial.finding(dataDir, 'folder', says))
  })

  test('that of the files', async () => {
    const dataDir = trial.copy()
    rmSync(path.join(dataDir, 'files'), { recursive: true })
    const { code, stdout } = await trial.run(['doctor', '--data-dir', dataDir])
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /^WRONG +files +1 of 1 missing or damaged in the storage: \S+ \(picture\.png\); bring the folder files back: mount its disk, or take it from a backup$/m,
    )
  })
})

describe.runIf(isRoot)('a disk', () => {
  const mounted = (...options: string[]): string => {
    const disk = trial.emptyFolder()
    execFileSync('mount', ['-t', 'tmpfs', '-o', options.join(','), 'none', disk])
    onTestFinished(() => void execFileSync('umount', ['--lazy', disk]))
    const dataDir = path.join(disk, 'data')
    execFileSync('cp', ['--archive', trial.copy(), dataDir])
    return dataDir
  }
  const fill = (dataDir: string): void => {
    try {
      writeFileSync(path.join(dataDir, 'ballast'), Buffer.alloc(32_000_000))
    } catch {
      // As much as fits.
    }
  }

  test('that is full: every command says so, and doctor looks at the rest', async () => {
    const dataDir = mounted('size=12m')
    fill(dataDir)
    const says =
      'There is no room left on the disk of {data}; nothing was changed. Make room there (df -h {data} shows how much there is), then try again.'
    for (const args of [SERVE, ['migrate'], ['backup'], [...DISABLE, '--force']])
      expect(await trial.told(dataDir, args)).toEqual(trial.line(dataDir, 1, says))
    expect(await trial.wrongIn(dataDir)).toContain(
      trial.finding(
        dataDir,
        'disk',
        '0 MB free in {data}, too little to work with; make room on it: df -h {data} shows how full it is, and old backups in {data}/backups can go elsewhere',
      ),
    )
    // The program's own parts find no room either.
    rmSync(path.join(dataDir, '.native'), { recursive: true })
    fill(dataDir)
    expect(await trial.told(dataDir, SERVE)).toEqual(trial.line(dataDir, 1, says))
    expect(await trial.wrongIn(dataDir)).toContain(trial.finding(dataDir, 'database', says.replace(/\.$/, '')))
  })

  test('that takes no more files', async () => {
    const dataDir = mounted('size=600m', 'nr_inodes=60')
    try {
      for (let n = 0; n < 60; n += 1) writeFileSync(path.join(dataDir, `ballast-${n}`), '')
    } catch {
      // As many as fit.
    }
    const says =
      'There is no room left on the disk of {data}/backups for another file; nothing was changed. Make room there (df -i {data}/backups shows how much there is), then try again.'
    expect(await trial.told(dataDir, ['backup'])).toEqual(trial.line(dataDir, 1, says))
    const { stdout } = await trial.run(['doctor', '--data-dir', dataDir])
    expect(stdout).toMatch(
      /^WRONG +disk +\d+ MB free in \S+, and room for 0 more files only: df -i \S+ shows how much there is; remove what nobody needs$/m,
    )
  })

  test('that is read-only', async () => {
    const dataDir = mounted('size=300m')
    execFileSync('mount', ['-o', 'remount,ro', path.dirname(dataDir)])
    const says =
      'The disk of {data} is mounted read-only, and nothing can be written: find out why (sudo dmesg), then sudo mount -o remount,rw it'
    expect(await trial.told(dataDir, SERVE)).toEqual(trial.line(dataDir, 1, `${says}.`))
    expect(await trial.wrongIn(dataDir)).toContain(trial.finding(dataDir, 'folder', says))
  })

  test('from which nothing may be loaded', async () => {
    const dataDir = mounted('size=300m', 'noexec')
    const { code, stderr } = await trial.run([...SERVE, '--data-dir', dataDir])
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^\S+\.native must be a folder .+, so on no disk that is mounted noexec: .+\n$/),
    })
  })
})

describe.runIf(isRoot)('what root copied', () => {
  test.each(['institute.db', 'master-key', '.lock'])('%s: the service says how to get it back', async (name) => {
    const dataDir = trial.copy(NOBODY)
    chownSync(path.join(dataDir, name), 0, 0)
    const back = `sudo chown -R ${NOBODY}: {data}`
    expect(await trial.told(dataDir, SERVE, { uid: NOBODY })).toEqual(
      trial.line(
        dataDir,
        2,
        `user ${NOBODY} may not work with {data}/${name}, which belongs to root: give it back: ${back}.`,
      ),
    )
    // Root's own command acts for the service.
    for (const uid of [NOBODY, 0]) {
      const says = `{data}/${name} does not belong to user ${NOBODY}, as its folder does: ${back}`
      expect(await trial.wrongIn(dataDir, { uid })).toContain(trial.finding(dataDir, 'folder', says))
    }
  })
})

test('a mail server that cannot be reached', async () => {
  const dataDir = trial.copy()
  const says =
    'mail server 127.0.0.1:1: nothing answers there (connect ECONNREFUSED 127.0.0.1:1); correct INSTITUTE_SMTP_URL, or see why this machine cannot reach the mail server'
  const env = { INSTITUTE_SMTP_URL: 'smtp://user:secret@127.0.0.1:1' }
  expect(await trial.wrongIn(dataDir, { env })).toEqual([trial.finding(dataDir, 'mail', says)])
})

test('a clock that was never set: nothing is kept under a wrong date', async () => {
  const script = path.join(trial.emptyFolder(), '1970.cjs')
  writeFileSync(script, 'const { now } = Date; const off = now(); Date.now = () => now() - off')
  const env = { NODE_OPTIONS: `--require=${script}` }
  const told = (text: string): string => text.replaceAll(/1970-01-01T[\d:.]+Z/g, 'NOW')
  const clock =
    'the clock of this machine says NOW, and everything would be kept under a wrong date: set it (sudo timedatectl set-ntp true, or sudo date --set="YYYY-MM-DD HH:MM")'
  const dataDir = trial.copy()
  const { code, stderr } = await trial.run([...SERVE, '--data-dir', dataDir], { env })
  expect({ code, stderr: told(stderr) }).toEqual({ code: 1, stderr: `Nothing was started: ${clock}.\n` })
  const { stdout } = await trial.run(['doctor', '--data-dir', dataDir], { env })
  expect(told(stdout)).toContain(`WRONG    clock     ${clock}\n`)
})
