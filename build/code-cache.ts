/**
 * `node code-cache.ts SOURCE CACHE ASSETS DATA ARGUMENT…`: writes V8's code cache of the program, as build/loader.cjs
 * wraps and names it. It runs the program with the arguments on the data directory DATA, until it answers a request or
 * ends by itself, because that compiles what each start runs: what the cache has not, a start compiles function by
 * function, a fifth of its time. Node's own code cache for executables has none but the outermost functions, and cannot be
 * used with a program that lies there compressed. ASSETS is a JSON file: asset name → file.
 *
 * It runs in a process of its own, with the runtime and the options of the executable, or V8 refuses the cache. The
 * same source gives the same bytes under a fixed hash seed, once settled-code-cache.ts has written them again.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { Server } from 'node:http'
import { createRequire } from 'node:module'
import { connect, type AddressInfo } from 'node:net'
import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Script } from 'node:vm'

const [, , sourceFile = '', cacheFile = '', assetsFile = '', dataDir = '', ...args] = process.argv
const source = readFileSync(sourceFile, 'latin1')
/**
 * What the machine's load decides leaves its mark in the cache: what other compilers and collectors of garbage have done by
 * the end, and in which memory they left something behind.
 */
const UNSETTLED = [
  'flush-bytecode',
  'parallel-scavenge',
  'concurrent-marking',
  'concurrent-sweeping',
  'sparkplug',
  'concurrent-sparkplug',
  'maglev',
  'opt',
]
for (const flag of UNSETTLED) setFlagsFromString(`--no-${flag}`)
const program = new Script(source, { filename: 'institute.cjs' })
process.on('exit', () => {
  // The cache holds under the flags of the moment.
  for (const flag of UNSETTLED) setFlagsFromString(`--${flag}`)
  writeFileSync(cacheFile, program.createCachedData())
})

const endAfterAnswer = ({ port }: AddressInfo): void => {
  const client = connect(port, '127.0.0.1')
  client.write('GET /api/v1/health/ready HTTP/1.1\r\nHost: localhost\r\n\r\n')
  client.once('data', () => process.exit())
}
const { listen } = Server.prototype
Server.prototype.listen = function (this: Server, ...given: unknown[]) {
  this.once('listening', () => endAfterAnswer(this.address() as AddressInfo))
  return Reflect.apply(listen, this, given) as Server
} as typeof listen

/** What the program finds in the executable, for one that is run from its parts. */
const assets = JSON.parse(readFileSync(assetsFile, 'utf8')) as Record<string, string>
const sea = {
  isSea: () => true,
  getAssetKeys: () => Object.keys(assets),
  getRawAsset: (name: string) => new Uint8Array(readFileSync(assets[name] ?? '')).buffer,
}
const requireBuiltin = createRequire(import.meta.url)
const requireForProgram = (name: string): unknown => (name === 'node:sea' ? sea : requireBuiltin(name))

Object.assign(process.env, {
  INSTITUTE_DATA_DIR: path.resolve(dataDir),
  INSTITUTE_HOST: '127.0.0.1',
  INSTITUTE_PORT: '0',
  INSTITUTE_LAN_NAME: 'off',
})
process.argv.splice(2, Infinity, ...args)
const run = program.runInThisContext() as (...parameters: unknown[]) => void
run({}, requireForProgram, {}, sourceFile, import.meta.dirname)
