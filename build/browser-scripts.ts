import path from 'node:path'
import { buildSync } from 'esbuild'
import type { BrowserScript } from '../src/app/pages/browser-scripts.ts'

const bundled = (entry: string, format: 'iife' | 'esm'): Buffer => {
  const { outputFiles } = buildSync({
    absWorkingDir: path.resolve(import.meta.dirname, '..'),
    entryPoints: [entry],
    bundle: true,
    write: false,
    format,
    platform: 'browser',
    // The oldest browsers with constructed style sheets in all three engines.
    target: ['chrome103', 'firefox101', 'safari16.4'],
    minify: true,
    legalComments: 'none',
    logLevel: 'silent',
  })
  return Buffer.from(outputFiles[0]?.contents ?? [])
}

/** What browsers run of src, by the name of its asset. */
export const browserScripts: Readonly<Record<BrowserScript, () => Buffer>> = {
  // Runs as a classic script and as a module.
  'widget.js': () => bundled('src/widget/main.ts', 'iife'),
  'weak-passwords.js': () => bundled('src/kernel/weak-passwords.ts', 'esm'),
}
