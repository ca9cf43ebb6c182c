import { describe, expect, test } from 'vitest'
import { CHANNELS } from '#modules/notifications/tables.ts'
import { useMailApp } from '#kit/mail-app.ts'
import { newApiKey } from '../examples/integrations.ts'

const at = useMailApp()
const { fresh, send, log } = at

describe('the inbox', () => {
  test('lists one’s own entries newest first, unread ones only where asked, and marks them as read once', async () => {
    await fresh()
    const member = await at.institute.member({ role: 'guardian' })
    for (const title of ['One', 'Two', 'Three']) {
      await send({ userIds: [member.userId] }, { channels: ['in_app'], data: { title, message: title } })
      await at.app.pass(1)
    }
    const titles = async (query = '') =>
      (await member.get(`/me/notifications${query}`)).body.data.map(({ title }: { title: string }) => title)
    expect(await titles()).toEqual(['Three', 'Two', 'One'])
    expect((await member.get('/me/notifications/unread-count')).body).toEqual({ unread: 3 })
    const first = (await member.get('/me/notifications?limit=1')).body
    expect((await member.get(`/me/notifications?limit=5&cursor=${first.nextCursor}`)).body.data).toHaveLength(2)
    const { id } = first.data[0]
    expect((await member.post(`/me/notifications/${id}/read`)).body).toEqual({ ok: true, updated: 1 })
    expect((await member.post(`/me/notifications/${id}/read`)).body).toEqual({ ok: true, updated: 0 })
    expect(await titles('?unreadOnly=true')).toEqual(['Two', 'One'])
    expect(await titles('?unreadOnly=false')).toHaveLength(3)
    expect((await member.post('/me/notifications/read-all')).body).toEqual({ ok: true, updated: 2 })
    expect((await member.get('/me/notifications/unread-count')).body).toEqual({ unread: 0 })
    expect(await titles('?unreadOnly=true')).toEqual([])
    expect((await member.get('/me/notifications?unreadOnly=maybe')).status).toBe(422)
  })

  test('is nobody else’s: another’s entry is 404, and an API key has none', async () => {
    await fresh()
    const member = await at.institute.member({ role: 'guardian' })
    await send({ userIds: [member.userId] }, { channels: ['in_app'] })
    await at.app.drain()
    const [{ id }] = (await member.get('/me/notifications')).body.data
    expect((await at.institute.owner.post(`/me/notifications/${id}/read`)).status).toBe(404)
    expect((await at.institute.owner.get('/me/notifications')).body.data).toEqual([])
    const { key } = await newApiKey(at.institute)
    expect((await at.app.as(key).get('/me/notifications')).body).toEqual({ data: [], nextCursor: null })
    expect((await at.app.as(key).get('/me/notifications/unread-count')).body).toEqual({ unread: 0 })
  })
})

describe('preferences', () => {
  test('list every channel, at once for who never said; a PUT changes the named ones', async () => {
    await fresh()
    const member = await at.institute.member({ role: 'guardian' })
    const all = CHANNELS.map((channel) => ({ channel, enabled: true, digestMode: 'immediate' }))
    expect((await member.get('/notification-preferences')).body).toEqual({ preferences: all })
    const email = { channel: 'email', enabled: false, digestMode: 'weekly' }
    const changed = await member.put('/notification-preferences', { preferences: [email] })
    const expected = { preferences: all.map((one) => (one.channel === 'email' ? email : one)) }
    expect(changed.body).toEqual(expected)
    expect((await member.get('/notification-preferences')).body).toEqual(expected)
    expect((await at.institute.owner.get('/notification-preferences')).body).toEqual({ preferences: all })
    const twice = await member.put('/notification-preferences', { preferences: [email, email] })
    expect(twice.status).toBe(422)
    const { key } = await newApiKey(at.institute)
    const byKey = at.app.as(key)
    expect((await byKey.get('/notification-preferences')).body).toEqual({ preferences: all })
    const refused = await byKey.put('/notification-preferences', { preferences: [email] })
    expect(refused).toMatchObject({ status: 403, body: { error: { details: { reason: 'user_only' } } } })
  })

  test('keep a channel quiet that is switched off, and the log says so', async () => {
    await fresh()
    const member = await at.institute.member({ role: 'guardian' })
    const off = { channel: 'email', enabled: false, digestMode: 'immediate' }
    await member.put('/notification-preferences', { preferences: [off] })
    const { body } = await send({ userIds: [member.userId] }, { channels: ['email', 'in_app'] })
    const reason = 'They have switched this channel off.'
    expect(body).toMatchObject({ queued: 1, skipped: [{ recipient: member.userId, reason: `email: ${reason}` }] })
    await at.app.drain()
    expect(at.mails).toEqual([])
    expect(await log('&status=skipped')).toMatchObject([{ channel: 'email', reason }])
  })
})
