import { describe, expect, test } from 'vitest'
import { newId } from '#kernel/basics/ids.ts'
import type { Client } from '#kit/client.ts'
import { newFamily } from '#kit/family.ts'
import { useMailApp } from '#kit/mail-app.ts'
import { newSession } from '../examples/sessions.ts'

const at = useMailApp()
const { fresh, log } = at

describe('templates', () => {
  const create = (body: object, as: Client = at.institute.owner) => as.post('/notification-templates', body)
  const own = { key: 'student.absent', channel: 'email', locale: 'ar', body: 'غاب {{studentName}}.' }

  const listAll = async (limit: number) => {
    const all: Record<string, string | boolean>[] = []
    let cursor = ''
    do {
      const { body } = await at.institute.owner.get(`/notification-templates?limit=${limit}${cursor}`)
      all.push(...body.data)
      cursor = body.nextCursor === null ? '' : `&cursor=${encodeURIComponent(body.nextCursor)}`
    } while (cursor !== '')
    return all
  }
  const placeOf = ({ key, channel, locale }: Record<string, string | boolean>) => `${key} ${channel} ${locale}`

  test('of the institute stand in the merged list in place of the platform’s, page by page, none twice', async () => {
    await fresh()
    const before = await listAll(100)
    expect(before.every((one) => one['isPlatformDefault'])).toBe(true)
    // 34 keys, 5 channels, 3 languages.
    expect(before).toHaveLength(615)
    const { body: absent } = await create(own)
    const { body: holiday } = await create({ ...own, key: 'holiday', body: 'عطلة {{data.day}}' })
    for (const limit of [100, 7, 1]) {
      const after = await listAll(limit)
      expect(after.map(placeOf)).toEqual([...new Set([...before, absent, holiday].map(placeOf))].toSorted())
      expect(after.filter((one) => !one['isPlatformDefault'])).toEqual([holiday, absent])
    }
  })

  test('keep their place for a cursor while others are added', async () => {
    await fresh()
    const first = (await at.institute.owner.get('/notification-templates?limit=10')).body
    await create({ ...own, key: 'a-holiday', body: 'Closed' })
    const rest = (await at.institute.owner.get(`/notification-templates?limit=100&cursor=${first.nextCursor}`)).body
    expect(rest.data.map(placeOf)).not.toContain('a-holiday email ar')
    expect(new Set([...first.data, ...rest.data].map(placeOf)).size).toBe(110)
  })

  test('an unknown variable is refused, and the answer names those that may be used', async () => {
    await fresh()
    const refused = await create({ ...own, body: 'غاب {{childName}}.' })
    expect(refused).toMatchObject({
      status: 422,
      body: {
        error: { details: { issues: [{ path: ['body'], message: expect.stringContaining('{{studentName}}') }] } },
      },
    })
    expect((await create({ ...own, subject: '{{secret}}' })).status).toBe(422)
    expect((await create({ ...own, body: 'غاب {{studentName.' })).status).toBe(422)
    expect((await create({ ...own, key: 'holiday', body: '{{day}}' })).status).toBe(422)
    const made = await create({ ...own, key: 'holiday', body: '{{ data.day }}' })
    expect(made.status).toBe(201)
    const id = made.body.id
    expect((await at.institute.owner.patch(`/notification-templates/${id}`, { body: '{{day}}' })).status).toBe(422)
  })

  test('are one for each key, channel and language', async () => {
    await fresh()
    expect((await create(own)).status).toBe(201)
    expect(await create(own)).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } })
    expect((await create({ ...own, locale: 'he' })).status).toBe(201)
    expect((await create({ ...own, channel: 'sms' })).status).toBe(201)
  })

  test('of the platform cannot be changed or deleted; deleting the institute’s brings them back', async () => {
    await fresh()
    const find = async () => (await listAll(100)).find((one) => placeOf(one) === 'student.absent email ar')
    const platform = await find()
    const path = `/notification-templates/${platform?.['id']}`
    expect((await at.institute.owner.patch(path, { body: 'x' })).status).toBe(404)
    expect((await at.institute.owner.delete(path)).status).toBe(404)
    const { body: made } = await create(own)
    expect(await find()).toEqual(made)
    expect((await at.institute.owner.delete(`/notification-templates/${made.id}`)).body).toEqual({ ok: true })
    expect(await find()).toEqual(platform)
  })

  test('of the institute are what is sent; switched off, nobody is told', async () => {
    await fresh()
    const family = await newFamily(at.institute)
    const { body: template } = await create({ ...own, subject: 'غياب' })
    const absent = async () => {
      const sessionId = await newSession(at.institute, family.groupId)
      const entries = [{ studentId: family.studentId, status: 'absent' }]
      await at.institute.owner.put(`/sessions/${sessionId}/attendance`, { entries })
      await at.app.drain()
      return at.mails.filter(({ to }) => to === 'mother@example.org')
    }
    const [mail] = await absent()
    const [text] = mail?.text.replaceAll(/[\u2068\u2069]/g, '').split('\n') ?? []
    expect([mail?.subject, text]).toEqual(['غياب', 'غاب Noor Haddad.'])
    await at.institute.owner.patch(`/notification-templates/${template.id}`, { isActive: false })
    expect(await absent()).toHaveLength(1)
    expect(await log('&status=skipped')).toContainEqual(
      expect.objectContaining({ reason: 'The institute has switched this text off.' }),
    )
  })

  test('there are a thousand at the most', async () => {
    await fresh()
    const now = at.app.clock.now()
    await at.app.app.database.write(async (db) => {
      for (let start = 0; start < 1000; start += 100) {
        await db
          .insertInto('notification_template')
          .values(
            Array.from({ length: 100 }, (_, n) => ({
              id: newId(),
              tenant_id: at.institute.tenant.id,
              key: `key-${start + n}`,
              channel: 'email',
              locale: 'ar',
              body: 'x',
              is_active: true,
              place: `key-${start + n}`,
              created_at: now,
              updated_at: now,
            })) as never,
          )
          .execute()
      }
    })
    expect(await create(own)).toMatchObject({ status: 409, body: { error: { details: { most: 1000 } } } })
  })
})
