import { setFlagsFromString } from 'node:v8'
import initialize, { TypstCompilerBuilder, type TypstCompiler } from '@myriaddreamin/typst-ts-web-compiler'
import { goFirst } from '#executable/go-first.ts'
import { readAsset } from '#executable/assets.ts'
import { COMPILER, FONTS, TEMPLATE } from '#executable/paper-assets.ts'

/**
 * The process makes one paper for each message, until `end` or until its parent is gone. The compiler is WebAssembly: it has no files, no
 * network and no clock, and knows nothing but the template, the fonts and what a message brings.
 */
export type PaperQuestion = { paper: string; logo: Uint8Array | null } | 'end'
export type PaperAnswer = { pdf: Uint8Array<ArrayBuffer> } | { error: string }

const MAIN = '/paper.typ'
const LOGO = '/logo'
const PLAIN_TEXT = 2

/** What the compiler returns: a result or, for a template that fails, its messages. */
interface Compiled {
  result?: Uint8Array<ArrayBuffer>
  diagnostics?: readonly string[]
}

const open = async (): Promise<TypstCompiler> => {
  // A paper takes a tenth of what the compiler can do: functions are checked when they are first called.
  setFlagsFromString('--wasm-lazy-validation')
  await initialize({ module_or_path: readAsset(COMPILER) })
  const builder = new TypstCompilerBuilder()
  builder.set_dummy_access_model()
  for (const font of FONTS.keys()) await builder.add_raw_font(new Uint8Array(readAsset(font)))
  const compiler = await builder.build()
  compiler.add_source(MAIN, readAsset(TEMPLATE).toString())
  return compiler
}

goFirst()
const compiling = open()

const compile = (compiler: TypstCompiler, paper: string, hasLogo: boolean): Compiled =>
  compiler.compile(
    MAIN,
    [
      ['paper', paper],
      ['logo', hasLogo ? LOGO : ''],
    ],
    'pdf',
    PLAIN_TEXT,
  ) as Compiled

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
  if (logo) compiler.map_shadow(LOGO, logo)
  let compiled = compile(compiler, paper, logo !== null)
  // A logo that is no picture after all, or of a kind that the compiler does not read.
  if (!compiled.result && logo) compiled = compile(compiler, paper, false)
  return compiled.result ? { pdf: withDirection(compiled.result) } : { error: (compiled.diagnostics ?? []).join('\n') }
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
