import { setFlagsFromString } from 'node:v8'
import { expect, test } from 'vitest'
import { compileModule, machineCodeOf, moduleWith } from '#ports/papers/typst/machine-code.ts'

/** `(module (func (export "double") (param i32) (result i32) (i32.add (local.get 0) (local.get 0))))` */
const DOUBLE = Buffer.from(
  '0061736d0100000001060160017f017f03020100070a0106646f75626c6500000a09010700200020006a0b',
  'hex',
)

type Doubling = { double: (value: number) => number }

const exportsOf = (module: WebAssembly.Module): Doubling => {
  const { Instance } = (
    globalThis as unknown as { WebAssembly: { Instance: new (m: unknown) => { exports: Doubling } } }
  ).WebAssembly
  return new Instance(module).exports
}

/** The code of the module, whose function has run. */
const kept = (): Buffer<ArrayBuffer> => {
  setFlagsFromString('--no-liftoff')
  try {
    const module = compileModule(DOUBLE)
    exportsOf(module).double(1)
    return Buffer.from(machineCodeOf(module))
  } finally {
    setFlagsFromString('--liftoff')
  }
}

/** Where what V8 begins the code with stands: the code of the probe stands before it, after its length. */
const headerOf = (code: Buffer): number => 4 + code.readUInt32LE()

test('code that was kept makes the module, which computes as the one of which it was', () => {
  const module = moduleWith(kept(), DOUBLE)
  expect(module && exportsOf(module).double(21)).toBe(42)
})

test('of a processor that can less than the code asks for, it is refused', () => {
  const code = kept()
  // What processor has all?
  code.writeUInt32LE(0xffffffff, headerOf(code) + 8)
  expect(moduleWith(code, DOUBLE)).toBeUndefined()
})

test.runIf(process.arch === 'x64')('the code asks for no more of an x64 than what each of them can since 2008', () => {
  const code = kept()
  expect(code.readUInt32LE(headerOf(code) + 8) & ~0xf).toBe(0)
})

test('code of another V8 is refused', () => {
  const code = kept()
  code.writeUInt32LE(code.readUInt32LE(8) + 1, 8)
  expect(moduleWith(code, DOUBLE)).toBeUndefined()
})

test('code of a V8 that compiles looks into memory in another way is refused: it might look beyond', () => {
  const code = kept()
  const last = headerOf(code) - 1
  code.writeUInt8(code.readUInt8(last) ^ 1, last)
  expect(moduleWith(code, DOUBLE)).toBeUndefined()
})
