import path from 'node:path'
import { buildSync } from 'esbuild'
import type { BrowserScript } from '../src/app/pages/browser-scripts.ts'

/**
 * What the oldest browsers read that pages for families are for: Chromium 92, Firefox 91, Safari 15.4. What they lack of
 * built-ins no bundler adds: test/unit/oldest-browsers.test.ts looks for it.
 */
const FAMILIES = ['es2021']

/** The registration form says itself that a browser is too old, as far as that can read it at all. */
const WIDGET = ['es2017']

const bundled = (entry: string, format: 'iife' | 'esm', target: string[]): Buffer => {
  const { outputFiles } = buildSync({
    absWorkingDir: path.resolve(import.meta.dirname, '..'),
    entryPoints: [entry],
    bundle: true,
    write: false,
    format,
    platform: 'browser',
    target,
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
  })
  return Buffer.from(outputFiles[0]?.contents ?? [])
}

/** What browsers run beside the console, by the name of its asset. */
export const browserScripts = {
  // Runs as a classic script and as a module.
  'widget.js': () => bundled('src/widget/main.ts', 'iife', WIDGET),
  'weak-passwords.js': () => bundled('src/kernel/who/weak-passwords.ts', 'esm', FAMILIES),
  'push-worker.js': () => bundled('src/console/push-worker.ts', 'iife', FAMILIES),
} satisfies Readonly<Record<BrowserScript, () => Buffer>>
