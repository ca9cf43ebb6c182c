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

/**
 * esbuild makes a chunk for each set of screens that share a file. Seventy of those were smaller than 4 KB, and a page asked
 * for forty of them. So each screen imports all that screens may share: that is one chunk, in which the bundler keeps only
 * what some screen uses.
 */
const SCREEN = /[\\/]src[\\/]console[\\/](?:signed-in|screens[\\/].*)\.tsx$/
const SHARED = ['api', 'parts', 'records', 'shell']
const oneShared: Plugin = {
  name: 'one chunk for what screens share',
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^shared$/ }, ({ path: name }) => ({ path: name, namespace: 'shared' }))
    onLoad({ filter: /./, namespace: 'shared' }, () => ({
      contents: SHARED.flatMap((folder) =>
        readdirSync(path.join(root, 'src/console', folder), { recursive: true, encoding: 'utf8' })
          .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
          .toSorted()
          .map((name) => `import './src/console/${folder}/${name}'`),
      ).join('\n'),
      resolveDir: root,
    }))
    onLoad({ filter: SCREEN }, ({ path: file }) => ({
      contents: `${readFileSync(file, 'utf8')}\nimport 'shared'`,
      loader: 'tsx',
    }))
  },
}

/**
 * The same of what all pages begin with, and of what those beside the console share: each a chunk, where it was a dozen of
 * a few hundred bytes.
 */
const BESIDE = /[\\/]web-setup[\\/]pages[\\/](?:[a-z-]+|wizard[\\/](?:already|done|steps))\.tsx$/
const FIRST = [
  ...['isolate', 'locale'].map((name) => `../shared/${name}.ts`),
  ...['passkey-known', 'problem', 'session'].map((name) => `api/${name}.ts`),
  ...['button', 'field', 'form', 'icon', 'loaded', 'notice', 'page', 'problem-notice'].map(
    (name) => `parts/${name}.tsx`,
  ),
  ...['alone', 'brand', 'later', 'root'].map((name) => `shell/${name}.tsx`),
  'shell/sign-in/known-email.ts',
  'shell/theme.ts',
  'words/language.tsx',
]
const BESIDE_SHARED = [
  '../src/console/api/send.ts',
  'parts/own-words.ts',
  'parts/step.tsx',
  'parts/told-form.tsx',
  'start.tsx',
]
const begun: Plugin = {
  name: 'one chunk for what pages begin with',
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^(?:first|beside)$/ }, ({ path: name }) => ({ path: name, namespace: 'begun' }))
    onLoad({ filter: /./, namespace: 'begun' }, ({ path: name }) => ({
      contents: (name === 'first'
        ? FIRST.map((file) => `import './src/console/${file}'`)
        : BESIDE_SHARED.map((file) => `import './web-setup/${file}'`)
      ).join('\n'),
      resolveDir: root,
    }))
    onLoad(
      {
        filter:
          /[\\/]src[\\/]console[\\/](?:main\.tsx|shell[\\/]sign-in[\\/](?:code|passkey)-step\.tsx|api[\\/]passkey\.ts)$/,
      },
      ({ path: file }) => ({
        contents: `${readFileSync(file, 'utf8')}\nimport 'first'`,
        loader: 'tsx',
      }),
    )
    onLoad({ filter: BESIDE }, ({ path: file }) => ({
      contents: `${readFileSync(file, 'utf8')}\nimport 'first'\nimport 'beside'`,
      loader: 'tsx',
    }))
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
    plugins: [otherLanguages, oneShared, begun],
    outdir: 'out',
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    logLevel: 'silent',
  })
  const outputs = Object.entries(metafile.outputs)
  const builtFrom = (source: string): string => outputs.find(([, { entryPoint }]) => entryPoint === source)?.[0] ?? ''
  const startOf = ({ script, style }: (typeof PAGES)[number]): PageStart => ({
    script: path.basename(builtFrom(script)),
    style: path.basename(builtFrom(style)),
    modules: firstChunks(metafile.outputs, builtFrom(script)),
  })
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
