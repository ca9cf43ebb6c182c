import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeFolder } from './folder.ts'
import { institute } from './institute.ts'

let folder: string
beforeAll(() => {
  folder = makeFolder()
  writeFileSync(path.join(folder, 'backup of today.tar'), '')
})

const has = (tool: string): boolean => spawnSync(tool, ['--version'], { stdio: 'ignore' }).status === 0

/** What is typed before Tab, and what must and must not be proposed. */
const PROPOSALS: [typed: string, proposed: string[], not: string[]][] = [
  ['institute us', ['user'], ['serve']],
  ['institute user ', ['list', 'disable', 'enable', 'reset-password', 'reset-second-factor'], ['serve']],
  ['institute user disable --', ['--email', '--force', '--data-dir'], ['--json', '--port']],
  ['institute --data-dir /somewhere user li', ['list'], ['disable']],
  ['institute serve --log-level ', ['warn', 'silent'], ['serve']],
  ['institute --', ['--port', '--redis-url', '--version'], ['serve']],
  ['institute backup ', ['list'], ['serve']],
  ['institute backup list --', ['--json'], ['--to']],
  ['institute completion ', ['bash', 'zsh', 'fish'], []],
  ['institute paper ', ['invoice', 'receipt', 'statement', 'roster'], ['serve']],
  ['institute import ', ['students', 'staff', 'balances'], ['serve']],
  ['institute paper invoice --locale ', ['ar', 'he', 'en'], ['a4']],
  ['institute restore back', ['backup of today.tar'], ['backup']],
]

const scriptFor = async (shell: string): Promise<string> => {
  const { code, stdout, stderr } = await institute(['completion', shell])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const file = path.join(folder, `institute.${shell}`)
  writeFileSync(file, stdout)
  return file
}

/** What is wrong with what a shell proposes: nothing. */
const faultsOf = (complete: (typed: string) => string[]): object[] =>
  PROPOSALS.flatMap(([typed, proposed, not]) => {
    const found = complete(typed)
    const missing = proposed.filter((word) => !found.includes(word))
    const wrong = not.filter((word) => found.includes(word))
    return missing.length + wrong.length > 0 ? [{ typed, found, missing, wrong }] : []
  })

describe('what is typed is completed', () => {
  test('in bash', async () => {
    const file = await scriptFor('bash')
    const faults = faultsOf((typed) => {
      const words = typed.split(' ')
      const script = `source ${file}; compopt() { :; }
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _institute; printf '%s\\n' "\${COMPREPLY[@]}"`
      const { stdout } = spawnSync('bash', ['--norc', '-c', script, 'bash', ...words], {
        cwd: folder,
        encoding: 'utf8',
      })
      return stdout.trimEnd().split('\n')
    })
    expect(faults).toEqual([])
    if (has('shellcheck')) {
      expect(spawnSync('shellcheck', ['--shell=bash', file], { encoding: 'utf8' }).stdout).toBe('')
    }
  })

  test('in fish', async ({ skip }) => {
    skip(!has('fish'), 'there is no fish')
    const file = await scriptFor('fish')
    const faults = faultsOf((typed) => {
      const script = `source ${file}; complete -C '${typed}'`
      const env = { HOME: folder, PATH: process.env.PATH }
      const { stdout } = spawnSync('fish', ['--no-config', '-c', script], { cwd: folder, encoding: 'utf8', env })
      // A file with spaces comes as it would have to be typed.
      const found = stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t')[0]?.replaceAll('\\', '') ?? '')
      return typed.endsWith('--') ? found.filter((line) => line.startsWith('--')) : found
    })
    expect(faults).toEqual([])
  })

  test('in zsh', async ({ skip }) => {
    skip(!has('zsh'), 'there is no zsh')
    const file = await scriptFor('zsh')
    // Completion runs within the line editor alone: here the two functions of zsh's by which it proposes say what they got.
    const script = `
      _describe() { print -rl -- \${\${(P)2}%%:*} }
      _arguments() { print -rl -- "$@" }
      complete() { local -a words=("$@"); local -i CURRENT=$#; source ${file} }
      complete "$@"`
    const faults = faultsOf((typed) => {
      const args = ['-f', '-c', script, 'zsh', ...typed.split(' ')]
      const { stdout, stderr } = spawnSync('zsh', args, { cwd: folder, encoding: 'utf8' })
      expect(stderr).toBe('')
      const lines = stdout.trimEnd().split('\n')
      const flags = lines.filter((line) => line.startsWith('--')).map((line) => line.split('[')[0] ?? '')
      const current = typed.split(' ').at(-1) ?? ''
      if (current.startsWith('--')) return flags
      const [, , values] = /^--log-level\[.*:(value):\((.*)\)$/m.exec(stdout) ?? []
      if (typed.includes('--log-level')) return values?.split(' ') ?? []
      const rest = /^\*: :(.*)$/m.exec(stdout)?.[1]
      if (rest === '_files') return ['backup of today.tar']
      return rest ? rest.replaceAll(/[()]/g, '').split(' ') : lines.filter((line) => line.startsWith(current))
    })
    expect(faults).toEqual([])
  })

  test('in no other shell: that is said', async () => {
    expect(await institute(['completion', 'csh'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'institute completion speaks bash, zsh, fish, not csh.\n',
    })
  })
})

test('the manual page is good troff, in which names stay whole', async ({ skip }) => {
  skip(!has('groff'), 'there is no groff')
  const { code, stdout, stderr } = await institute(['man'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const file = path.join(folder, 'institute.8')
  writeFileSync(file, stdout)
  const set = spawnSync('groff', ['-man', '-ww', '-k', '-Tutf8', '-P-cbou', file], { encoding: 'utf8' })
  expect({ status: set.status, stderr: set.stderr }).toEqual({ status: 0, stderr: '' })
  const page = set.stdout
  expect(page).toContain('institute user disable --email EMAIL [--force]')
  expect(page).toContain('--data-dir, INSTITUTE_DATA_DIR')
  expect(page).toContain('INSTITUTE_REDIS_URL')
})
