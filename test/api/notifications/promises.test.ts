import fc from 'fast-check'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JobKind } from '#kernel/contract/module.ts'
import { localDate, localInstant, weekdayOf } from '#kernel/time/zone.ts'
import { sweepNotificationsJob } from '#modules/notifications/outbox/sweep.ts'
import { MailError } from '#ports/mail/port.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { Queue } from '#runtime/queue/queue.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { engine, startApp, type TestApp } from '#kit/app.ts'
import type { Reply } from '#kit/client.ts'
import { makeInstitute, type TestInstitute, type TestMember } from '#kit/institute.ts'
import { GENERIC, startTextProviders } from '#kit/text-providers.ts'
import { volume } from '#kit/volume.ts'

/**
 * What an owner is promised, over weeks of random events, wishes, clock changes, moves of the institute, failures of the
 * mail server, outages, and of leaving and coming back: an event is told once over each channel or is in the log with
 * the reason why not, digests come when they are due, and what is off stays silent.
 */

const RUNS = Number(process.env.NOTIFICATION_RUNS ?? (engine === 'postgres' ? 5 : volume(20, 40)))
const SEED = Number(process.env.NOTIFICATION_SEED ?? 20_260_302)

const CHANNELS = ['in_app', 'email', 'sms'] as const
type ChannelName = (typeof CHANNELS)[number]
const MODES = ['immediate', 'daily', 'weekly'] as const
const ZONES = ['Asia/Jerusalem', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata'] as const
const HOUR = 3600
const DIGEST = 'Your messages from'
/** The longest text message that Twilio takes. */
const LONGEST_TEXT = 1600

interface Wish {
  enabled: boolean
  digestMode: (typeof MODES)[number]
}

/** Something that reached the member, and when. */
interface Arrival {
  channel: ChannelName
  at: string
  text: string
  isDigest: boolean
  /** The mail server refused it before. */
  isLate: boolean
}

let app: TestApp
let texting: Awaited<ReturnType<typeof startTextProviders>>
let mailServer: 'works' | 'busy' | 'refuses' = 'works'
let whileMailing: (() => Promise<unknown>) | undefined
const refused = new Set<string | undefined>()
const arrivals: (Arrival & { to: string })[] = []

beforeAll(async () => {
  texting = await startTextProviders()
  app = await startApp({
    chance: true,
    config: { accessTokenSeconds: 365 * 24 * HOUR, refreshTokenSeconds: 365 * 24 * HOUR },
    outbound: texting.outbound,
    openMailer: () => ({
      send: async ({ id, to, subject, text }) => {
        if (mailServer !== 'works') {
          refused.add(id)
          throw new MailError('The mail server refuses.', mailServer === 'refuses', 'refused')
        }
        const isDigest = subject.startsWith(DIGEST)
        arrivals.push({ channel: 'email', at: app.clock.now(), to, text, isDigest, isLate: refused.has(id) })
        await whileMailing?.()
        return { answer: 'taken', passwordUnused: false }
      },
      close: async () => {},
    }),
  })
})
afterAll(async () => {
  await app.close()
  texting.close()
})

const readTexts = (): void => {
  for (const { to, text } of texting.texted.splice(0)) {
    const words = text ?? ''
    const at = app.clock.now()
    arrivals.push({ channel: 'sms', at, to, text: words, isDigest: words.startsWith(DIGEST), isLate: false })
  }
}

const drain = async (): Promise<void> => {
  await app.drain()
  readTexts()
}

/** Moves the clock from job to job, so that each runs when it is due. */
const pass = async (seconds: number): Promise<void> => {
  const end = app.clock.millis() + seconds * 1000
  for (;;) {
    const { next } = await app.app.database.read
      .selectFrom('job')
      .select(({ fn }) => fn.min('run_at').as('next'))
      .where('state', '=', 'queued')
      .executeTakeFirstOrThrow()
    if (next === null || Date.parse(next) > end) break
    app.clock.advance(Math.max(0, Date.parse(next) - app.clock.millis()) / 1000)
    await drain()
  }
  app.clock.advance((end - app.clock.millis()) / 1000)
  await drain()
}

const change = (work: Parameters<typeof runInTransaction<void>>[2]): Promise<void> =>
  runInTransaction(app.app.runtime, systemAuditContext('test'), work)

const sweep = (): Promise<void> => change(async (unit) => unit.system().enqueue(sweepNotificationsJob, {}))

const done = async (asked: Promise<Reply>): Promise<void> => {
  const { status, body } = await asked
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
}

const PHONE = '+972501234567'

/** One institute with a member who is told, and what they were promised. */
class Life {
  readonly #institute: TestInstitute
  readonly #member: TestMember
  readonly #wishes = new Map<ChannelName, Wish>()
  /** What happened while they were a member, with the channels that were off. */
  readonly #heard = new Map<string, Set<ChannelName>>()
  /** Channels by the instants from which on they are off or on. */
  readonly #switched: { at: string; channel: ChannelName; wish: Wish }[] = []
  /** The instants at which a digest may come although it is not 07:00. */
  readonly #anyTime = new Set<string>()
  readonly #zones: { at: string; zone: string }[]
  #isMember = true

  constructor(institute: TestInstitute, member: TestMember) {
    this.#institute = institute
    this.#member = member
    this.#zones = [{ at: app.clock.now(), zone: institute.tenant.timezone }]
    for (const channel of CHANNELS) this.#wishes.set(channel, { enabled: true, digestMode: 'immediate' })
  }

  async happen(count: number): Promise<void> {
    await change(async (unit) => {
      const tx = unit.tenant(this.#institute.tenant, 'all')
      for (let n = 0; n < count; n += 1) {
        const reason = `Number ${tx.id()}!`
        const off = CHANNELS.filter((channel) => !this.#wishes.get(channel)?.enabled)
        if (this.#isMember) this.#heard.set(reason, new Set(off))
        tx.emit('tenant.locked', { subscriptionId: null, reason, source: 'manual' })
      }
    })
    await drain()
  }

  async wish(channel: ChannelName, wish: Wish): Promise<void> {
    if (!this.#isMember) return
    await done(this.#member.put('/notification-preferences', { preferences: [{ channel, ...wish }] }))
    this.#wishes.set(channel, wish)
    this.#switched.push({ at: app.clock.now(), channel, wish })
    if (wish.digestMode === 'immediate') this.#anyTime.add(app.clock.now())
    await drain()
  }

  async move(zone: string): Promise<void> {
    await done(this.#institute.owner.patch('/settings', { timezone: zone }))
    this.#zones.push({ at: app.clock.now(), zone })
  }

  async belong(isMember: boolean): Promise<void> {
    const status = isMember ? 'active' : 'disabled'
    await done(this.#institute.owner.patch(`/members/${this.#member.membershipId}`, { status }))
    this.#isMember = isMember
  }

  /** The server is off: nothing runs meanwhile. */
  async outage(seconds: number): Promise<void> {
    app.clock.advance(seconds)
    this.#anyTime.add(app.clock.now())
    await drain()
  }

  #zoneAt(at: string): string {
    return this.#zones.findLast((one) => one.at <= at)?.zone as string
  }

  /** What of the wishes held at an instant; a change at that very instant may have come before or after. */
  #wishesAt(channel: ChannelName, at: string): Wish[] {
    const changes = this.#switched.filter((one) => one.channel === channel)
    const before = changes.findLast((one) => one.at < at)?.wish ?? { enabled: true, digestMode: 'immediate' }
    return [before, ...changes.filter((one) => one.at === at).map(({ wish }) => wish)]
  }

  async #arrived(): Promise<Arrival[]> {
    const { data } = (await this.#member.get('/me/notifications?limit=100')).body
    const inbox = data.map(({ createdAt, body, templateKey }: Record<string, string>) => ({
      channel: 'in_app',
      at: createdAt,
      text: body,
      isDigest: templateKey === 'digest',
      isLate: false,
    }))
    const addresses = [`user-${this.#member.userId}@example.org`, PHONE]
    return [...arrivals.filter(({ to }) => addresses.includes(to)), ...inbox]
  }

  /** Ends the life, and holds everything that was promised against what happened. @returns the promises that are broken */
  async end(): Promise<{ broken: string[]; arrived: Arrival[] }> {
    mailServer = 'works'
    await this.belong(true)
    // A week for a weekly digest, and another one where the institute has moved to where this Sunday's 07:00 is over.
    await pass(15 * 24 * HOUR)
    const arrived = await this.#arrived()
    const broken = [
      ...(await this.#brokenInLog(arrived)),
      ...this.#brokenTimes(arrived),
      ...(await this.#miscounted(arrived)),
    ]
    return { broken, arrived }
  }

  /** Each event is in the log once for each channel, and arrives once where the log says so. */
  async #brokenInLog(arrived: readonly Arrival[]): Promise<string[]> {
    const rows = await app.app.database.read
      .selectFrom('notification')
      .select(['channel', 'status', 'reason', 'body', 'template_key'])
      .where('tenant_id', '=', this.#institute.tenant.id)
      .where('recipient_id', '=', this.#member.userId)
      .execute()
    const broken = rows
      .filter(({ status, reason }) => status === 'queued' || (status === 'sent') !== (reason === null))
      .map(({ channel, status, reason }) => `${channel} stays ${status}, ${reason}`)
    // That mails do not go out is no event, and told in the app alone.
    const parts = rows.filter((row) => !['digest', 'mails.stuck'].includes(row.template_key))
    if (parts.length !== this.#heard.size * CHANNELS.length) broken.push(`the log has ${parts.length} messages`)
    for (const [reason, off] of this.#heard) {
      for (const channel of CHANNELS) {
        const [row, ...more] = parts.filter((one) => one.channel === channel && one.body.includes(reason))
        const copies = arrived
          .filter((one) => one.channel === channel)
          .reduce((sum, { text }) => sum + text.split(reason).length - 1, 0)
        const isTold = more.length === 0 && copies === (row?.status === 'sent' ? 1 : 0)
        if (!isTold) broken.push(`${channel}: ${reason} is ${row?.status} and arrived ${copies} times`)
        if (off.has(channel) && !row?.reason?.includes('switched this channel off'))
          broken.push(`${channel}: ${reason} was off, and is ${row?.status}, ${row?.reason}`)
      }
    }
    return broken
  }

  /** What counts against the plan is what went out. */
  async #miscounted(arrived: readonly Arrival[]): Promise<string[]> {
    const usage = await app.app.database.read
      .selectFrom('notification_usage')
      .select(['channel', 'messages'])
      .where('tenant_id', '=', this.#institute.tenant.id)
      .execute()
    const owner = `user-${this.#institute.ownerUserId}@example.org`
    const out = [...arrived, ...arrivals.filter(({ to }) => to === owner)]
    return (['email', 'sms'] as const).flatMap((channel) => {
      const used = usage.filter((one) => one.channel === channel).reduce((sum, { messages }) => sum + messages, 0)
      const went = out.filter((one) => one.channel === channel).length
      return used === went ? [] : [`${channel}: ${went} messages count as ${used}`]
    })
  }

  #brokenTimes(arrived: readonly Arrival[]): string[] {
    const broken: string[] = []
    const lengths = new Map<string, number>()
    for (const { channel, at, text, isDigest, isLate } of arrived) {
      const wishes = this.#wishesAt(channel, at)
      const wants = (mode: Wish['digestMode']) => wishes.some(({ digestMode }) => digestMode === mode)
      if (!wishes.some(({ enabled }) => enabled)) broken.push(`${channel} at ${at}, when it was off`)
      if (channel === 'sms' && text.length > LONGEST_TEXT) broken.push(`a text message of ${text.length} characters`)
      // Refused before, it may come at any time, and after the wish has changed.
      if (isLate) continue
      if (!isDigest) {
        if (!wants('immediate')) broken.push(`${channel} at ${at}, by itself`)
        continue
      }
      if (this.#anyTime.has(at)) continue
      const zone = this.#zoneAt(at)
      const day = localDate(at, zone)
      const isDue = wants('daily') || (wants('weekly') && weekdayOf(day) === 0)
      if (at !== localInstant(day, '07:00', zone) || !isDue) broken.push(`a digest over ${channel} at ${at}`)
      // What one text message has no room for goes in a second one.
      const before = lengths.get(`${channel} ${zone} ${day}`)
      const isSecond = before !== undefined && (channel !== 'sms' || before + text.length <= LONGEST_TEXT)
      if (isSecond) broken.push(`a second digest over ${channel} on ${day}`)
      lengths.set(`${channel} ${zone} ${day}`, text.length)
    }
    return broken
  }
}

/** Begins a life at an instant, in a zone. */
const begin = async (now: string, timezone: string) => {
  app.clock.set(now)
  mailServer = 'works'
  arrivals.length = 0
  const institute = await makeInstitute(app, { timezone, features: { sms_notifications: true } })
  const member = await institute.member({ role: 'owner' })
  const { url, token } = GENERIC
  await institute.owner.put('/notification-providers/sms', { provider: 'https', url, token })
  await done(member.patch('/me', { phone: PHONE }))
  return { institute, member, life: new Life(institute, member) }
}

type Act = (life: Life) => Promise<void>
const act = <T>(
  name: string,
  given: fc.Arbitrary<T>,
  does: (life: Life, value: T) => Promise<void>,
): fc.Arbitrary<Act> =>
  given.map((value) =>
    Object.assign((life: Life) => does(life, value), { [fc.toStringMethod]: () => `${name} ${fc.stringify(value)}` }),
  )

const wish = fc.record({ enabled: fc.boolean(), digestMode: fc.constantFrom(...MODES) })
const acts = fc.oneof(
  { weight: 5, arbitrary: act('happen', fc.integer({ min: 1, max: 3 }), (life, count) => life.happen(count)) },
  {
    weight: 4,
    arbitrary: act('wish', fc.tuple(fc.constantFrom(...CHANNELS), wish), (life, [channel, wanted]) =>
      life.wish(channel, wanted),
    ),
  },
  {
    weight: 5,
    arbitrary: act('pass', fc.constantFrom(60, HOUR, 7 * HOUR, 24 * HOUR, 72 * HOUR), (_, seconds) => pass(seconds)),
  },
  { weight: 1, arbitrary: act('outage', fc.constantFrom(HOUR, 30 * HOUR), (life, seconds) => life.outage(seconds)) },
  { weight: 1, arbitrary: act('move', fc.constantFrom(...ZONES), (life, zone) => life.move(zone)) },
  { weight: 2, arbitrary: act('belong', fc.boolean(), (life, isMember) => life.belong(isMember)) },
  {
    weight: 2,
    arbitrary: act('mail server', fc.constantFrom('works', 'busy', 'refuses'), async (_, how) => {
      mailServer = how
    }),
  },
  {
    weight: 1,
    arbitrary: act('sweep', fc.constant(2), async (_, times) => {
      for (let n = 0; n < times; n += 1) await sweep()
      await drain()
    }),
  },
  {
    weight: 2,
    arbitrary: act('workers', fc.constant(3), async (life, count) => {
      const peer = new Queue(app.app.runtime, { kinds, log: pino({ level: 'silent' }), isOnlyProcess: false })
      await Promise.all([life.happen(count), peer.drain(), peer.drain()])
      await drain()
    }),
  },
)
const kinds = new Map<string, JobKind>()

test('each event is told once or says why not, digests come when they are due, and what is off stays silent', async () => {
  for (const kind of app.app.modules.flatMap(({ jobs = [] }) => jobs)) kinds.set(kind.name, kind)
  const start = fc.constantFrom('2026-03-25T09:00:00.000Z', '2026-10-23T20:30:00.000Z', '2026-07-01T06:59:00.000Z')
  const zone = fc.constantFrom(...ZONES)
  await fc.assert(
    fc.asyncProperty(start, zone, fc.array(acts, { minLength: 20, maxLength: 30 }), async (now, timezone, played) => {
      const { life } = await begin(now, timezone)
      for (const play of played) await play(life)
      expect((await life.end()).broken).toEqual([])
    }),
    { numRuns: RUNS, seed: SEED, endOnFailure: true },
  )
}, 240_000)

test('a mail that is on its way when its channel is switched off is in the log as sent, and counts', async () => {
  const { institute, member, life } = await begin('2026-03-25T09:00:00.000Z', 'Asia/Jerusalem')
  const off = { preferences: [{ channel: 'email', enabled: false, digestMode: 'immediate' }] }
  whileMailing = () => member.put('/notification-preferences', off)
  await life.happen(1)
  whileMailing = undefined
  const { data } = (await institute.owner.get('/notifications?channel=email')).body
  expect(data.map(({ status, reason }: Record<string, unknown>) => [status, reason])).toEqual(
    data.map(() => ['sent', null]),
  )
  const usage = (await institute.owner.get('/notifications/usage?month=2026-03')).body
  expect(data).toHaveLength(2)
  expect(usage.channels).toContainEqual({ channel: 'email', messages: 2 })
})

test('a digest that is longer than a text message may be goes in several, each event in one of them', async () => {
  const { life } = await begin('2026-03-25T09:00:00.000Z', 'Asia/Jerusalem')
  await life.wish('sms', { enabled: true, digestMode: 'daily' })
  await life.happen(40)
  const { broken, arrived } = await life.end()
  expect(broken).toEqual([])
  expect(arrived.filter(({ channel }) => channel === 'sms').length).toBeGreaterThan(1)
})
