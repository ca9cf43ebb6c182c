import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { chromium, type Browser, type Page } from 'playwright-core'
import { isNightly, volume } from './volume.ts'

const run = promisify(execFile)

const ROOT = join(import.meta.dirname, '..', '..')
const CACHE = join(ROOT, '.cache')
const FONTS = [
  { packageName: 'noto-sans', family: 'Noto Sans' },
  { packageName: 'noto-sans-arabic', family: 'Noto Sans Arabic' },
  { packageName: 'noto-sans-hebrew', family: 'Noto Sans Hebrew' },
]
const FONT_WEIGHTS = ['400Regular', '700Bold']

// The browser's package unpacks itself into TMPDIR, and unpacks its libraries only where the environment looks like
// Lambda. It reads both from the environment, so a separate process does it: this process's environment belongs to the
// tests.
const UNPACK = `import chromium from '@sparticuz/chromium'; await chromium.executablePath()`
const LAMBDA = 'AWS_Lambda_nodejs22.x'

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Much of what a page takes of the processor goes into a process of its own for drawing, and into compiling to machine
 * code what runs for a few seconds. What it shows and does is the same without. At night, and where its speed is measured,
 * the browser is as people have it.
 */
const LIGHTER = ['--in-process-gpu', '--js-flags=--no-maglev --no-turbofan']

const folderOf = (packageName: string, file: string): string =>
  dirname(createRequire(import.meta.url).resolve(`${packageName}${file}`))

/** Unpacks the browser once per version; of two processes, the first to finish wins. @returns its folder */
const unpackBrowser = async (): Promise<string> => {
  const source = join(folderOf('@sparticuz/chromium', ''), '..')
  const { version } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as { version: string }
  const home = join(CACHE, `chromium-${version}`)
  if (existsSync(home)) return home

  await mkdir(CACHE, { recursive: true })
  const draft = await mkdtemp(`${home}.`)
  try {
    await run(process.execPath, ['--input-type=module', '--eval', UNPACK], {
      cwd: ROOT,
      env: { ...process.env, TMPDIR: draft, AWS_EXECUTION_ENV: LAMBDA },
    })
    await rename(draft, home)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!existsSync(home)) throw error
  }
  return home
}

/** Writes a fontconfig file that names only the project's own fonts, so that pages look the same everywhere. */
export const writeFontConfig = async (home: string): Promise<string> => {
  const folders = FONTS.flatMap(({ packageName }) => {
    const folder = folderOf(`@expo-google-fonts/${packageName}`, '/package.json')
    return FONT_WEIGHTS.map((weight) => `  <dir>${join(folder, weight)}</dir>`)
  })
  const families = FONTS.map(({ family }) => `      <string>${family}</string>`)
  const file = join(home, 'fonts.conf')
  const draft = `${file}.${process.pid}`
  const lines = [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    '<fontconfig>',
    ...folders,
    `  <cachedir>${join(home, 'fontconfig-cache')}</cachedir>`,
    // The fallback fonts, in this order, for whatever family a page asks for.
    '  <match target="pattern">',
    '    <edit name="family" mode="append" binding="strong">',
    ...families,
    '    </edit>',
    '  </match>',
    '</fontconfig>',
  ]
  await writeFile(draft, lines.join('\n'))
  await rename(draft, file)
  return file
}

/**
 * Starts a headless Chromium with fonts for Latin, Arabic and Hebrew. The caller closes it.
 * @param options.isLighter see LIGHTER
 */
export const launchBrowser = async ({ isLighter = !isNightly } = {}): Promise<Browser> => {
  const home = await unpackBrowser()
  const fontConfig = await writeFontConfig(home)
  return chromium.launch({
    executablePath: join(home, 'chromium'),
    args: isLighter ? [...FLAGS, ...LIGHTER] : FLAGS,
    env: {
      ...process.env,
      // Without it, the browser calls a file whose name is beyond ASCII `download`.
      LC_ALL: 'C.UTF-8',
      FONTCONFIG_PATH: home,
      FONTCONFIG_FILE: fontConfig,
      LD_LIBRARY_PATH: join(home, 'al2023', 'lib'),
    },
  })
}

/** Saves a picture of the whole page as .cache/screenshots/<name>.png. @returns that path */
export const screenshot = async (page: Page, name: string): Promise<string> => {
  const path = join(CACHE, 'screenshots', `${name}.png`)
  await page.screenshot({ path, fullPage: true, scale: 'css' })
  return path
}

/**
 * Saves a picture for people to look at, where TEST_VOLUME=full asks for them: no test reads one, and they take a tenth of
 * the processor time of the browser's tests.
 */
export const keepPicture = async (page: Page, name: string): Promise<void> => {
  if (volume(false, true)) await screenshot(page, name)
}
