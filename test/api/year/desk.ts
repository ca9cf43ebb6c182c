import type { TestApp } from '#kit/app.ts'
import type { Client, Reply } from '#kit/client.ts'
import { dayOf, instantOf } from './days.ts'
import type { Moment, School } from './facts.ts'

/** The office: it asks the program over HTTP, at its own times of the day, and keeps what it did in the facts. */
export class Desk {
  readonly school: School
  readonly #app: TestApp
  readonly #client: Client
  requests = 0

  constructor(app: TestApp, { client, branchId, zone }: { client: Client; branchId: string; zone: string }) {
    this.#app = app
    this.#client = client
    this.school = {
      zone,
      branches: [branchId],
      terms: [],
      students: [],
      groups: [],
      enrollments: [],
      pauses: [],
      closures: [],
      fees: [],
      discounts: [],
      siblings: [],
      bills: [],
      marks: [],
    }
  }

  get now(): string {
    return this.#app.clock.now()
  }

  get today(): string {
    return dayOf(this.now, this.school.zone)
  }

  /** What is done without naming a day counts from this moment. */
  get moment(): Moment {
    return { day: this.today, instant: this.now }
  }

  goTo(day: string, time: string): void {
    this.#app.clock.set(instantOf(day, time, this.school.zone))
  }

  drain(): Promise<number> {
    return this.#app.drain()
  }

  /** @throws for what the program refuses: the office asks for nothing that it must not */
  // oxlint-disable-next-line typescript/no-explicit-any -- the second computation says what it expects to find
  async ask(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<any> {
    this.requests += 1
    const reply = await this.#client.send(method, path, body === undefined ? {} : { body })
    if (reply.status < 300) return reply.body
    throw new Error(
      `${this.today}: ${method} ${path} ${JSON.stringify(body)}: ${reply.status} ${JSON.stringify(reply.body)}`,
    )
  }

  /** For what may be refused. */
  send(path: string, body: unknown): Promise<Reply> {
    this.requests += 1
    return this.#client.send('POST', path, { body })
  }

  /** All pages of a list. */
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  async all(path: string): Promise<any[]> {
    const rows = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page = await this.ask(
        'GET',
        `${path}${path.includes('?') ? '&' : '?'}limit=100${cursor && `&cursor=${cursor}`}`,
      )
      rows.push(...page.data)
      cursor = page.nextCursor
    }
    return rows
  }
}
