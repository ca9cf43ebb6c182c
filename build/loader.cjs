// The main module of the executable: unpacks the program and runs it (see code-cache.ts), or one of its scripts.
const { getAssetKeys, getRawAsset } = require('node:sea')
const { compileFunction, Script } = require('node:vm')
const { brotliDecompressSync, zstdDecompressSync } = require('node:zlib')

/** In one part: several are copied into one. */
const unpack = (asset) => zstdDecompressSync(getRawAsset(asset), { chunkSize: 16 * 1024 * 1024 })

/** Gives memory back now: a program that is at rest collects its garbage after minutes. */
const free = (bytes) => bytes?.buffer.transfer(0)

const runProgram = () => {
  const bytes = unpack('program/source')
  // Only ASCII (build/bundle.ts), so one byte a character.
  const source = bytes.latin1Slice()
  free(bytes)
  // An executable made for another platform than the one that made it has none.
  const cachedData = getAssetKeys().includes('program/code-cache') ? unpack('program/code-cache') : undefined
  const program = new Script(source, { filename: 'institute.cjs', cachedData })
  free(cachedData)
  program.runInThisContext()(exports, require, module, __filename, __dirname)
}

/** As src/executable/child-process.ts starts it. */
const runScript = (script) => {
  const source = brotliDecompressSync(getRawAsset(`scripts/${script}`)).toString()
  compileFunction(source, ['require', 'module', 'exports'])(require, module, module.exports)
}

const [, , word, script] = process.argv
if (word === 'script-process' && process.connected) runScript(script)
else runProgram()
