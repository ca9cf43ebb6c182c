import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { build, type Plugin } from 'esbuild'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The program in one file, which starts in a third of the processor time that its sources take. */
    program: string
    /** A script which, loaded before the program's sources, puts that file in their place. */
    takesPlace: string
  }
}

const ROOT = path.resolve(import.meta.dirname, '../..')

/** What finds files beside itself still finds them from inside the bundle. */
const ownFolders: Plugin = {
  name: 'own-folders',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path: file }) => ({
      contents: readFileSync(file, 'utf8').replaceAll('import.meta.dirname', JSON.stringify(path.dirname(file))),
      loader: 'ts',
    }))
  },
}

const takingPlaceOf = (main: string, program: string): string => `
  const { registerHooks } = require('node:module')
  const { pathToFileURL } = require('node:url')
  const main = pathToFileURL(${JSON.stringify(main)}).href
  const program = pathToFileURL(${JSON.stringify(program)}).href
  registerHooks({ resolve: (name, context, next) => next(name === main ? program : name, context) })
`

/** A vitest globalSetup that bundles the sources of the checkout, once per run. */
export const setup = async (project: Pick<TestProject, 'provide'>): Promise<() => void> => {
  // Inside the checkout, so that it finds the packages that stay outside the bundle.
  const cache = path.join(ROOT, '.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(path.join(cache, 'program-'))
  const outfile = path.join(folder, 'institute.cjs')
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['src/main.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 120,
    legalComments: 'none',
    external: ['argon2', 'better-sqlite3', 'pg-native', 'pino-pretty'],
    define: { 'import.meta.url': JSON.stringify(path.join('file://', ROOT, 'src/main.ts')) },
    plugins: [ownFolders],
    logLevel: 'warning',
  })
  const takesPlace = path.join(folder, 'takes-place.cjs')
  writeFileSync(takesPlace, takingPlaceOf(path.join(ROOT, 'src/main.ts'), outfile))
  project.provide('program', outfile)
  project.provide('takesPlace', takesPlace)
  return () => rmSync(folder, { recursive: true, force: true })
}
