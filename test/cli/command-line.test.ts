import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { SETTINGS } from '#app/config/read-config.ts'
import { ANSWERS } from '../../src/commands/other-words.ts'
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
    [
      ['Status'],
      'There is no command "Status": institute health asks whether the server runs, institute doctor looks at everything.',
    ],
    [
      ['password', 'reset'],
      'There is no command "password reset": institute user reset-password --email EMAIL prints a link with which that person chooses a new one.',
    ],
    [['backup', 'now'], 'Usage: institute backup [--to FILE] [--force]'],
    [['user'], 'institute user is followed by one of list, reset-password, reset-second-factor, disable, enable.'],
    [['user', 'frobnicate'], 'There is no command "user frobnicate"; institute --help lists them.'],
    [['constructor'], 'There is no command "constructor"; institute --help lists them.'],
    [['serve', 'now'], 'Usage: institute serve'],
    [['help', 'frobnicate'], 'There is no command "frobnicate"; institute --help lists them.'],
    [['frobnicate', '--help'], 'There is no command "frobnicate"; institute --help lists them.'],
    [['restore'], 'Usage: institute restore FILE [--elsewhere] [--key KEYFILE] [--yes]'],
    [['restore', 'one', 'two'], 'Usage: institute restore FILE [--elsewhere] [--key KEYFILE] [--yes]'],
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
      ['serve', '--redis-url', 'http://:secret@host'],
      'INSTITUTE_REDIS_URL=(not shown): must be redis://user:password@host:port/number or rediss://…, with %23 for # in a password, %2F for /, %3F for ?, %40 for @.',
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
    'queue-lanes',
    'queue-pause',
    'queue-resume',
    'queue-retry',
    'jobs',
    'job-retry',
    'job-drop',
    'api',
  ].map((name) => `vendor ${name}`)

  const ON_ANY_DAY = [
    'doctor',
    'backup',
    'backup list',
    'backup key',
    'restore',
    'user list',
    'user reset-password',
    'user reset-second-factor',
    'user disable',
    'user enable',
    'mail-setup',
    'mail-test',
    'export',
    'import',
    'paper',
    'files move',
    'setup-token',
    'https',
    'https off',
    'update check',
    'update now',
    'update',
  ]
  const OF_PROGRAM = [
    'serve',
    'health',
    'update apply',
    'migrate',
    'database move',
    'settings',
    'completion',
    'man',
    'version',
    'help',
  ]
  const OF_VENDOR = ['platform-admin add', 'license-key create', 'license-key public', ...VENDOR]
  const COMMANDS = [...ON_ANY_DAY, ...OF_PROGRAM, ...OF_VENDOR]

  const namesIn = (listed = ''): (string | undefined)[] =>
    [...listed.matchAll(/^ {2}((?:[a-z][a-z-]* )+)/gm)].map(([, name]) => name?.trim())

  /** Where it is not the data directory alone or among others: what their help ends with instead. */
  const SETTINGS_USED: Record<string, string> = Object.fromEntries(
    [...VENDOR, 'backup key', 'settings', 'completion', 'man', 'version', 'help'].map((name) => [
      name,
      `institute ${name}`,
    ]),
  )

  test('--help lists what one does on any day first, and help vendor what a vendor does', async () => {
    const { code, stdout, stderr } = await command(['--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [, onAnyDay, ofProgram] = stdout.split('\n\n')
    expect(namesIn(onAnyDay)).toEqual(ON_ANY_DAY)
    expect(namesIn(ofProgram)).toEqual(OF_PROGRAM)
    expect(stdout).toContain('institute help vendor')
    const vendor = await command(['help', 'vendor'])
    expect(vendor).toMatchObject({ code: 0, stderr: '' })
    expect(namesIn(vendor.stdout)).toEqual(OF_VENDOR)
  })

  test('--help leaves the limits to institute settings, and names that', async () => {
    const { stdout } = await command(['--help'])
    expect(stdout).not.toMatch(/--(limit|access-token|license)-/)
    expect(stdout).toContain('The limits and all other settings: institute settings')
    expect((await command(['settings'])).stdout).toContain('#INSTITUTE_LIMIT_USER=6000')
    expect((await command(['serve', '--help'])).stdout).toContain('--limit-user')
  })

  test('what answers a word that is no command names none but real ones', async () => {
    for (const [, answer] of ANSWERS) {
      for (const [, words = ''] of answer.matchAll(/\binstitute ((?:[a-z][a-z-]+ ?)+)/g)) {
        const named = words.trim().split(' ')
        const isCommand = [2, 1].some((length) =>
          [...COMMANDS, 'help vendor'].includes(named.slice(0, length).join(' ')),
        )
        expect(isCommand || /systemctl (start|stop|restart) institute/.test(answer), `${words} in: ${answer}`).toBe(
          true,
        )
      }
    }
    const tried = ANSWERS.flatMap(([words]) => words)
    expect(new Set(tried).size).toBe(tried.length)
    for (const word of tried) {
      expect(COMMANDS.map((name) => name.split(' ')[0])).not.toContain(word)
      expect(await command([word]), word).toMatchObject({ code: 2, stderr: expect.stringContaining(`"${word}": `) })
    }
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

  test('the manual page names every command and every setting', async () => {
    const page = (await command(['man'])).stdout.replaceAll(String.raw`\-`, '-')
    expect(COMMANDS.filter((name) => !new RegExp(`^\\.B institute ${name}( |$)`, 'm').test(page))).toEqual([])
    expect(Object.keys(SETTINGS).filter((key) => !page.includes(`, ${key}\n`))).toEqual([])
  })

  test('--help says the defaults, and what holds without a value; what hardly anybody changes it does not name', async () => {
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
