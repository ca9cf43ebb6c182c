import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { command } from './command.ts'
import { makeFolder } from './folder.ts'
import { institute } from './institute.ts'

let dataDir: string
beforeEach(() => {
  dataDir = path.join(makeFolder(), 'data')
})

describe('wrong usage exits 2 with one line that says what is wrong', () => {
  test.each([
    [['frobnicate'], 'There is no command "frobnicate"; institute --help lists them.'],
    [['user'], 'institute user is followed by one of list, disable, enable, reset-password.'],
    [['user', 'frobnicate'], 'There is no command "user frobnicate"; institute --help lists them.'],
    [['constructor'], 'There is no command "constructor"; institute --help lists them.'],
    [['serve', 'now'], 'Usage: institute serve'],
    [['help', 'frobnicate'], 'There is no command "frobnicate"; institute --help lists them.'],
    [['frobnicate', '--help'], 'There is no command "frobnicate"; institute --help lists them.'],
    [['restore'], 'Usage: institute restore FILE'],
    [['restore', 'one', 'two'], 'Usage: institute restore FILE'],
    [['user', 'disable'], 'Usage: institute user disable --email EMAIL [--force]'],
    [['user', 'enable'], 'Usage: institute user enable --email EMAIL'],
    [['user', 'reset-password', '--force'], 'institute user reset-password takes no --force.'],
    [
      ['user', 'disable', '--force=yes', '--email', 'a@b.example'],
      '--force takes no value; institute --help says more.',
    ],
    [['--frobnicate'], 'There is no option --frobnicate; institute --help lists them.'],
    [['-x'], 'There is no option -x; institute --help lists them.'],
    [['--port'], '--port needs a value; institute --help says more.'],
    [['--help=yes'], '--help takes no value; institute --help says more.'],
    [['backup', '--email', 'a@b.example'], 'institute backup takes no --email.'],
    [['doctor', '--port', 'eighty'], 'INSTITUTE_PORT=eighty: must be 0 to 65535.'],
    [
      ['serve', '--redis-url', 'redis://:secret@host'],
      'INSTITUTE_REDIS_URL=(not shown): must be left out: this version cannot do it yet.',
    ],
  ])('%j', async (args, line) => {
    expect(await command(args, { INSTITUTE_DATA_DIR: dataDir })).toEqual({
      code: 2,
      stdout: '',
      stderr: `${line}\n`,
    })
  })
})

// What the other tests run in their own process goes for the program.
test.each([
  [0, ['backup', '--help']],
  [1, ['setup-token']],
  [2, ['frobnicate']],
  [2, ['doctor', '--port', 'eighty']],
])('exits %i as it does within a test: %j', async (code, args) => {
  const env = { INSTITUTE_DATA_DIR: dataDir }
  const ended = await institute(args, env)
  expect(ended.code).toBe(code)
  expect(ended).toEqual(await command(args, env))
})

describe('results go to standard output, everything else to standard error', () => {
  test.each([['version'], ['--version'], ['-v']])(
    '%s says the version, and the commit of this checkout',
    async (word) => {
      const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
      const { stdout: head } = spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8' })
      const { code, stdout, stderr } = await institute([word])
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout.replace('-modified', '')).toBe(`${version} (${head.trim()})\n`)
    },
  )

  const VENDOR = [
    'login',
    'logout',
    'whoami',
    'tenants',
    'tenant-show',
    'tenant-create',
    'tenant-lock',
    'tenant-unlock',
    'tenant-archive',
    'licenses',
    'license-show',
    'license-create',
    'license-lock',
    'license-unlock',
    'license-unlock-token',
    'queues',
    'queue-retry',
    'api',
  ].map((name) => `vendor ${name}`)

  const COMMANDS = [
    'serve',
    'migrate',
    'setup-token',
    'user list',
    'user disable',
    'user enable',
    'user reset-password',
    'platform-admin add',
    'license-key create',
    'license-key public',
    ...VENDOR,
    'backup',
    'restore',
    'export',
    'doctor',
    'health',
    'mail-test',
    'settings',
    'completion',
    'man',
    'version',
    'help',
  ]

  /** Where it is not the data directory alone or among others: what their help ends with instead. */
  const SETTINGS_USED: Record<string, string> = Object.fromEntries(
    [...VENDOR, 'settings', 'completion', 'man', 'version', 'help'].map((name) => [name, `institute ${name}`]),
  )

  test('--help lists every command', async () => {
    const { code, stdout, stderr } = await command(['--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [, listed = ''] = stdout.split('\n\n')
    const names = [...listed.matchAll(/^ {2}((?:[a-z][a-z-]* )+)/gm)].map(([, name]) => name?.trim())
    expect(names).toEqual(COMMANDS)
  })

  test.each(COMMANDS)('%s --help names its options and settings', async (name) => {
    const { code, stdout, stderr } = await command([...name.split(' '), '--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(new RegExp(`^institute ${name}`))
    expect(stdout).toContain(SETTINGS_USED[name] ?? '--data-dir')
    expect(stdout.includes('--log-level')).toBe(name === 'serve' || name === 'doctor')
    if (name === 'backup') expect(stdout).toContain('--to FILE')
  })

  test('help says the same as --help', async () => {
    for (const words of [[], ['backup'], ['user', 'enable']]) {
      const asked = await command(['help', ...words])
      expect(asked).toEqual(await command([...words, '--help']))
      expect(asked).toMatchObject({ code: 0, stderr: '' })
    }
  })

  test('--help says the defaults, and what holds without a value; what this version cannot do it does not name', async () => {
    const stdout = (await command(['--help'])).stdout.replaceAll(/\s+/g, ' ')
    expect(stdout).toContain('--port VALUE Port to listen on (0 to 65535; default 8080)')
    expect(stdout).toContain('without it: the wizard’s answer, else http://localhost:PORT')
    expect(stdout).not.toContain('redis')
    for (const line of (await command(['--help'])).stdout.split('\n').filter((each) => each.startsWith(' '))) {
      expect(line.length).toBeLessThanOrEqual(100)
    }
  })

  test('settings prints an institute.conf that changes nothing, and each of whose lines can be put in force', async () => {
    const { code, stdout, stderr } = await command(['settings'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const line of stdout.split('\n')) expect(line).toMatch(/^(#|$)/)
    expect(stdout).toContain('# Port to listen on (0 to 65535; default 8080)\n#INSTITUTE_PORT=8080\n')
    expect(stdout).not.toContain('INSTITUTE_REDIS_URL')
    await institute(['migrate', '--data-dir', dataDir])
    writeFileSync(path.join(dataDir, 'institute.conf'), stdout.replaceAll(/^#(?=INSTITUTE_)/gm, ''))
    expect(await institute(['user', 'list', '--json', '--data-dir', dataDir])).toMatchObject({
      code: 0,
      stdout: '[]\n',
    })
  })

  test('--help on the first word of commands says as much as on both', async () => {
    const { stdout } = await command(['user', '--help'])
    for (const word of ['disable', 'enable']) {
      expect(stdout).toContain((await command(['user', word, '--help'])).stdout.trimEnd())
    }
  })

  test('setup-token where the program never ran', async () => {
    const { code, stdout, stderr } = await command(['setup-token'], { INSTITUTE_DATA_DIR: dataDir })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toBe(`There is no institute in ${dataDir}.\n`)
  })

  test('an unknown key gives a warning', async () => {
    const { code, stdout, stderr } = await institute(['migrate'], {
      INSTITUTE_DATA_DIR: dataDir,
      INSTITUTE_PROT: '80',
    })
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'INSTITUTE_PROT is no setting of this program; it is ignored.\n',
    })
    expect(stdout).toMatch(/^Took 0001_foundation, /)
    expect((await institute(['migrate'], { INSTITUTE_DATA_DIR: dataDir })).stdout).toBe('The database is up to date.\n')
  })
})
