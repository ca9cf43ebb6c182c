import { setFlagsFromString } from 'node:v8'
import type { TypstCompiler } from '@myriaddreamin/typst-ts-web-compiler'
import { goFirst } from '#executable/go-first.ts'
import { hasAsset, readAsset } from '#executable/assets.ts'
import { COMPILER, MACHINE_CODE } from '#executable/paper-assets.ts'
import { compilePaper, openCompiler } from './compiler.ts'
import { compileModule, COMPILES, moduleWith } from './machine-code.ts'

/** The process makes one paper for each message, until `end` or until its parent is gone. */
export type PaperQuestion = { paper: string; logo: Uint8Array | null } | 'end'
export type PaperAnswer = { pdf: Uint8Array<ArrayBuffer> } | { error: string }

const moduleOf = (wasm: Buffer<ArrayBuffer>): WebAssembly.Module => {
  const isKept = hasAsset(MACHINE_CODE) && process.argv.at(-1) !== COMPILES
  const module = isKept ? moduleWith(readAsset(MACHINE_CODE), wasm) : undefined
  if (module) return module
  // A paper takes a tenth of what the compiler can do: functions are checked when they are first called.
  setFlagsFromString('--wasm-lazy-validation')
  return compileModule(wasm)
}

goFirst()
const compiling = openCompiler(moduleOf(readAsset(COMPILER)))

/**
 * A paper in Arabic or Hebrew says that its pages go from right to left. Chrome then takes every line for one from right to
 * left, and copies INV-2026-000301 as -2026-000301INV. It finds the direction of a line of text by itself.
 */
const RIGHT_TO_LEFT = '/Direction /R2L'
const LEFT_TO_RIGHT = '/Direction /L2R'

const withDirection = (pdf: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
  const at = bytes.lastIndexOf(RIGHT_TO_LEFT)
  if (at >= 0) bytes.write(LEFT_TO_RIGHT, at, 'latin1')
  return pdf
}

const answer = (compiler: TypstCompiler, { paper, logo }: Exclude<PaperQuestion, 'end'>): PaperAnswer => {
  const { result, diagnostics = [] } = compilePaper(compiler, paper, logo)
  return result ? { pdf: withDirection(result) } : { error: diagnostics.join('\n') }
}

const make = async (question: Exclude<PaperQuestion, 'end'>): Promise<void> => {
  // A parent that is gone needs no paper: the process ends by its `disconnect`.
  process.send?.(answer(await compiling, question), undefined, undefined, () => {})
}

process.once('disconnect', () => process.exit())
process.on('message', (question: PaperQuestion) => {
  if (question === 'end') process.disconnect()
  // What the compiler throws leaves it unusable: the process ends, and the next paper starts another one.
  else void make(question)
})
