import { defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const postgres = 'test/kit/postgres-setup.ts'

/** Tests of requests that one engine is enough for. */
const SQLITE_ONLY = [
  // Tests of declarations, of connections and pages, and of refusals before the database is asked: the same on both
  // engines.
  'test/api/app/{console,guide,pages,proxies,tls}.test.ts',
  'test/api/every-endpoint/{contract,generated-clients,openapi,openapi-examples}.test.ts',
  'test/api/every-endpoint/{hostile-size,walk-refusals}.test.ts',
  'test/api/http/{connections,large-files,media}.test.ts',
  // Tests of the traffic with other servers, of limits that the program counts itself, and of refusals after a read. Other
  // tests run the same statements on both engines.
  'test/api/every-endpoint/tenant-states.test.ts',
  'test/api/leads/{captcha,public-limits}.test.ts',
  'test/api/licensing/{clocks,conversation}.test.ts',
  'test/api/mail/{mail,settings}.test.ts',
  'test/api/notifications/{mail-trouble,table}.test.ts',
  'test/api/papers/{read-back,turns}.test.ts',
  'test/api/setup/mail.test.ts',
]

/**
 * Files of one project come after those of another. The last ones are short, so that no worker waits for others: those
 * that build executables come before them all.
 */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- no array sorts here
    const sorted = await super.sort(files)
    const isLong = (file: TestSpecification): boolean =>
      file.project.name === 'upgrade' || file.moduleId.includes('/test/build/')
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongFilesFirst },
    pool: 'forks',
    // On slow cores that are busy with the other workers the longest take half of this: what takes longer hangs.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // One more than cores, because files also wait: for a process, a browser, a time limit.
    maxWorkers: 3,
    // The files that a worker runs share what they import: to start a worker and to load the program anew for each would
    // take half of their time. What a file starts it starts for itself, and closes.
    isolate: false,
    projects: [
      project('unit', ['test/unit/**/*.test.ts', 'test/build/**/*.test.ts']),
      project('api-sqlite', ['test/api/**/*.test.ts'], { env: { TEST_ENGINE: 'sqlite' } }),
      project('api-postgres', ['test/api/**/*.test.ts'], {
        env: { TEST_ENGINE: 'postgres' },
        globalSetup: postgres,
        // Of declarations, of connections and pages, and of what is refused before the database is asked: the same on
        // both engines.
        exclude: SQLITE_ONLY,
      }),
      // Some of them replace a module for themselves.
      project('ports', ['test/ports/**/*.test.ts'], { globalSetup: postgres, isolate: true }),
      project('upgrade', ['test/upgrade/**/*.test.ts'], { globalSetup: postgres }),
      project('cli', ['test/cli/**/*.test.ts'], {
        globalSetup: 'test/cli/bundle-setup.ts',
        setupFiles: ['test/cli/folder-setup.ts'],
      }),
      // It runs dist/institute, which `npm run package` makes, and loads little of the program itself.
      project('binary', ['test/binary/**/*.test.ts'], {
        isolate: true,
        globalSetup: 'test/binary/bare-debian-setup.ts',
      }),
      project('browser', ['test/browser/**/*.test.ts'], {
        // On busy cores a page ends now and then in a trap of the browser itself while its window changes size.
        // Nothing but that is tried again.
        retry: { count: 1, condition: /: Target crashed/ },
      }),
    ],
  },
})

interface ProjectOptions {
  env?: { TEST_ENGINE: 'sqlite' | 'postgres' }
  globalSetup?: string
  setupFiles?: string[]
  isolate?: boolean
  exclude?: string[]
  retry?: { count: number; condition: RegExp }
}

function project(name: string, include: string[], options: ProjectOptions = {}): TestProjectConfiguration {
  return { extends: true, test: { name, include, ...options } }
}
