import { defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { isNightly } from './kit/volume.ts'

const postgres = 'test/kit/postgres-setup.ts'

/**
 * The tests of requests that run on Postgres too: each endpoint and what it writes once, whatever happens at once, the
 * ledger and its sums, what somebody may read, search, the queue. Of all that the others ask of SQLite,
 * check-statements.ts proves that Postgres can prepare it. `npm test -- --nightly` runs them all on both.
 */
const ON_POSTGRES = [
  'test/api/every-endpoint/*.test.ts',
  'test/api/{absences,attendance,audit,branches,closures,course-categories,courses,covers,dashboard,exams,families,fees,groups,my-day,proposed-changes,rollover}/*.test.ts',
  'test/api/{billing,bookkeeping}/*.test.ts',
  'test/api/{people,person-file,plans,platform,progress-reports,reach,registrations,reports,runtime,schedule-conflicts,search,sessions,settings,setup,tenants,timetable,waiting-lists}/*.test.ts',
  'test/api/{billing,online-payments}/*.test.ts',
  'test/api/app/{brought,https-vendor,from-bucket,metrics,modules,server,stick,stopping,updates}.test.ts',
  'test/api/curriculum/{enrollments,order}.test.ts',
  'test/api/domains/domains.test.ts',
  'test/api/files/{at-once,class-files,completion}.test.ts',
  'test/api/http/list-files.test.ts',
  'test/api/identity/{account-races,invitation,lockout,login,member-sessions,passkeys,passwords,refresh,registration,second-factor,sessions,tenant}.test.ts',
  'test/api/directory/{contacts,directory}.test.ts',
  'test/api/export/content.test.ts',
  'test/api/imports/{at-once,families,readings,resumed,slices,year-start}.test.ts',
  'test/api/issuer/{lan-names,licenses}.test.ts',
  'test/api/leads/{conversion,known-phones,leads,public-day,public-registration,races}.test.ts',
  'test/api/members/{invitations,members,role-preview,roles}.test.ts',
  'test/api/notifications/{audiences,calls,crashes,digests,group-budget,notifications,pace,promises,quiet-hours,unreached}.test.ts',
  'test/api/oauth/{grants,token}.test.ts',
  'test/api/papers/{kept,originals}.test.ts',
  'test/api/webhooks/{deliveries,endpoint-state,webhooks}.test.ts',
]

/**
 * Of these files, those whose subject is a declaration, parsing, arithmetic, the scope of a query, an index that both engines
 * are given by one declaration, a connection, or the steps of a job.
 */
const SQLITE_ONLY = [
  'test/api/billing/sums.test.ts',
  'test/api/closures/crashes.test.ts',
  'test/api/every-endpoint/{contract,generated-clients,openapi,openapi-examples}.test.ts',
  'test/api/every-endpoint/{broken-cursors,credentials,crossing,fuzz,hostile-size,own-account,query-plans,tenant-states,walk-refusals}.test.ts',
]

/** They replace a module of the program or of Node for themselves. */
const REPLACING = ['test/ports/{files-on-disk,lone-steps}.test.ts']

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
    expect: { poll: { timeout: 10_000 } },
    // One more than cores, because files also wait: for a process, a browser, a time limit.
    maxWorkers: 3,
    // The files that a worker runs share what they import: to start a worker and to load the program anew for each would
    // take half of their time. What a file starts it starts for itself, and closes.
    isolate: false,
    projects: [
      project('unit', ['test/unit/**/*.test.ts', 'test/build/**/*.test.ts'], { isNative: false }),
      project('api-sqlite', ['test/api/**/*.test.ts'], { env: { TEST_ENGINE: 'sqlite' } }),
      project('api-postgres', isNightly ? ['test/api/**/*.test.ts'] : ON_POSTGRES, {
        env: { TEST_ENGINE: 'postgres' },
        globalSetup: postgres,
        exclude: isNightly ? [] : SQLITE_ONLY,
      }),
      project('ports', ['test/ports/**/*.test.ts'], { globalSetup: postgres, exclude: REPLACING }),
      project('ports-alone', REPLACING, { globalSetup: postgres, isolate: true, isNative: false }),
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
  /**
   * Whether Node itself loads the files, as it loads the program, with the compiled code that all processes share. Vite does
   * where there is JSX, or a module is replaced. Default: true.
   */
  isNative?: boolean
  env?: { TEST_ENGINE: 'sqlite' | 'postgres' }
  globalSetup?: string
  setupFiles?: string[]
  isolate?: boolean
  exclude?: string[]
  retry?: { count: number; condition: RegExp }
}

function project(
  name: string,
  include: string[],
  { isNative = true, ...options }: ProjectOptions = {},
): TestProjectConfiguration {
  const experimental = { viteModuleRunner: !isNative, nodeLoader: false }
  return { extends: true, test: { name, include, experimental, ...options } }
}
