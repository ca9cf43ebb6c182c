import { defineConfig, type TestProjectConfiguration } from 'vitest/config'

const postgres = 'test/kit/postgres-setup.ts'

/**
 * The files that a worker runs share what they import: to load the program and to compile it anew for each would take
 * half of their time. What a file starts it starts for itself, and closes.
 */
const together = { isolate: false }

export default defineConfig({
  test: {
    pool: 'forks',
    // Two cores that are busy with the other worker: what takes longer than this hangs.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
    projects: [
      project('unit', ['test/unit/**/*.test.ts', 'test/build/**/*.test.ts']),
      project('api-sqlite', ['test/api/**/*.test.ts'], { ...together, env: { TEST_ENGINE: 'sqlite' } }),
      project('api-postgres', ['test/api/**/*.test.ts'], {
        ...together,
        env: { TEST_ENGINE: 'postgres' },
        globalSetup: postgres,
        // Of declarations, of connections and pages, and of what is refused before the database is asked: the same on
        // both engines.
        exclude: [
          'test/api/{clients,contract-operations,guide,openapi,openapi-examples}.test.ts',
          'test/api/{connections,hostile-size,large-files,media,pages,tls,walk-refusals}.test.ts',
        ],
      }),
      project('ports', ['test/ports/**/*.test.ts'], { globalSetup: postgres }),
      project('upgrade', ['test/upgrade/**/*.test.ts'], { globalSetup: postgres }),
      project('cli', ['test/cli/**/*.test.ts'], { globalSetup: 'test/cli/bundle-setup.ts' }),
      // These two run dist/institute, which `npm run package` makes.
      project('binary', ['test/binary/**/*.test.ts'], {
        testTimeout: 60_000,
        hookTimeout: 60_000,
        globalSetup: 'test/binary/bare-debian-setup.ts',
      }),
      project('browser', ['test/browser/**/*.test.ts'], { testTimeout: 60_000, hookTimeout: 60_000 }),
    ],
  },
})

interface ProjectOptions {
  env?: { TEST_ENGINE: 'sqlite' | 'postgres' }
  globalSetup?: string
  isolate?: boolean
  exclude?: string[]
  testTimeout?: number
  hookTimeout?: number
}

function project(name: string, include: string[], options: ProjectOptions = {}): TestProjectConfiguration {
  return { extends: true, test: { name, include, ...options } }
}
