import { chmodSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { launchBrowser } from '#kit/browser.ts'
import { client, type Client } from '#kit/client.ts'
import { API_ROOT } from '#http/server/server.ts'
import { create, newGroup } from '../api/examples/sessions.ts'
import { newExam } from '../api/examples/exams.ts'
import { median, type Measured, type Row } from './figures.ts'
import { Program } from './program.ts'
import { setUp } from './school.ts'
import type { Workbench } from './workbench.ts'

/** What families wait for: their page of a child after a term, and that of all who look when a result is published. */

const FAMILIES = 60
/** Of a term, twice a week. */
const LESSONS = 30
const EXAMS = 8
const PASSWORD = 'a phrase of my own'
const DAY_MILLIS = 86_400_000
const HOUR_MILLIS = 3_600_000
/** What a phone asks when the page of a child is opened. */
const asked = (studentId: string) => [
  '/auth/me',
  '/me/family',
  `/me/students/${studentId}`,
  '/me/notifications?limit=20',
]
const PUBLISHED_WITHIN_MILLIS = 2000
const SLOW_LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const SLOWER_TIMES = 4
const LOST_MILLIS = 30_000

const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MILLIS).toISOString()

interface Family {
  studentId: string
  email: string
  guardian: Client
}

const good = async (reply: ReturnType<Client['get']>) => {
  const { status, body } = await reply
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

/** A class after a term: each student has a guardian with an account, attendance, marks and two invoices. */
class Term {
  readonly #program: Program
  readonly families: readonly Family[]
  readonly #owner: Client
  readonly #groupId: string
  #published = EXAMS

  private constructor(parts: { program: Program; families: Family[]; owner: Client; groupId: string }) {
    this.#program = parts.program
    this.families = parts.families
    this.#owner = parts.owner
    this.#groupId = parts.groupId
  }

  get url(): string {
    return this.#program.url
  }

  static async open(executable: string, folder: string): Promise<Term> {
    const onOneCore = path.join(folder, 'on-one-core')
    writeFileSync(onOneCore, `#!/bin/sh\nexec taskset -c 0 ${executable} "$@"\n`)
    chmodSync(onOneCore, 0o755)
    const program = await Program.start(onOneCore, path.join(folder, 'data'))
    const owner = client(program.url).as(await setUp(program))
    const place = { owner, branchId: (await good(owner.get('/branches')))[0].id as string }
    const groupId = await newGroup(place)
    const families: Family[] = []
    for (let nth = 0; nth < FAMILIES; nth += 1)
      families.push(await Term.#newFamily(place, { groupId, nth, url: program.url }))
    const term = new Term({ program, families, owner, groupId })
    for (let lesson = 0; lesson < LESSONS; lesson += 1) await term.#teach(daysAgo(3 + lesson * 3))
    for (let exam = 0; exam < EXAMS; exam += 1) await term.#publish(`Unit ${exam + 1}`)
    return term
  }

  static async #newFamily(
    place: { owner: Client; branchId: string },
    { groupId, nth, url }: { groupId: string; nth: number; url: string },
  ): Promise<Family> {
    const { owner, branchId } = place
    const email = `guardian-${nth}@example.org`
    const studentId = await create(place, '/students', { branchId, firstName: 'Layan', lastName: `Haddad ${nth}` })
    await create(place, '/enrollments', { studentId, groupId, enrolledAt: daysAgo(120) })
    const named = { firstName: 'Huda', lastName: `Haddad ${nth}`, phone: `+97252${1_000_000 + nth}`, email }
    const guardianId = await create(place, '/guardians', named)
    const link = { guardianId, relationship: 'mother', isPrimary: true, isPayer: true }
    await good(owner.post(`/students/${studentId}/guardians`, link))
    for (let month = 0; month < 2; month += 1) {
      const lines = [{ description: 'Tuition', quantity: 1, unitAmountMinor: 45_000 }]
      const invoiceId = await create(place, '/invoices', { studentId, lines })
      await good(owner.post(`/invoices/${invoiceId}/issue`))
    }
    const { link: address } = await good(owner.post(`/guardians/${guardianId}/invite`))
    const token = new URL(address).searchParams.get('token')
    await good(client(url).post('/invitations/accept', { token, password: PASSWORD, fullName: `Huda Haddad ${nth}` }))
    const { accessToken } = await good(client(url).post('/auth/login', { email, password: PASSWORD, client: 'mobile' }))
    return { studentId, email, guardian: client(url).as(accessToken) }
  }

  async #teach(start: string): Promise<void> {
    const end = new Date(Date.parse(start) + HOUR_MILLIS).toISOString()
    const times = { scheduledStart: start, scheduledEnd: end }
    const id = await create({ owner: this.#owner }, `/groups/${this.#groupId}/sessions`, times)
    const entries = this.families.map(({ studentId }, nth) => ({
      studentId,
      status: nth % 7 === 0 ? 'absent' : 'present',
    }))
    await good(this.#owner.put(`/sessions/${id}/attendance`, { entries }))
  }

  async #publish(title: string): Promise<void> {
    const examId = await newExam({ owner: this.#owner, branchId: '' }, this.#groupId, { title })
    const results = this.families.map(({ studentId }, nth) => ({ studentId, score: nth % 20 }))
    await good(this.#owner.put(`/exams/${examId}/results`, { results }))
    await good(this.#owner.post(`/exams/${examId}/publish`))
  }

  /** A result is published, and all families look. @returns how long each of their requests took, in milliseconds */
  async look(): Promise<number[]> {
    await this.#publish(`Unit ${(this.#published += 1)}`)
    const waits: number[] = []
    await Promise.all(
      this.families.map(async ({ studentId, guardian }) => {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * PUBLISHED_WITHIN_MILLIS))
        await Promise.all(
          asked(studentId).map(async (address) => {
            const begun = performance.now()
            await good(guardian.get(address))
            waits.push(performance.now() - begun)
          }),
        )
      }),
    )
    return waits
  }

  close(): Promise<void> {
    return this.#program.stop()
  }
}

const share = (values: readonly number[], part: number): number =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * part) - 1] as number

const openTerm = async (bench: Workbench): Promise<Term> => Term.open(await bench.executable(), bench.emptyFolder())

const measureEvening = async (bench: Workbench, rounds: number): Promise<Measured> => {
  const term = await openTerm(bench)
  try {
    await term.look()
    const all: number[][] = []
    for (let round = 0; round < rounds; round += 1) all.push(await term.look())
    return { samples: all.map((waits) => ({ ours: share(waits, 0.95) })) }
  } finally {
    await term.close()
  }
}

/** From a tap on the child until the page of the term is painted. */
const openChild = (page: Page, studentId: string): Promise<number | null> =>
  page.evaluate<number | null>(`new Promise((resolve) => {
    const pressed = performance.now()
    const look = () => document.querySelector('main .card li') && document.querySelector('main nav')
      ? requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - pressed)))
      : performance.now() - pressed > ${LOST_MILLIS} ? resolve(null) : requestAnimationFrame(look)
    history.pushState(null, '', '/children/${studentId}')
    dispatchEvent(new PopStateEvent('popstate'))
    requestAnimationFrame(look)
  })`)

const measurePage = async (bench: Workbench, rounds: number): Promise<Measured> => {
  const term = await openTerm(bench)
  const browser = await launchBrowser({ isLighter: false })
  try {
    const samples: number[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const { email, studentId } = term.families[round] as Family
      const context = await browser.newContext({
        locale: 'ar',
        viewport: { width: 360, height: 740 },
        reducedMotion: 'reduce',
      })
      await context.request.post(`${term.url}${API_ROOT}/auth/login`, {
        data: { email, password: PASSWORD, client: 'web' },
      })
      const page = await context.newPage()
      const devtools = await context.newCDPSession(page)
      await devtools.send('Network.enable')
      await devtools.send('Network.emulateNetworkConditions', SLOW_LINE)
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER_TIMES })
      await page.goto(`${term.url}/inbox`, { timeout: LOST_MILLIS })
      await page.locator('main h1').waitFor({ timeout: LOST_MILLIS })
      const millis = await openChild(page, studentId)
      if (millis === null) throw new Error('the page of the child shows nothing')
      // The first one of a program that has just started is slower.
      if (round > 0) samples.push(millis)
      await context.close()
    }
    return { samples: samples.map((ours) => ({ ours })), below: [`median ${median(samples).toFixed(0)} ms`] }
  } finally {
    await browser.close()
    await term.close()
  }
}

const MILLIS = { against: '', unit: 'ms', better: 'lower' } as const

export const familyRows: readonly (Row & { measure: typeof measurePage })[] = [
  {
    ...MILLIS,
    name: 'family-page',
    what: 'a guardian opens a child after a term, on 1.6 Mbit/s and a processor four times slower',
    floor: 1000,
    goal: 700,
    measure: measurePage,
  },
  {
    ...MILLIS,
    name: 'families-at-eight',
    what: 'p95 of the requests of 60 guardians who look when a result is published, on one core',
    floor: 300,
    goal: 150,
    measure: measureEvening,
  },
]
