import { initSync, TypstCompilerBuilder, type TypstCompiler } from '@myriaddreamin/typst-ts-web-compiler'
import { readAsset } from '#executable/assets.ts'
import { FONTS, TEMPLATE } from '#executable/paper-assets.ts'

const MAIN = '/paper.typ'
const LOGO = '/logo'
const PLAIN_TEXT = 2

/** What the compiler returns: a result or, for a template that fails, its messages. */
interface Compiled {
  result?: Uint8Array<ArrayBuffer>
  diagnostics?: readonly string[]
}

/**
 * The compiler is WebAssembly: it has no files, no network and no clock, and knows nothing but the template, the fonts and
 * what is given to it.
 */
export const openCompiler = async (module: WebAssembly.Module): Promise<TypstCompiler> => {
  // The other way to begin asks whether the module comes from the network, for which Node loads its client: 30 ms.
  initSync({ module })
  const builder = new TypstCompilerBuilder()
  builder.set_dummy_access_model()
  for (const font of FONTS.keys()) await builder.add_raw_font(new Uint8Array(readAsset(font)))
  const compiler = await builder.build()
  compiler.add_source(MAIN, readAsset(TEMPLATE).toString())
  return compiler
}

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

/** @param paper as JSON */
export const compilePaper = (compiler: TypstCompiler, paper: string, logo: Uint8Array | null): Compiled => {
  if (logo) compiler.map_shadow(LOGO, logo)
  const compiled = compile(compiler, paper, logo !== null)
  // A logo that is no picture after all, or of a kind that the compiler does not read.
  return !compiled.result && logo ? compile(compiler, paper, false) : compiled
}
