import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { build, type Plugin } from 'esbuild'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The program in one file, which starts in a third of the processor time that its sources take. */
    program: string
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
  project.provide('program', outfile)
  return () => rmSync(folder, { recursive: true, force: true })
}
