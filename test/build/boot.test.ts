import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { buildSync } from 'esbuild'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const runtime = `node_modules/node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`

const koa = { version: '3.0.0', integrity: 'sha512-koa' }
const foreign = { version: '1.0.0', optional: true, os: ['plan9'] }
const pinned = { version: '24.0.0', optional: true }
const vitest = { version: '5.0.0', integrity: 'sha512-vitest', dev: true }
const toRun = { 'node_modules/koa': koa, [runtime]: pinned }
const present = { ...toRun, 'node_modules/vitest': vitest }
const wanted = { '': {}, ...present, 'node_modules/foreign': foreign }

let checkout: string

beforeEach(() => {
  checkout = realpathSync(mkdtempSync(path.join(tmpdir(), 'institute-boot-')))
  mkdirSync(path.join(checkout, 'build'))
  copyFileSync(path.join(root, 'build/boot.mjs'), path.join(checkout, 'build/boot.mjs'))
  lay('package-lock.json', JSON.stringify({ packages: wanted }))
  lay('npm-cli.js', fakeNpm)
  lay('say.cjs', `console.log(JSON.stringify({ argv: process.argv.slice(2), cwd: process.cwd(), env: process.env }))`)
  mkdirSync(path.join(checkout, runtime, 'bin'), { recursive: true })
  symlinkSync(process.execPath, path.join(checkout, runtime, 'bin/node'))
})

afterEach(() => rmSync(checkout, { recursive: true, force: true }))

/** Records its arguments, and that it has installed what they ask for. Fails when the checkout contains a file named `offline`. */
const fakeNpm = `
  const fs = require('node:fs')
  fs.writeFileSync('npm-was-asked', process.argv.slice(2).join(' '))
  console.log('npm has much to say')
  if (fs.existsSync('offline')) process.exit(7)
  const packages = process.argv.includes('--include=dev') ? ${JSON.stringify(present)} : ${JSON.stringify(toRun)}
  fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }))
`

describe('the packages', () => {
  test('are installed into a fresh checkout, with one line for the newcomer', async () => {
    const { code, stdout, stderr } = await boot(['say.cjs'])
    expect(code).toBe(0)
    expect(asked()).toMatch(/^ci --include=dev --include=optional /)
    expect(stderr).toMatch(/^Installing the packages of package-lock\.json/)
    expect(stdout).not.toContain('npm has much to say')
  })

  test('are left alone while they are what package-lock.json asks for, less those of other platforms', async () => {
    lay('node_modules/.package-lock.json', JSON.stringify({ packages: present }))
    const { stderr } = await boot(['say.cjs'])
    expect(asked()).toBeUndefined()
    expect(stderr).toBe('')
  })

  test.for<[string, object]>([
    ['one has another version', { ...present, 'node_modules/koa': { ...koa, version: '2.0.0' } }],
    ['one has other contents', { ...present, 'node_modules/koa': { ...koa, integrity: 'sha512-other' } }],
    ['one is missing', { 'node_modules/vitest': vitest, [runtime]: pinned }],
    ['the runtime was left out as optional', { 'node_modules/koa': koa, 'node_modules/vitest': vitest }],
    ['one is there that nobody asks for', { ...present, 'node_modules/left-pad': { version: '1.0.0' } }],
  ])('are installed again when %s', async ([, found]) => {
    lay('node_modules/.package-lock.json', JSON.stringify({ packages: found }))
    const { code } = await boot(['say.cjs'])
    expect(code).toBe(0)
    expect(asked()).toBeDefined()
  })

  describe('that build and test it', () => {
    const script = 'src/main.cjs'
    beforeEach(() => lay(script, ''))

    test('are left out where the program alone is to run, and nothing is installed twice', async () => {
      expect((await boot([script])).code).toBe(0)
      expect(asked()).toMatch(/^ci --omit=dev --include=optional /)
      expect(installedPackages()).toEqual(toRun)
      rmSync(path.join(checkout, 'npm-was-asked'))
      expect((await boot([script])).stderr).toBe('')
      expect(asked()).toBeUndefined()
    })

    test('are added beside what is there for a script that needs them, as the program may be running', async () => {
      await boot([script])
      expect((await boot(['say.cjs'])).code).toBe(0)
      expect(asked()).toMatch(/^install --no-save --include=dev --include=optional /)
      expect(installedPackages()).toEqual(present)
    })

    test('stay when the program runs after them', async () => {
      lay('node_modules/.package-lock.json', JSON.stringify({ packages: present }))
      expect((await boot([script])).stderr).toBe('')
      expect(asked()).toBeUndefined()
    })

    test('stay, as the versions that are locked now, where the program needs another version of a package', async () => {
      const older = { ...present, 'node_modules/koa': { ...koa, version: '2.0.0' } }
      lay('node_modules/.package-lock.json', JSON.stringify({ packages: older }))
      expect((await boot([script])).code).toBe(0)
      expect(asked()).toMatch(/^ci --include=dev /)
      expect(installedPackages()).toEqual(present)
    })
  })

  test('that cannot be installed stop everything', async () => {
    lay('offline', '')
    const { code, stdout, stderr } = await boot(['say.cjs'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/could not be installed/)
  })
})

describe('the script', () => {
  beforeEach(() => lay('node_modules/.package-lock.json', JSON.stringify({ packages: present })))

  test('is found in the checkout and works where the caller stands, with the pinned runtime first on PATH', async () => {
    const elsewhere = realpathSync(tmpdir())
    const { stdout } = await boot(['say.cjs', 'serve', '--port', '1'], { cwd: elsewhere })
    const said = JSON.parse(stdout) as { argv: string[]; cwd: string; env: Record<string, string> }
    expect(said.argv).toEqual(['serve', '--port', '1'])
    expect(said.cwd).toBe(elsewhere)
    expect(said.env['PATH']?.split(path.delimiter)[0]).toBe(path.join(checkout, runtime, 'bin'))
  })

  test('may stand behind options for Node', async () => {
    const { stdout } = await boot(['--title=chosen', 'say.cjs', '--title=mine'])
    expect(JSON.parse(stdout)).toMatchObject({ argv: ['--title=mine'] })
  })

  test('decides the exit code', async () => {
    lay('exit.cjs', 'process.exit(42)')
    expect((await boot(['exit.cjs'])).code).toBe(42)
  })

  test.for<NodeJS.Signals>(['SIGTERM', 'SIGINT', 'SIGHUP'])('hears %s', async (signal) => {
    lay('wait.cjs', `process.on('${signal}', () => process.exit(9)); setInterval(() => {}, 1e6); console.log('ready')`)
    expect((await boot(['wait.cjs'], { signal })).code).toBe(9)
  })

  test('is ended with npm, whose shell passes no signal on', async () => {
    const ending = `process.on('SIGTERM', () => { console.log('ended'); process.exit() })`
    lay('wait.cjs', `${ending}; setInterval(() => {}, 1e6); console.log('ready')`)
    const shell = spawn('sh', ['-c', `"${process.execPath}" build/boot.mjs wait.cjs; true`], {
      cwd: checkout,
      env: { ...process.env, npm_lifecycle_event: 'start' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    shell.stdout.once('data', () => shell.kill('SIGTERM'))
    expect(await text(shell.stdout)).toBe('ready\nended\n')
  })

  test('that dies of a signal is reported as a shell would', async () => {
    lay('die.cjs', `process.kill(process.pid, 'SIGKILL')`)
    expect((await boot(['die.cjs'])).code).toBe(128 + 9)
  })
})

test('what runs in a checkout imports no package that is for tests and builds alone', () => {
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
    optionalDependencies: Record<string, string>
  }
  const entryPoints = globSync(
    ['src/main.ts', 'src/**/*.{worker,process}.ts', 'src/{widget,console}/main.{ts,tsx}', 'web-setup/pages/*.tsx'],
    { cwd: root },
  )
  const { metafile } = buildSync({
    absWorkingDir: root,
    // The last two bundle what browsers run, when somebody asks for it.
    entryPoints: [...entryPoints, 'build/console.ts', 'build/browser-scripts.ts'],
    outdir: 'out',
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    loader: { '.css': 'empty', '.svg': 'empty' },
  })
  const imported = Object.values(metafile.inputs).flatMap(({ imports }) =>
    imports.filter(({ external }) => external).map(({ path: name }) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name),
  )
  const known = new Set([...Object.keys(dependencies), ...Object.keys(optionalDependencies)])
  expect(imported).toEqual(expect.arrayContaining(['koa', 'react', 'esbuild']))
  expect(imported.filter((name) => !known.has(name) && !isBuiltin(name))).toEqual([])
})

test('where no Node is recent enough, that is all it says', async () => {
  lay('node_modules/.package-lock.json', JSON.stringify({ packages: present }))
  rmSync(path.join(checkout, runtime), { recursive: true })
  lay('old.cjs', `Object.defineProperty(process.versions, 'node', { value: '20.1.0' })`)
  const { code, stdout, stderr } = await boot(['say.cjs'], { nodeOptions: ['--require', './old.cjs'] })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^On \S+ Node 24 or newer has to be installed first; this is v\S+\n$/)
})

interface Booting {
  cwd?: string
  /** A signal for boot, sent once the script has printed something. */
  signal?: NodeJS.Signals
  nodeOptions?: string[]
}

async function boot(args: string[], { cwd = checkout, signal, nodeOptions = [] }: Booting = {}) {
  const env = { ...process.env, npm_execpath: path.join(checkout, 'npm-cli.js') }
  const program = [...nodeOptions, path.join(checkout, 'build/boot.mjs'), ...args]
  const child = spawn(process.execPath, program, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  if (signal) child.stdout.once('data', () => child.kill(signal))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: child.exitCode, stdout, stderr }
}

function lay(file: string, contents: string): void {
  mkdirSync(path.dirname(path.join(checkout, file)), { recursive: true })
  writeFileSync(path.join(checkout, file), contents)
}

const installedPackages = (): unknown =>
  (
    JSON.parse(readFileSync(path.join(checkout, 'node_modules/.package-lock.json'), 'utf8')) as {
      packages: unknown
    }
  ).packages

/** The arguments that npm was called with; undefined: it was not called. */
function asked(): string | undefined {
  const note = path.join(checkout, 'npm-was-asked')
  return existsSync(note) ? readFileSync(note, 'utf8') : undefined
}
