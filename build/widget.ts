import path from 'node:path'
import { buildSync } from 'esbuild'

/** Bundles the registration form of src/widget into one script that runs as a classic script and as a module. */
export const bundleWidget = (): Buffer => {
  const { outputFiles } = buildSync({
    absWorkingDir: path.resolve(import.meta.dirname, '..'),
    entryPoints: ['src/widget/main.ts'],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    // The oldest browsers with constructed style sheets in all three engines.
    target: ['chrome103', 'firefox101', 'safari16.4'],
    minify: true,
    legalComments: 'none',
    logLevel: 'silent',
  })
  return Buffer.from(outputFiles[0]?.contents ?? [])
}
