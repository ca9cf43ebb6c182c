import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Engine } from '#db/database.ts'
import { launchBrowser } from '#kit/browser.ts'
import { idAt, text } from '#kit/fill-sql.ts'
import { OWNER } from '#kit/setup.ts'
import { API_ROOT } from '#http/server/server.ts'
import { drive, eachOnce, requestBytes } from './client.ts'
import { median, type Measured, type Row } from './figures.ts'
import type { LargeInstitute } from './large-institute.ts'
import type { Measure } from './rounds.ts'
import type { Workbench } from './workbench.ts'

/** How fast the console shows what somebody looks for in an institute of 200,000 students, with the browser's part. */

/** Between two letters of somebody who types fast. */
const LETTER_MILLIS = 70

/** What is typed into Find. Each finds something. */
const TYPED = {
  'two letters': 'da',
  'two letters that few have': '77',
  'a name': 'dana levi',
  'the middle of a name': 'evi 777',
  'a phone': '050-1000777',
  'a number': 'S-150777',
  Arabic: 'حداد',
  Hebrew: 'כהן 77',
}

const signedIn = async (browser: Browser, { program }: LargeInstitute): Promise<BrowserContext> => {
  const context = await browser.newContext({
    locale: 'en',
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
  })
  const data = { email: OWNER.email, password: OWNER.password, client: 'web' }
  await context.request.post(`${program.url}${API_ROOT}/auth/login`, { data })
  return context
}

/**
 * Notes when the last letter came, and when what it found is painted: the page says how much that is to those who do not
 * see it, and nothing while it is not known.
 */
const WATCH = `(() => {
  const watched = { typed: 0, shown: 0 }
  window.watched = watched
  document.querySelector('[role=combobox]').addEventListener('input', () => {
    watched.typed = performance.now()
    watched.shown = 0
  })
  const status = document.querySelector('.finder [role=status]')
  new MutationObserver(() => requestAnimationFrame(() => setTimeout(() => {
    watched.shown = status.textContent === '' ? 0 : performance.now()
  }))).observe(status, { characterData: true, childList: true, subtree: true })
})()`

/** @returns from the last letter until what it found is painted, in milliseconds */
const find = async (page: Page, typed: string): Promise<number> => {
  await page.getByRole('combobox').fill('')
  await page.keyboard.type(typed, { delay: LETTER_MILLIS })
  const millis = await page.evaluate<number>(`new Promise((resolve) => {
    const look = () => watched.shown > watched.typed ? resolve(watched.shown - watched.typed) : setTimeout(look, 20)
    look()
  })`)
  if ((await page.getByRole('option').count()) === 0) throw new Error(`${typed} finds nothing`)
  return millis
}

/** Measures each kind in so many rounds. The figure of a round is that of its slowest kind. */
const slowestOf = async (kinds: Readonly<Record<string, () => Promise<number>>>, rounds: number): Promise<Measured> => {
  const told = Object.entries(kinds).map(([name, measure]) => ({ name, measure, millis: [] as number[] }))
  for (let round = 0; round < rounds; round += 1) {
    for (const { measure, millis } of told) millis.push(await measure())
  }
  return {
    samples: Array.from({ length: rounds }, (_, round) => ({
      ours: Math.max(...told.map(({ millis }) => millis[round] as number)),
    })),
    below: told.map(
      ({ name, millis }) =>
        `${name.padEnd(30)} ${median(millis).toFixed(0).padStart(5)} ms  (${Math.min(...millis).toFixed(0)}-${Math.max(...millis).toFixed(0)})`,
    ),
  }
}

const inBrowser = async <T>(institute: LargeInstitute, measure: (page: Page) => Promise<T>): Promise<T> => {
  const browser = await launchBrowser({ isLighter: false })
  try {
    const context = await signedIn(browser, institute)
    return await measure(await context.newPage())
  } finally {
    await browser.close()
  }
}

const finding =
  (engine: Engine): Measure =>
  async (bench, rounds) => {
    const institute = await bench.largeInstitute(engine)
    return inBrowser(institute, async (page) => {
      await page.goto(`${institute.program.url}/find`)
      await page.getByRole('combobox').waitFor()
      await page.evaluate(WATCH)
      const kinds = Object.entries(TYPED).map(([name, typed]) => [name, () => find(page, typed)] as const)
      return slowestOf(Object.fromEntries(kinds), rounds)
    })
  }

/** As long as a list may take before it counts as broken. */
const LOST_MILLIS = 10_000

/** A place of the console, until its first rows are painted. */
const openList = async (page: Page, { url }: LargeInstitute['program'], to: string): Promise<number> => {
  await page.goto(`${url}/inbox`)
  await page.locator('.rail a[href="/students"]').waitFor()
  const millis = await page.evaluate<number | null>(`new Promise((resolve) => {
    const pressed = performance.now()
    const look = () => document.querySelector('main .card > ul > li, main li.invoice-line')
      ? requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - pressed)))
      : performance.now() - pressed > ${LOST_MILLIS} ? resolve(null) : requestAnimationFrame(look)
    history.pushState(null, '', ${JSON.stringify(to)})
    dispatchEvent(new PopStateEvent('popstate'))
    look()
  })`)
  if (millis === null) throw new Error(`${to} shows nothing`)
  return millis
}

/** How many pages of invoices are turned, one after the other. */
const TURNED = 60

/** @returns what the browser holds after the first page of invoices and after the last that was turned, in bytes */
const heapsOfPages = async (page: Page, { url }: LargeInstitute['program']): Promise<[first: number, last: number]> => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable')
  const heap = async (): Promise<number> => {
    await devtools.send('HeapProfiler.collectGarbage')
    const { metrics } = await devtools.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0
  }
  await page.goto(`${url}/invoices`)
  await page.locator('li.invoice-line').first().waitFor()
  const first = await heap()
  for (let turned = 2; turned <= TURNED; turned += 1) {
    await page.locator('.pager button').last().click()
    await page.locator('.pager [aria-current]', { hasText: String(turned) }).waitFor()
    await page.locator('main ul[aria-busy=false]').waitFor()
  }
  return [first, await heap()]
}

const LISTS = {
  students: '/students',
  'students, newest first': '/students?sort=newest',
  groups: '/groups',
  invoices: '/invoices',
  'overdue invoices': '/invoices?status=overdue',
  'invoices by due date': '/invoices?sort=due',
  'invoices of a student’s number': '/invoices?q=S-150777',
  'invoices of a name': '/invoices?q=levi%20777',
}

const lists =
  (engine: Engine): Measure =>
  async (bench, rounds) => {
    const institute = await bench.largeInstitute(engine)
    return inBrowser(institute, async (page) => {
      const kinds = Object.entries(LISTS).map(
        ([name, to]) => [name, () => openList(page, institute.program, to)] as const,
      )
      const measured = await slowestOf(Object.fromEntries(kinds), rounds)
      const [first, last] = (await heapsOfPages(page, institute.program)).map((bytes) => (bytes / 2 ** 20).toFixed(1))
      return {
        ...measured,
        below: [
          ...(measured.below ?? []),
          `the browser holds ${first} MB after a page of invoices, ${last} after ${TURNED}`,
        ],
      }
    })
  }

/** The sessions of a week, in groups of fifteen that meet twice. */
const OF_A_WEEK = 26_000
const REQUESTS = 20
const DAY_MINUTES = 24 * 60

const week = async (
  bench: Workbench,
  engine: Engine,
): Promise<{ institute: LargeInstitute; from: string; to: string }> => {
  const institute = await bench.largeInstitute(engine)
  const { words, tenantId, run } = institute
  const first = new Date(new Date().toISOString().slice(0, 10)).getTime()
  const minutes = (first - Date.UTC(2020, 0, 1)) / 60_000
  const begins = `${minutes} + (n % 6) * ${DAY_MINUTES} + 420 + (n % 40) * 15`
  await run(
    words.insert('session', OF_A_WEEK, {
      id: words.nthId('session', `n + ${OF_A_WEEK}`),
      tenant_id: words.uuid(text(tenantId)),
      group_id: words.nthId('group', 'n / 2 + 10'),
      scheduled_start: words.nthInstant(begins),
      scheduled_end: words.nthInstant(`${begins} + 90`),
      status: text('scheduled'),
      created_at: words.nthInstant('n'),
      updated_at: words.nthInstant('n'),
    }),
  )
  // As the database does by itself after a while.
  if (engine === 'postgres') await run('analyze session')
  const dayAfter = (days: number): string => new Date(first + days * DAY_MINUTES * 60_000).toISOString().slice(0, 10)
  return { institute, from: dayAfter(0), to: dayAfter(6) }
}

/** GET /sessions for a week, one request after the other. */
const weeks =
  (engine: Engine): Measure =>
  async (bench, rounds) => {
    const { institute, from, to } = await week(bench, engine)
    const { callers, ids, program } = institute
    const token = callers.owner.credential as string
    const asked = {
      all: '',
      'of a branch': `&branchId=${ids.branches[0]}`,
      'of a teacher': `&teacherStaffId=${idAt('staff', 2)}`,
      'of a group': `&groupId=${idAt('group', 777)}`,
    }
    const kinds = Object.entries(asked).map(([name, filter]) => {
      const request = requestBytes('GET', `${API_ROOT}/sessions?from=${from}&to=${to}&limit=100${filter}`, { token })
      const requests = Array.from({ length: REQUESTS }, () => request)
      const measure = async () => median((await drive(program.url, eachOnce(requests), 1)).latencies)
      return [name, measure] as const
    })
    return slowestOf(Object.fromEntries(kinds), rounds)
  }

const lower = { against: '', unit: 'ms', better: 'lower' } as const

const rowsOn = (engine: Engine, suffix: string): (Row & { measure: Measure })[] => [
  {
    ...lower,
    name: `find${suffix}`,
    what: `Find in the browser, from the last letter to what is shown, 200,000 students (${engine})`,
    floor: 400,
    goal: 200,
    measure: finding(engine),
  },
  {
    ...lower,
    name: `open-list${suffix}`,
    what: `a list opened in the browser, 200,000 students and as many invoices (${engine})`,
    floor: 400,
    goal: 200,
    measure: lists(engine),
  },
  {
    ...lower,
    name: `week${suffix}`,
    what: `100 sessions of a week of ${OF_A_WEEK.toLocaleString('en')} (${engine})`,
    floor: 20,
    goal: 10,
    measure: weeks(engine),
  },
]

export const consoleRows = [...rowsOn('sqlite', ''), ...rowsOn('postgres', '-postgres')]
