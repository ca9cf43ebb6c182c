/**
 * `node paper-code.ts make CODE`: makes papers of each kind and language, and writes the machine code of what the compiler used
 * for them. Without it the first paper takes three times as long, and the next twenty five times, while V8 compiles.
 * It runs in a process of its own, on an x64 processor with the options FOR_EVERY_X64, so that the code runs on every one.
 *
 * `node paper-code.ts try CODE` fails where V8 refuses that code.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { COMPILER, paperAssets } from '../src/executable/paper-assets.ts'
import type { Block, Paper } from '../src/ports/papers/port.ts'
import { compilePaper, openCompiler } from '../src/ports/papers/typst/compiler.ts'
import { compileModule, machineCodeOf, moduleWith } from '../src/ports/papers/typst/machine-code.ts'

const [, , task, codeFile = ''] = process.argv

/** Each function is compiled at its first call, as fast as it can be, and by itself: what others do meanwhile leaves no mark. */
const ALL_AT_ONCE = ['--no-liftoff', '--no-wasm-inlining']
/** Those under which the code is kept, as the executable reads it. */
const AS_USUAL = ['--liftoff', '--wasm-inlining']

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** In each language words, a name in the letters of another one, and a picture. */
const WORDS = {
  ar: ['فاتورة', 'طالب', 'درس في اللغة'],
  he: ['חשבונית', 'תלמיד', 'שיעור בשפה'],
  en: ['Invoice', 'Student', 'A lesson of language'],
} as const
const NAMES = ['Dana Levi', 'يوسف حدّاد', 'נועה כהן 🎹']

const blocks = ([title, student, lesson]: readonly [string, string, string], isLong: boolean): Block[] => [
  {
    kind: 'facts',
    facts: NAMES.map((name, index) => ({
      label: `${student} ${index}`,
      value: `\u2068${name}\u2069\n\u206604-123-4567\u2069`,
    })),
  },
  {
    kind: 'table',
    title,
    columns: [
      { head: lesson, align: 'start', width: 'share' },
      { head: student, align: 'center', width: 'content' },
      { head: title, align: 'right', width: 'content' },
    ],
    // Of more than a page, once.
    rows: Array.from({ length: isLong ? 60 : 3 }, (_, index) => [
      `\u2068${lesson} ${index}\u2069`,
      `\u2068${NAMES[index % NAMES.length]}\u2069`,
      `\u2066₪${index},250.50\u2069`,
    ]),
  },
  {
    kind: 'sums',
    sums: [
      { label: title, value: '\u2066₪1,250.50\u2069' },
      { label: lesson, value: '\u2066$20.00\u2069' },
    ],
  },
  { kind: 'text', title, text: `\u2068${NAMES.join(' ')}\u2069\n${lesson}` },
  { kind: 'words', text: lesson },
  { kind: 'signatures', labels: [student, title] },
]

const papers = Object.entries(WORDS).flatMap(([locale, words]) =>
  [false, true].flatMap((isWide): Paper[] =>
    (['a4', '80mm'] as const).map((size) => ({
      locale: locale as Paper['locale'],
      size,
      isWide,
      title: words[0],
      number: '\u2066INV-2026-000301\u2069',
      date: '2026-11-24',
      mark: isWide ? words[0] : null,
      note: isWide ? null : words[1],
      letterhead: { name: `\u2068${words[2]}\u2069`, lines: [words[1], words[2]], color: isWide ? '#0f766e' : null },
      blocks: blocks(words, isWide && size === 'a4'),
      footer: words[2],
      pageWords: [words[0], words[1], words[2]],
    })),
  ),
)

const wasm = readFileSync(path.resolve(import.meta.dirname, '..', paperAssets.get(COMPILER) ?? ''))

const make = async (): Promise<void> => {
  for (const option of ALL_AT_ONCE) setFlagsFromString(option)
  const module = compileModule(wasm)
  const compiler = await openCompiler(module)
  for (const logo of [PIXEL, null]) {
    for (const paper of papers) {
      const { result, diagnostics = [] } = compilePaper(compiler, JSON.stringify(paper), logo)
      if (!result) throw new Error(diagnostics.join('\n'))
    }
  }
  for (const option of AS_USUAL) setFlagsFromString(option)
  writeFileSync(codeFile, machineCodeOf(module))
}

if (task === 'make') await make()
else if (!moduleWith(readFileSync(codeFile), wasm)) throw new Error('V8 refuses its own code')
