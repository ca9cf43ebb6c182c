import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, zstdCompressSync } from 'node:zlib'
import { build } from 'esbuild'
import { checkoutAssets, isZstd } from '../src/executable/assets.ts'
import { commit, version } from '../src/executable/version.ts'
import { addonPlugin } from './addons.ts'
import { browserScripts } from './browser-scripts.ts'
import { compressForBrowsers, consoleFiles } from './console.ts'
import { escapedPlugin } from './escaped-packages.ts'
import { latePlugin } from './late-packages.ts'
import { addonAssets, type Target } from './targets.ts'

const root = path.resolve(import.meta.dirname, '..')

/**
 * Bundles the program and the scripts of its threads and child processes, each into one CommonJS file that needs nothing from node_modules, and
 * copies the assets to the same folder.
 * @param entry the entry module of the program, relative to the checkout
 * @param folder the output folder, as an absolute path
 * @param target the platform whose addons it gets
 * @returns the files that the executable contains besides `institute.cjs`: asset name → path relative to `folder`
 */
export async function bundle(entry: string, folder: string, target: Target): Promise<Record<string, string>> {
  await bundleOne(entry, path.join(folder, 'institute.cjs'))
  /** Threads compress with Brotli what is for browsers, while this one does the rest with zstd, which is as long. */
  const made: [name: string, bytes: () => Buffer | Promise<Buffer>][] = []
  for (const [name, file] of Object.entries(addonAssets(target)))
    made.push([name, () => compressOnce(readFileSync(path.join(root, file)))])
  for (const [name, file] of checkoutAssets()) {
    const bytes = readFileSync(path.join(root, file))
    made.push([name, () => (isZstd(name) ? compressOnce(bytes) : compress(bytes))])
  }
  for (const [name, script] of Object.entries(browserScripts)) made.push([name, () => compress(script())])
  for (const [name, bytes] of await consoleFiles()) made.push([`console/${name}`, () => compressForBrowsers(bytes)])
  for (const script of globSync('**/*.{worker,process}.ts', { cwd: path.join(root, 'src') }).toSorted()) {
    const bundled = path.join(folder, 'scripts', `${script}.cjs`)
    await bundleOne(path.join('src', script), bundled)
    made.push([`scripts/${script}`, () => compress(readFileSync(bundled))])
  }
  const begun = new Map(made.filter(([name]) => !isZstd(name)).map(([name, bytes]) => [name, bytes()]))
  const assets: Record<string, string> = {}
  for (const [name, bytes] of made) {
    assets[name] = path.join('assets', name)
    const file = path.join(folder, assets[name])
    mkdirSync(path.dirname(file), { recursive: true })
    // oxlint-disable-next-line no-await-in-loop -- they have all begun
    writeFileSync(file, await (begun.get(name) ?? bytes()))
  }
  return assets
}

/** One level below the maximum, which takes ten times as long and saves a tenth more. */
const compress = (bytes: Buffer): Promise<Buffer> =>
  promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })

/** Takes seconds for some megabytes, and is unpacked in milliseconds. */
export const compressZstd = (bytes: Buffer): Buffer => zstdCompressSync(bytes, ZSTD)

const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 19, [constants.ZSTD_c_windowLog]: 25 } }

/** What seldom changes may take its time: a quarter of a minute, once in a checkout. */
function compressOnce(bytes: Buffer): Buffer {
  const made = createHash('sha256')
    .update(process.versions.zstd ?? '')
    .update(JSON.stringify(ZSTD))
    .update(bytes)
  const kept = path.join(root, '.cache/compressed', made.digest('hex'))
  if (existsSync(kept)) return readFileSync(kept)
  const compressed = compressZstd(bytes)
  mkdirSync(path.dirname(kept), { recursive: true })
  // Several may package at once, and a process may die while it writes.
  const incoming = `${kept}.${process.pid}`
  writeFileSync(incoming, compressed)
  renameSync(incoming, kept)
  return compressed
}

/** Treats warnings of the bundler as errors: what they warn about works in a checkout and fails in the executable. */
async function bundleOne(entry: string, outfile: string): Promise<void> {
  const { warnings } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    // Removes code that only a checkout needs. Names stay, and lines stay short enough for stack traces.
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 120,
    // LICENSE-NOTICE contains them.
    legalComments: 'none',
    // pg's optional libpq driver, which is not installed.
    external: ['pg-native'],
    // Programs with a code cache do not support import() at run time.
    supported: { 'dynamic-import': false },
    define: {
      INSTITUTE_VERSION: JSON.stringify(version),
      INSTITUTE_COMMIT: JSON.stringify(commit()),
      'import.meta.dirname': '__dirname',
      // node-cron reads its own location on import, for a feature (background tasks) that this program does not use.
      'import.meta.url': 'importMetaUrl',
    },
    banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(process.execPath).href" },
    // To name whoever calls something deprecated it takes a stack apart, for which V8 counts the lines of the bundle:
    // 10 ms of each start. The package has a silent form, for browsers.
    alias: { depd: 'depd/lib/browser/index.js' },
    plugins: [addonPlugin, latePlugin, escapedPlugin],
    logLevel: 'silent',
  })
  if (warnings.length > 0) {
    const list = warnings.map(({ text, location }) => `${location?.file ?? entry}:${location?.line ?? 0} ${text}`)
    throw new Error(`The bundler warns:\n${list.join('\n')}`)
  }
  const [character] = /[^\p{ASCII}].{0,20}/u.exec(readFileSync(outfile, 'utf8')) ?? []
  if (character !== undefined) {
    throw new Error(
      `One character beyond ASCII doubles what ${entry} takes in memory: ${character}. ` +
        'The bundler escapes all but those in tagged templates: give it as a value there.',
    )
  }
}
