/**
 * Bundles the console, the pages for the people of an institute, and the pages beside it, for browsers: what they share
 * is loaded once. `node build/console.ts` prints the files as JSON, in base64: a checkout runs it when somebody opens a page.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { build, type Metafile, type Plugin } from 'esbuild'
import type { Locale } from '../src/shared/locale.ts'
import { BESIDE_CONSOLE, type PageName, type PageStart } from '../src/app/pages/console-files.ts'

const root = path.resolve(import.meta.dirname, '..')

/** The style sheets of pages beside the console that have more than all of them. */
const STYLE_OF: Readonly<Partial<Record<PageName, string>>> = {
  authorize: 'signed-in',
  license: 'signed-in',
  wizard: 'wizard',
}

/** What each page begins with, and its style sheet. */
const PAGES: readonly { name: PageName; script: string; style: string }[] = [
  { name: 'console', script: 'src/console/main.tsx', style: 'src/console/style/console.css' },
  ...BESIDE_CONSOLE.map((name) => ({
    name,
    script: `web-setup/pages/${name}.tsx`,
    style: `web-setup/style/${STYLE_OF[name] ?? 'setup'}.css`,
  })),
]

/**
 * The libraries of the parts speak thirty languages; the console three. Without the texts of a language, a page in it ends
 * with `Could not find intl message`.
 */
const SPOKEN = /\/(?:ar-AE|he-IL|en-US)\.[a-z]+$/
/** The hidden button that closes what lies over a page is called “Ignore” there, in the imperative. */
const CLOSING: Readonly<Record<string, string>> = { he: 'סגירה', ar: 'إغلاق' }
const OVERLAYS = /\/overlays\/(he|ar)-[A-Z]{2}\.[a-z]+$/
const otherLanguages: Plugin = {
  name: 'other languages',
  setup: ({ onLoad }) => {
    const texts =
      /[\\/](?:@react-aria|@react-stately|react-aria-components|react-aria|react-stately)[\\/].*[\\/][a-z]{2}-[A-Z]{2}\.(?:mjs|js|cjs|json)$/
    onLoad({ filter: texts }, ({ path: file }) => {
      const name = file.replaceAll('\\', '/')
      const closing = CLOSING[OVERLAYS.exec(name)?.[1] ?? '']
      if (closing !== undefined)
        return { contents: `export default ${JSON.stringify({ dismiss: closing })}`, loader: 'js' }
      return SPOKEN.test(name) ? undefined : { contents: 'export default {}', loader: 'js' }
    })
  },
}

/** What several entries import together, so that it is one chunk. */
interface Group {
  /** Paths in the checkout, or modules of packages. */
  files: readonly string[]
  /** The files that import all of it. */
  importedBy: RegExp
}

const MODULE = /\.tsx?$/
const within = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((name) => MODULE.test(name) && !name.endsWith('.d.ts'))
    .toSorted()
const inConsole = (...names: string[]): string[] => names.map((name) => `src/console/${name}`)

/** Parts of a page that are loaded for some of those who sign in. */
const SOME_SIGN_IN_BY = /\/sign-in\/(?:code|passkey)-step\.|\/(?:passkey|forgot-password)\./
const SCREEN = String.raw`src/console/(?:signed-in|screens/.*)\.tsx`
const BESIDE = String.raw`web-setup/pages/(?:[a-z-]+|wizard/(?:already|done|move|steps))\.tsx`

/**
 * esbuild makes a chunk for each set of entries that share a file. Hundreds of those were smaller than 4 KB, and a page
 * asked for forty of them. So entries import whole groups: each is one chunk, in which the bundler keeps only what some
 * entry uses.
 */
const GROUPS: readonly Group[] = [
  {
    // What all pages begin with.
    files: [
      'src/shared/isolate.ts',
      'src/shared/locale.ts',
      ...inConsole('fills.ts', 'api/passkey-known.ts', 'api/problem.ts', 'api/session.ts'),
      ...['button', 'field', 'form', 'icon', 'loaded', 'notice', 'page', 'problem-notice'].map(
        (name) => `src/console/parts/${name}.tsx`,
      ),
      ...inConsole('shell/alone.tsx', 'shell/brand.tsx', 'shell/later.tsx', 'shell/root.tsx', 'shell/theme.ts'),
      ...inConsole('shell/sign-in/known-email.ts', 'words/language.tsx', 'words/plural.ts'),
    ],
    importedBy: new RegExp(
      `^(?:src/console/(?:main\\.tsx|api/passkey\\.ts|shell/sign-in/(?:code|passkey)-step\\.tsx|words/[a-z]{2}/(?:first|index)\\.ts)|web-setup/words/[a-z]{2}/.*\\.ts|${SCREEN}|${BESIDE})$`,
    ),
  },
  {
    // What asks the server, on all pages but the one to sign in.
    files: inConsole('api/send.ts', 'parts/mailbox.ts', 'words/browser-zone.ts'),
    importedBy: new RegExp(`^(?:${SCREEN}|${BESIDE})$`),
  },
  {
    // What the wizard does without at first.
    files: inConsole(
      ...['bounds', 'client', 'random', 'intents/intent', 'intents/use-intents'].map((name) => `api/${name}.ts`),
      'parts/facts.tsx',
      'shell/now.ts',
    ),
    importedBy: new RegExp(`^(?:${SCREEN}|(?!web-setup/pages/wizard\\.tsx)${BESIDE})$`),
  },
  {
    files: [
      'src/console/api/send.ts',
      ...['parts/own-words.ts', 'parts/step.tsx', 'parts/told-form.tsx', 'start.tsx'].map(
        (name) => `web-setup/${name}`,
      ),
    ],
    importedBy: new RegExp(`^${BESIDE}$`),
  },
  {
    // What the later steps of the wizard share with screens.
    files: [
      'src/console/api/send-file.ts',
      ...['choose', 'told'].map((name) => `src/console/parts/${name}.tsx`),
      'react-aria-components/FileTrigger',
    ],
    importedBy: new RegExp(`^(?:${SCREEN}|web-setup/pages/wizard/(?:move|steps)\\.tsx)$`),
  },
  ...(['ar', 'en', 'he'] as const).map((language) => ({
    files: ['mail', 'refusals'].map((name) => `src/console/words/${language}/${name}.ts`),
    importedBy: new RegExp(
      `^(?:src/console/words/${language}/index|web-setup/words/${language}/(?:authorize|license|wizard-steps))\\.ts$`,
    ),
  })),
  {
    // What screens share.
    files: ['api', 'parts', 'records', 'shell']
      .flatMap((folder) => within(`src/console/${folder}`))
      .filter((name) => !SOME_SIGN_IN_BY.test(name)),
    importedBy: new RegExp(`^${SCREEN}$`),
  },
]
const groups: Plugin = {
  name: 'one chunk for what entries share',
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^group:\d+$/ }, ({ path: name }) => ({ path: name.slice(6), namespace: 'group' }))
    onLoad({ filter: /./, namespace: 'group' }, ({ path: at }) => ({
      contents: (GROUPS[Number(at)]?.files ?? [])
        .map((file) => `import '${MODULE.test(file) ? './' : ''}${file}'`)
        .join('\n'),
      resolveDir: root,
    }))
    onLoad({ filter: /[\\/](?:src[\\/]console|web-setup)[\\/].*\.tsx?$/ }, ({ path: file }) => {
      const name = path.relative(root, file).replaceAll('\\', '/')
      const imported = GROUPS.flatMap(({ importedBy }, at) => (importedBy.test(name) ? [`import 'group:${at}'`] : []))
      if (imported.length === 0) return undefined
      const loader = name.endsWith('x') ? 'tsx' : 'ts'
      return { contents: [readFileSync(file, 'utf8'), ...imported].join('\n'), loader }
    })
  },
}

/** Those that pages for families are for. The console shares its chunks with them, and needs newer ones (`Needs`). */
const OLDEST = ['chrome92', 'firefox91', 'safari15.4']

/** The chunks that the script imports before it runs, with those that they import. */
const firstChunks = (outputs: Metafile['outputs'], entry: string): string[] => {
  const found = new Set<string>()
  const visit = (file: string): void => {
    for (const { kind, path: imported } of outputs[file]?.imports ?? []) {
      if (kind !== 'import-statement' || found.has(imported)) continue
      found.add(imported)
      visit(imported)
    }
  }
  visit(entry)
  return [...found].map((file) => path.basename(file))
}

/**
 * Their names change with their bytes, so that browsers may keep them for good.
 * @param options.hasParts with the page at `/parts`, which shows what pages are made of
 * @returns by name, with `start.json`, which says what the page loads first
 */
export async function consoleFiles({ hasParts = false } = {}): Promise<Map<string, Buffer>> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...new Set(PAGES.flatMap(({ script, style }) => [script, style]))],
    bundle: true,
    splitting: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    platform: 'browser',
    target: OLDEST,
    minify: true,
    charset: 'utf8',
    metafile: true,
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"', HAS_PARTS: String(hasParts) },
    plugins: [otherLanguages, groups],
    outdir: 'out',
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    logLevel: 'silent',
  })
  const outputs = Object.entries(metafile.outputs)
  const builtFrom = (source: string): string => outputs.find(([, { entryPoint }]) => entryPoint === source)?.[0] ?? ''
  const startOf = ({ name, script, style }: (typeof PAGES)[number]): PageStart => {
    const modules = firstChunks(metafile.outputs, builtFrom(script))
    const wordsIn = (language: Locale): string[] => {
      const words = builtFrom(`src/console/words/${language}/first.ts`)
      return [path.basename(words), ...firstChunks(metafile.outputs, words)].filter((chunk) => !modules.includes(chunk))
    }
    return {
      script: path.basename(builtFrom(script)),
      style: path.basename(builtFrom(style)),
      modules,
      ...(name === 'console' && { words: { ar: wordsIn('ar'), en: wordsIn('en'), he: wordsIn('he') } }),
    }
  }
  const start = Object.fromEntries(PAGES.map((page) => [page.name, startOf(page)]))
  return new Map([
    ...outputFiles.map((file) => [path.basename(file.path), Buffer.from(file.contents)] as const),
    ['start.json', Buffer.from(JSON.stringify(start))] as const,
  ])
}

/** They go over slow lines as they are kept. The highest level takes eight seconds for all, and saves 7 % more than the ninth. */
export const compressForBrowsers = (bytes: Buffer): Promise<Buffer> =>
  promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } })

if (import.meta.main) {
  const files = [...(await consoleFiles({ hasParts: true }))].map(([name, bytes]) => [name, bytes.toString('base64')])
  process.stdout.write(JSON.stringify(Object.fromEntries(files)))
}
