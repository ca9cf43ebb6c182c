import { beforeEach, describe, expect, test } from 'vitest'
import { loadExamples, sendExample, worldOf } from '#kit/examples.ts'
import { useMailApp } from '#kit/mail-app.ts'
import { newApiKey } from '../examples/integrations.ts'
import { enquiry, registration, SITE } from '../examples/leads.ts'

/**
 * What strangers cause has a budget of its own: beyond a few leads an hour the office gets one summary an hour, and none
 * of it uses up the messages that the plan gives the institute for its own people.
 */

const at = useMailApp()
beforeEach(() => at.fresh())

const HOUR = 3600

const visitor = async () => {
  const { key } = await newApiKey(at.institute, { kind: 'publishable', allowedOrigins: [SITE] })
  const from = at.app.as(key)
  return () => from.send('POST', '/public/registrations', { body: registration(), headers: { origin: SITE } })
}

/** @returns the statuses of so many registrations, one a second */
const register = async (count: number, one: () => Promise<{ status: number }>) => {
  const statuses = new Set<number>()
  for (let n = 0; n < count; n += 1) {
    statuses.add((await one()).status)
    await at.app.pass(1)
  }
  return [...statuses]
}

const subjects = () => at.mails.map(({ to, subject }) => `${to} ${subject}`)
const usage = async () => (await at.institute.owner.get('/notifications/usage')).body
const inbox = async () => (await at.institute.owner.get('/me/notifications?limit=100')).body.data.length

/** Moves to a moment at which an hour has begun. */
const toFullHour = async () => {
  const past = (Date.parse(at.app.clock.now()) / 1000) % HOUR
  await at.app.pass(HOUR - past + 2 * HOUR)
  at.mails.length = 0
}

describe('registrations by strangers', () => {
  test('are told one by one up to five an hour; then comes one summary an hour, and an entry in the app for each', async () => {
    await toFullHour()
    expect(await register(12, await visitor())).toEqual([201])
    expect(subjects()).toHaveLength(5)
    expect(new Set(at.mails.map(({ subject }) => subject))).toEqual(new Set(['A new enquiry']))
    expect(await inbox()).toBe(12)
    await at.app.pass(HOUR - 13)
    expect(subjects()).toHaveLength(5)
    await at.app.pass(1)
    expect(at.mails.slice(5).map(({ subject }) => subject)).toEqual(['More enquiries: 7'])
    expect(at.mails[5]?.text).toContain('New enquiries: 7')
    await at.app.pass(5 * HOUR)
    expect(subjects()).toHaveLength(6)
    expect(await inbox()).toBe(12)
  })

  test('make one summary for each hour of a flood', async () => {
    await toFullHour()
    const one = await visitor()
    for (let hour = 0; hour < 3; hour += 1) {
      for (let n = 0; n < 20; n += 1) {
        expect((await one()).status).toBe(201)
        await at.app.pass(HOUR / 20)
      }
    }
    const told = Map.groupBy(at.mails, ({ subject }) => subject.replace(/\d+/, 'N'))
    expect(told.get('A new enquiry')).toHaveLength(5)
    expect(told.get('More enquiries: N')).toHaveLength(3)
    await at.app.pass(HOUR)
    const counts = at.mails.flatMap(({ subject }) => /^More enquiries: (\d+)$/.exec(subject)?.[1] ?? [])
    expect(counts.reduce((sum, count) => sum + Number(count), 0)).toBe(55)
  })

  test('use up none of the plan’s messages of the month, and come when there are none left', async () => {
    await toFullHour()
    await at.limit(2)
    expect(await register(8, await visitor())).toEqual([201])
    await at.app.pass(HOUR)
    expect(at.mails).toHaveLength(6)
    expect(await usage()).toMatchObject({ total: 0, limit: 2 })
    const studentIds = [await at.student(), await at.student(), await at.student()]
    await at.send({ studentIds })
    await at.app.drain()
    expect(at.mails).toHaveLength(8)
    await at.app.pass(HOUR)
    expect(await register(1, await visitor())).toEqual([201])
    expect(subjects().at(-1)).toMatch(/A new enquiry$/)
    expect(await usage()).toMatchObject({ total: 2 })
  })

  test('that could not be mailed give nothing back to the plan', async () => {
    const { MailError } = await import('#ports/mail/port.ts')
    await at.send({ studentIds: [await at.student()] })
    await at.app.drain()
    at.refusal = new MailError('no such mailbox', true)
    await register(2, await visitor())
    expect((await at.log('&templateKey=lead.created&status=failed')).length).toBe(2)
    expect(await usage()).toMatchObject({ total: 1 })
  })
})

test('the summary counts for each only the leads of their branches', async () => {
  await toFullHour()
  const { institute } = at
  const north = (await institute.owner.post('/branches', { name: 'North' })).body.id
  const desk = await institute.member({ role: 'front_desk', branchId: north })
  const email = (await desk.get('/me')).body.email
  for (let n = 0; n < 6; n += 1) await institute.owner.post('/leads', enquiry())
  for (let n = 0; n < 3; n += 1) expect((await desk.post('/leads', enquiry())).status).toBe(201)
  await at.app.pass(HOUR)
  const summaries = at.mails.filter(({ subject }) => subject.startsWith('More')).map(({ to, subject }) => [to, subject])
  const owner = (await institute.owner.get('/me')).body.email
  expect(summaries.toSorted()).toEqual(
    [
      [owner, 'More enquiries: 4'],
      [email, 'More enquiries: 3'],
    ].toSorted(),
  )
})

test('no request of a stranger takes anything from the plan’s messages of the month', async () => {
  const example = await loadExamples()
  const open = at.app.app.endpoints.filter(({ access }) => access === 'anyone' || access === 'publishable')
  expect(open.length).toBeGreaterThan(10)
  const world = worldOf(at.app, at.institute)
  const examples = []
  for (const endpoint of open)
    examples.push([
      endpoint,
      await example(endpoint)
        .make(world)
        .catch(() => undefined),
    ] as const)
  await at.app.drain()
  const before = await usage()
  for (const [endpoint, made] of examples) {
    if (made) await sendExample(endpoint, made, made.as ?? at.app)
  }
  await at.app.drain()
  expect(await usage()).toEqual(before)
})
