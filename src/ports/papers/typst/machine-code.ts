import { setFlagsFromString } from 'node:v8'
import { compileFunction } from 'node:vm'

/** The types of Node know what it has of this by name alone. */
interface Engine {
  Module: new (wasm: Buffer) => WebAssembly.Module
  Instance: new (module: WebAssembly.Module) => { exports: Record<string, unknown> }
}
const { Module, Instance } = (globalThis as unknown as { WebAssembly: Engine }).WebAssembly

/** The last argument of a process that is not to use the machine code that comes with the program. */
export const COMPILES = 'compiles'

/** Compiles functions when they are first called. */
export const compileModule = (wasm: Buffer): WebAssembly.Module => new Module(wasm)

/**
 * Machine code of a WebAssembly module, kept for other processes with the same V8. Browsers keep it between two visits; Node
 * has no function for it, so these are the ones by which V8 tests that part.
 */
const inV8 = (call: string, parameters: string[]): ((...given: unknown[]) => unknown) => {
  setFlagsFromString('--allow-natives-syntax')
  try {
    return compileFunction(`return %${call}`, parameters) as (...given: unknown[]) => unknown
  } finally {
    setFlagsFromString('--no-allow-natives-syntax')
  }
}

const serialized = (module: WebAssembly.Module): Buffer<ArrayBuffer> =>
  Buffer.from(inV8('SerializeWasmModule(module)', ['module'])(module) as ArrayBuffer)

/** `(module (memory 1) (func (export "f") (param i32) (result i32) (i32.load (local.get 0))))` */
const PROBE = Buffer.from(
  '0061736d0100000001060160017f017f030201000503010001070501016600000a0901070020002802000b',
  'hex',
)

/** A module that looks into its memory, compiled. It shows whether the system or the code itself keeps it from looking beyond. */
const probe = (): Buffer => {
  const module = new Module(PROBE)
  inV8('WasmTierUpFunction(f)', ['f'])(new Instance(module).exports['f'])
  return serialized(module)
}

/** V8 begins with four words: a magic number, its version, what the processor can, and its options. */
const HEADER = 16
const PROCESSOR = 8

/** Of an x64 that was made since 2008: SSE 3, SSSE 3, SSE 4.1 and SSE 4.2. */
const EVERY_X64 = 0xf

/** The options of a V8 that uses nothing newer, so that its code runs on every x64. */
export const FOR_EVERY_X64 = [
  ...['avx', 'avx2', 'avx-vnni', 'avx-vnni-int8', 'fma3', 'f16c', 'bmi1', 'bmi2', 'lzcnt', 'popcnt', 'sahf'].map(
    (one) => `--no-enable-${one}`,
  ),
  '--no-intel-jcc-erratum-mitigation',
]

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** @returns the code of the functions that ran so far, in a V8 that optimizes each at its first call */
export const machineCodeOf = (module: WebAssembly.Module): Buffer => {
  const [probed, code] = [probe(), serialized(module)]
  // The rest says what this very processor is, not what the code asks of one.
  if (process.arch === 'x64') code.writeUInt32LE(code.readUInt32LE(PROCESSOR) & EVERY_X64, PROCESSOR)
  return Buffer.concat([uint32(probed.length), probed, code])
}

/**
 * Makes the module without compiling it.
 * @param kept of `machineCodeOf`
 * @returns undefined where this code would not run here
 */
export const moduleWith = (kept: Buffer<ArrayBuffer>, wasm: Buffer): WebAssembly.Module | undefined => {
  const here = probe()
  const at = 4 + kept.readUInt32LE()
  const there = kept.subarray(4, at)
  const needed = kept.readUInt32LE(at + PROCESSOR)
  const isSameVersion = here.subarray(0, PROCESSOR).equals(there.subarray(0, PROCESSOR))
  const hasAll = (here.readUInt32LE(PROCESSOR) & needed) >>> 0 === needed
  const isSameCode = here.subarray(HEADER).equals(there.subarray(HEADER))
  if (!isSameVersion || !hasAll || !isSameCode) return undefined
  // V8 compares the processor and the options exactly, also where the code needs less of them.
  here.copy(kept, at, 0, HEADER)
  const code = kept.buffer.slice(kept.byteOffset + at, kept.byteOffset + kept.length)
  return inV8('DeserializeWasmModule(code, wasm)', ['code', 'wasm'])(code, wasm) as WebAssembly.Module | undefined
}
