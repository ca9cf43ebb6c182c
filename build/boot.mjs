/**
 * Runs a script of this checkout with the Node version that package-lock.json pins: `node build/boot.mjs SCRIPT
 * [ARGUMENT…]`. Any Node 20 or newer can run this file, so it uses only Node's own modules. It installs the packages of
 * package-lock.json if they are missing, then starts the pinned Node by its path, because a shell may remember the path
 * of an older `node`. Options before SCRIPT go to Node. SCRIPT is relative to the checkout; the working directory is
 * the caller's.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const leastNode = 24

const runtime = `node_modules/node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`

if (!installed()) install()
run(nodeProgram(), process.argv.slice(2))

/** @returns {boolean} whether node_modules holds exactly what package-lock.json asks for on this platform */
function installed() {
  const wanted = packagesOf('package-lock.json')
  const present = packagesOf('node_modules/.package-lock.json')
  if (!wanted || !present) return false
  delete wanted['']
  for (const [name, entry] of Object.entries(wanted)) {
    const found = present[name]
    if (found ? found.version !== entry.version || found.integrity !== entry.integrity : mustBeThere(name, entry)) {
      return false
    }
  }
  return Object.keys(present).every((name) => name in wanted)
}

/**
 * npm leaves out optional packages for other platforms; the Node runtime for this platform must be there.
 * @param {string} name
 * @param {{ optional?: boolean }} entry
 */
function mustBeThere(name, entry) {
  return !entry.optional || name === runtime
}

/**
 * @param {string} lockfile
 * @returns {Record<string, { version?: string, integrity?: string, optional?: boolean }> | undefined}
 */
function packagesOf(lockfile) {
  try {
    return JSON.parse(readFileSync(path.join(root, lockfile), 'utf8')).packages
  } catch {
    return undefined
  }
}

function install() {
  process.stderr.write('Installing the packages of package-lock.json; this takes a minute, once …\n')
  const options = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
  const npm = process.env.npm_execpath
  /** @type {import('node:child_process').SpawnSyncOptions} npm's own output must not mix with what the script prints */
  const how = { cwd: root, stdio: ['ignore', 2, 2] }
  const { error, status } = npm?.endsWith('npm-cli.js')
    ? spawnSync(process.execPath, [npm, ...options], how)
    : spawnSync('npm', options, { ...how, shell: process.platform === 'win32' })
  if (error) stop(`npm could not be started: ${error.message}`)
  if (status !== 0) stop('The packages could not be installed; what npm said stands above.')
}

/** @returns {string} the pinned Node, or the running one on a platform without a pinned Node */
function nodeProgram() {
  const pinned = path.join(root, runtime, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (existsSync(pinned)) return pinned
  if (Number.parseInt(process.versions.node, 10) >= leastNode) return process.execPath
  const here = `${process.platform}-${process.arch}`
  return stop(`On ${here} Node ${leastNode} or newer has to be installed first; this is ${process.version}.`)
}

/**
 * @param {string} program
 * @param {string[]} args
 */
function run(program, args) {
  const script = args.findIndex((arg) => !arg.startsWith('-'))
  const located = args.map((arg, i) => (i === script ? path.resolve(root, arg) : arg))
  const searchPath = [path.dirname(program), process.env.PATH].filter(Boolean).join(path.delimiter)
  const child = spawn(program, located, { stdio: 'inherit', env: { ...process.env, PATH: searchPath } })

  // In a terminal, the child gets signals such as Ctrl-C directly, and a second Ctrl-C means "stop at once".
  const inTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY
  /** @type {NodeJS.Signals[]} */
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) {
    process.on(signal, () => {
      if (signal === 'SIGTERM' || !inTerminal) child.kill(signal)
    })
  }

  // A signal to npm ends the shell between npm and this process without passing the signal on (dash does this).
  const parent = process.ppid
  const orphaned = () => {
    if (process.ppid !== parent) child.kill('SIGTERM')
  }
  if (process.env.npm_lifecycle_event) setInterval(orphaned, 200)

  child.on('error', (error) => stop(`${program} could not be started: ${error.message}`))
  child.on('exit', (code, signal) => {
    process.exit(signal ? 128 + constants.signals[signal] : (code ?? 1))
  })
}

/**
 * @param {string} reason
 * @returns {never}
 */
function stop(reason) {
  process.stderr.write(`${reason}\n`)
  process.exit(1)
}
