import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, vi } from 'vitest'
import type { JobKind } from '#kernel/contract/module.ts'
import { Queue } from '#runtime/queue/queue.ts'
import { newWebhook } from '../api/examples/integrations.ts'
import { startApp, type TestApp } from './app.ts'
import { makeInstitute, type TestInstitute } from './institute.ts'
import { startReceiver, type WebhookReceiver } from './receiver.ts'

interface Identified {
  id: string
}

/** Deliveries are kept for 90 days: the tokens must outlive that. */
const TOKEN_SECONDS = 100 * 24 * 3600

/** One app for a file of webhook tests, and an institute with a receiver for each test that subscribes. */
class Subscriptions {
  app!: TestApp
  institute!: TestInstitute
  receiver!: WebhookReceiver

  /** Makes an institute with one endpoint for student.created, whose receiver answers with these statuses. */
  readonly subscribe = async (...statuses: number[]) => {
    this.institute = await makeInstitute(this.app)
    this.receiver = await startReceiver(...statuses)
    return newWebhook(this.institute, { url: this.receiver.url })
  }

  readonly endpointOf = async ({ id }: Identified) => (await this.institute.owner.get(`/webhooks/${id}`)).body

  readonly deliveriesOf = async ({ id }: Identified, query = '') =>
    (await this.institute.owner.get(`/webhooks/${id}/deliveries?limit=100${query}`)).body.data

  readonly replay = ({ id }: Identified, delivery: Identified) =>
    this.institute.owner.post(`/webhooks/${id}/deliveries/${delivery.id}/replay`)

  readonly switchTo = ({ id }: Identified, isActive: boolean) =>
    this.institute.owner.patch(`/webhooks/${id}`, { isActive })

  /** Waits until the receiver has got so many requests in total. */
  readonly arrived = async (count: number): Promise<void> => {
    await vi.waitFor(() => {
      const { length } = this.receiver.received
      if (length !== count) throw new Error(`${length} requests arrived, not ${count}`)
    })
  }

  /** A second worker on the same database. */
  readonly peer = (): Queue =>
    new Queue(this.app.app.runtime, {
      kinds: new Map<string, JobKind>(
        this.app.app.modules.flatMap(({ jobs = [] }) => jobs.map((kind) => [kind.name, kind])),
      ),
      log: pino({ level: 'silent' }),
      isOnlyProcess: false,
    })
}

/** Call it once, outside the tests. */
export const useSubscriptions = (): Subscriptions => {
  const at = new Subscriptions()
  beforeAll(async () => {
    at.app = await startApp({ config: { accessTokenSeconds: TOKEN_SECONDS } })
  })
  afterAll(() => at.app.close())
  afterEach(() => at.receiver.close())
  return at
}
