/**
 * `node settled-code-cache.ts SOURCE CACHE`: reads the code cache of code-cache.ts and writes it again. V8 numbers the
 * functions of a cache in the order in which they were compiled, which what comes from the network may change; those that
 * it reads from a cache, in the order of the cache.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { Script } from 'node:vm'

const [, , sourceFile = '', cacheFile = ''] = process.argv
const source = readFileSync(sourceFile, 'latin1')
const program = new Script(source, { filename: 'institute.cjs', cachedData: readFileSync(cacheFile) })
if (program.cachedDataRejected === true) throw new Error('V8 refuses its own code cache')
writeFileSync(cacheFile, program.createCachedData())
