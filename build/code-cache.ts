/**
 * `node code-cache.ts SOURCE CACHE`: writes V8's code cache of the program, as build/loader.cjs wraps and names it. It
 * runs the program once with `--version`, because that compiles what each start runs: a cache of a program that never
 * ran has only its outermost functions, and a start with it takes 15 ms more. Node's own code cache for executables is
 * such a one, and cannot be used with a program that lies there compressed.
 *
 * It runs in a process of its own, with the runtime and the options of the executable, or V8 refuses the cache. The
 * same source gives the same bytes under a fixed hash seed.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { Script } from 'node:vm'

const [, , sourceFile = '', cacheFile = ''] = process.argv
const source = readFileSync(sourceFile, 'latin1')
// Whether the threads of this compiler are done by then depends on the machine's load, and leaves its mark in the cache.
setFlagsFromString('--no-concurrent-sparkplug')
const program = new Script(source, { filename: 'institute.cjs' })
process.on('exit', () => {
  // The cache holds under the flags of the moment.
  setFlagsFromString('--concurrent-sparkplug')
  const cachedData = program.createCachedData()
  if (new Script(source, { cachedData }).cachedDataRejected === true) throw new Error('V8 refuses its own code cache')
  writeFileSync(cacheFile, cachedData)
})
process.argv.splice(2, 2, '--version')
const run = program.runInThisContext() as (...parameters: unknown[]) => void
run({}, createRequire(import.meta.url), {}, sourceFile, import.meta.dirname)
