/**
 * Runs a script of this checkout with the Node version that package-lock.json pins: `node build/boot.mjs SCRIPT
 * [ARGUMENT…]`. Any Node 20 or newer can run this file, so it uses only Node's own modules. It installs the packages of
 * package-lock.json that SCRIPT needs and that are missing, then starts the pinned Node by its path, because a shell may
 * remember the path of an older `node`. Options before SCRIPT go to Node. SCRIPT is relative to the checkout; the working
 * directory is the caller's.
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

const script = process.argv.slice(2).find((arg) => !arg.startsWith('-')) ?? ''
/** The program runs without the packages that build and test it. */
const needsAll = !script.startsWith('src/')

if (!installed()) install()
run(nodeProgram(), process.argv.slice(2))

/** @typedef {{ version?: string, integrity?: string, optional?: boolean, dev?: boolean }} Locked */

/** @returns {boolean} whether node_modules holds what the script needs on this platform, and nothing but what is locked */
function installed() {
  const { wanted, present } = packages()
  const isMissing = Object.entries(wanted).some(([name, entry]) => isNeeded(name, entry) && !(name in present))
  return isThere(present) && isPartOf(present, wanted) && !isMissing
}

/** @param {Record<string, Locked>} present */
function isThere(present) {
  return Object.keys(present).length > 0
}

/** @returns {Record<'wanted' | 'present', Record<string, Locked>>} by their folders, less the checkout itself */
function packages() {
  const { '': _, ...wanted } = packagesOf('package-lock.json') ?? {}
  return { wanted, present: packagesOf('node_modules/.package-lock.json') ?? {} }
}

/**
 * Whether each package that is there is the one that is locked.
 * @param {Record<string, Locked>} present
 * @param {Record<string, Locked>} wanted
 */
function isPartOf(present, wanted) {
  return Object.entries(present).every(
    ([name, { version, integrity }]) => version === wanted[name]?.version && integrity === wanted[name]?.integrity,
  )
}

/**
 * npm leaves out optional packages for other platforms; the Node runtime for this platform must be there.
 * @param {string} name
 * @param {Locked} entry
 */
function isNeeded(name, { optional, dev }) {
  return name === runtime || (!optional && (needsAll || !dev))
}

/**
 * @param {string} lockfile
 * @returns {Record<string, Locked> | undefined}
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
  const { wanted, present } = packages()
  // `npm ci` removes all that is there, also under a program that runs. Where nothing has to go, the rest is added.
  const command = isThere(present) && isPartOf(present, wanted) ? ['install', '--no-save'] : ['ci']
  const hasAll = Object.keys(present).some((name) => wanted[name]?.dev)
  const options = [
    ...command,
    needsAll || hasAll ? '--include=dev' : '--omit=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
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
  const at = args.indexOf(script)
  const located = args.map((arg, i) => (i === at ? path.resolve(root, arg) : arg))
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
