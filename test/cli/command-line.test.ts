import { readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
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
    expect(await institute([...args], { INSTITUTE_DATA_DIR: dataDir })).toEqual({
      code: 2,
      stdout: '',
      stderr: `${line}\n`,
    })
  })
})

describe('results go to standard output, everything else to standard error', () => {
  test('version', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    expect(await institute(['version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  // One test for each command, so that their number does not push a slow machine over the time limit.
  const COMMANDS = [
    'serve',
    'migrate',
    'setup-token',
    'user list',
    'user disable',
    'user enable',
    'user reset-password',
    'backup',
    'restore',
    'doctor',
    'health',
    'version',
  ]

  test('--help lists every command', async () => {
    const { code, stdout, stderr } = await institute(['--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [, listed = ''] = stdout.split('\n\n')
    const names = [...listed.matchAll(/^ {2}((?:[a-z][a-z-]* )+)/gm)].map(([, name]) => name?.trim())
    expect(names).toEqual(COMMANDS)
  })

  test.each(COMMANDS)('%s --help names its options and settings', async (name) => {
    const { code, stdout, stderr } = await institute([...name.split(' '), '--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(new RegExp(`^institute ${name}`))
    expect(stdout).toContain('--data-dir')
    if (name === 'backup') expect(stdout).toContain('--to FILE')
  })

  test('--help on the first word of commands says as much as on both', async () => {
    const { stdout } = await institute(['user', '--help'])
    for (const command of ['disable', 'enable']) {
      expect(stdout).toContain((await institute(['user', command, '--help'])).stdout.trimEnd())
    }
  })

  test('setup-token where the program never ran', async () => {
    const { code, stdout, stderr } = await institute(['setup-token'], { INSTITUTE_DATA_DIR: dataDir })
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
