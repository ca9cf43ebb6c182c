import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPostgres } from '#db/database.ts'
import { migrate } from '#db/steps/migrate.ts'
import { systemClock } from '#kernel/time/clock.ts'
import { createSmtpMailer } from '#ports/mail/smtp.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import type { TestMember } from '#kit/institute.ts'
import { createDatabase, startPostgres } from '#kit/postgres.ts'
import { startPushService } from '#kit/push-service.ts'
import { startSmtpSink, type SmtpSink } from '#kit/smtp-sink.ts'
import { migrations } from '#migrations'
import { newPage } from './screens.ts'
import { fill, leadsOf, PEOPLE, submit, thanked, useWebsite } from './website.ts'

const { at, openSite, institute, open } = useWebsite()

let sink: SmtpSink
beforeAll(async () => {
  sink = await startSmtpSink()
})
afterAll(() => sink.stop())

const emptyPostgres = (adminUrl: string) => async () => {
  const made = await createDatabase(adminUrl)
  const database = openPostgres({ url: made.url })
  await migrate(database, migrations)
  await database.close()
  return made
}

/** Lets a member's browser be sent push messages. */
const subscribe = async (program: TestApp, member: TestMember, owner: Pick<TestMember, 'get'>) => {
  const service = await startPushService(() => program.clock.millis())
  const { data } = (await owner.get('/notification-providers')).body
  const { publicKey } = data.find(({ channel }: { channel: string }) => channel === 'push')
  expect((await member.post('/me/devices', service.subscribe(publicKey))).status).toBe(201)
  program.alsoClose(async () => service.close())
  return service
}

/** What nobody but who may see leads is to learn. */
const ABOUT_THE_CHILD = new RegExp([...Object.values(PEOPLE), '1234567', 'Mondays'].join('|'))

test.each(['sqlite', 'postgres'] as const)(
  'on %s a registration becomes a lead, its office is told, and the lead becomes an active student',
  async (engine) => {
    const postgres = engine === 'postgres' ? await startPostgres() : undefined
    const signInUrl = `${await openSite()}/sign-in`
    const program = await startApp({
      config: { signInUrl },
      openMailer: () => createSmtpMailer({ url: sink.url, from: 'office@example.org', clock: systemClock }),
      ...(postgres && { database: emptyPostgres(postgres.adminUrl) }),
    })
    const of = await institute(program)
    const north = (await of.owner.post('/branches', { name: 'North' })).body.id
    const office = await of.member({ role: 'front_desk', branchId: of.branchId })
    await office.patch('/me', { locale: 'ar' })
    const others = [
      await of.member({ role: 'front_desk', branchId: north }),
      await of.member({ role: 'teacher' }),
      await of.member({ role: 'accountant' }),
    ]
    const push = await subscribe(program, office, of.owner)
    const before = (await sink.messages()).length

    const page = await open({ ...of, url: program.url, attributes: { 'data-course-interest': 'Evenings' } })
    await fill(page, { ...PEOPLE, message: 'Mondays?' })
    await submit(page)
    await thanked(page)
    const [lead] = await leadsOf(of)
    expect((await of.owner.get(`/students/${lead.studentId}`)).body).toMatchObject({
      status: 'lead',
      tags: ['widget-lead'],
    })

    await program.drain()
    const mails = (await sink.messages()).slice(before)
    const addressOf = ({ userId }: { userId: string }) => `user-${userId}@example.org`
    expect(mails.map(({ envelope }) => envelope.to[0]).toSorted()).toEqual(
      [addressOf(office), addressOf({ userId: of.ownerUserId })].toSorted(),
    )
    const mail = mails.find(({ envelope }) => envelope.to[0] === addressOf(office))
    expect(mail).toMatchObject({ subject: 'استفسار جديد', text: expect.stringContaining(signInUrl) })
    expect(mail?.headers).toContainEqual(expect.objectContaining({ key: 'content-language', value: 'ar' }))
    for (const { subject, text, html } of mails) expect(`${subject} ${text} ${html}`).not.toMatch(ABOUT_THE_CHILD)

    const told = { templateKey: 'lead.created', title: 'استفسار جديد' }
    const inbox = (await office.get('/me/notifications')).body.data
    expect(inbox).toMatchObject([{ ...told, locale: 'ar', payload: { leadId: lead.id }, readAt: null }])
    expect(push.received.map(({ payload }) => payload)).toMatchObject([{ ...told, payload: { leadId: lead.id } }])
    expect(push.refused).toEqual([])
    expect(JSON.stringify([inbox, push.received])).not.toMatch(ABOUT_THE_CHILD)
    for (const other of others) expect((await other.get('/me/notifications')).body.data).toEqual([])

    const reader = await newPage(at.browser, 'ar')
    await reader.setContent(mail?.html ?? '')
    await reader.locator('a', { hasText: 'sign-in' }).click()
    await reader.waitForURL(signInUrl)
    await reader.close()

    expect((await office.get(`/leads/${inbox[0].payload.leadId}`)).body).toMatchObject({ message: 'Mondays?' })
    expect((await office.post(`/leads/${lead.id}/convert`)).body).toMatchObject({
      id: lead.studentId,
      status: 'active',
    })
    expect((await of.owner.get(`/leads/${lead.id}`)).body).toMatchObject({
      status: 'converted',
      studentId: lead.studentId,
    })
    expect((await of.owner.get(`/students/${lead.studentId}`)).body).toMatchObject({ status: 'active' })
    await page.close()
    await program.close()
    await postgres?.stop()
  },
)
