import { describe, expect, test } from 'vitest'
import { newId } from '#kernel/basics/ids.ts'
import { newParent } from '#kit/family.ts'
import { BASE, headerOf, linkIn, ONE_CLICK, undoOf, useOptOuts } from '#kit/opt-outs.ts'

/** Stops mails by the link that really arrived, and looks at what the next event does. */

const OUT = 'They have opted out of mails to this address.'
const OFF = 'They have switched this channel off.'

const at = useOptOuts()
const { absence, click, lastLink, linkFor, log, mailsTo, open, press, reasonsFor, rows, send } = at

describe('a parent without an account', () => {
  test('finds the link in the header and at the end of the mail, in the language of the mail', async () => {
    await absence()
    const [mail] = await mailsTo('mother@example.org')
    const link = BASE + linkIn(mail).slice(1)
    expect(headerOf(mail, 'list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    expect(mail?.text?.replaceAll('\r\n', '\n').trimEnd().split('\n').slice(-2)).toEqual([
      'يمكنكم إيقاف هذه الرسائل في أي وقت:',
      link,
    ])
    expect(mail?.html).toContain(`<a href="${link}"`)
    expect(mail?.html?.lastIndexOf('إيقاف الرسائل')).toBeGreaterThan(mail?.html?.indexOf('الغياب') ?? 0)
    const [other] = await mailsTo('father@example.org')
    expect(other?.text).toContain('אפשר להפסיק לקבל את ההודעות האלה בכל עת:')
    expect(linkIn(other)).not.toBe(linkIn(mail))
  })

  test.each(Object.entries(ONE_CLICK))(
    'stops them with one click of the mail program (%s), hears nothing of the next event, and comes back',
    async (_, request) => {
      await absence()
      const link = await lastLink('mother@example.org')
      const stopped = await at.app.send('POST', link, request)
      expect(stopped).toMatchObject({ status: 200, body: expect.stringContaining('تم إيقاف الرسائل') })
      await absence()
      expect(await mailsTo('mother@example.org')).toHaveLength(1)
      expect(await mailsTo('father@example.org')).toHaveLength(2)
      expect(await reasonsFor('mother@example.org')).toEqual([OUT, 'sent'])
      expect((await press(stopped)).body).toContain('ستصلكم الرسائل من جديد')
      await absence()
      expect(await mailsTo('mother@example.org')).toHaveLength(2)
      expect((await rows()).out).toEqual([])
    },
  )

  test('stops them on the page: looking changes nothing, however often; the button does it', async () => {
    await absence()
    const link = await lastLink('mother@example.org')
    const before = await rows()
    for (const method of ['GET', 'HEAD', 'GET', 'OPTIONS', 'PUT', 'DELETE']) await at.app.send(method, link)
    const page = await open(link)
    expect(page.body).toContain(`إيقاف رسائل \u2068${at.institute.tenant.name}\u2069؟`)
    expect(await rows()).toEqual(before)
    expect((await press(page)).body).toContain('تم إيقاف الرسائل')
    // The page tells how it stands, so that an old mail leads to the button that is of use.
    const again = await open(link)
    expect(again.body).toContain('تم إيقاف الرسائل')
    expect((await press(again)).body).toContain('ستصلكم الرسائل من جديد')
    expect((await open(link)).body).toBe(page.body)
  })

  test('may click twice, or at once: it is one opt-out, and each is in the audit log', async () => {
    await absence()
    const link = await lastLink('mother@example.org')
    await click(link)
    const kept = (await rows()).out
    const replies = await Promise.all([click(link), click(link), click(link)])
    expect(new Set(replies.map(({ status, body }) => `${status} ${body}`)).size).toBe(1)
    expect((await rows()).out).toEqual(kept)
    await at.app.send('POST', undoOf(link))
    expect((await at.app.send('POST', undoOf(link))).status).toBe(200)
    const { data } = (await at.institute.owner.get('/audit?limit=100&entityType=email_opt_out')).body
    expect(data).toHaveLength(6)
    expect(data.at(-1)).toMatchObject({
      action: 'notifications.opt-out',
      before: { email: 'mother@example.org', enabled: true },
      after: { email: 'mother@example.org', enabled: false },
    })
    await click(link)
    await at.app.send('POST', undoOf(link))
  })

  test('is out at this address in this institute alone, however it is spelled; a corrected one hears again', async () => {
    await click(linkFor({ who: { email: 'Mother@Example.org' } }))
    await absence()
    expect(await reasonsFor('mother@example.org')).toEqual([OUT])
    await at.institute.owner.patch(`/guardians/${at.family.motherId}`, { email: 'corrected@example.org' })
    await absence()
    expect(await reasonsFor('corrected@example.org')).toEqual(['sent'])
    await at.fresh()
    await absence()
    expect(await reasonsFor('mother@example.org')).toEqual(['sent'])
  })

  test('is told nothing by hand either, nor when a message is sent again', async () => {
    await click(linkFor({ who: { email: 'mother@example.org' } }))
    const { body } = await send({ guardianIds: [at.family.motherId, at.family.fatherId] })
    expect(body).toMatchObject({ queued: 1, skipped: [{ recipient: at.family.motherId, reason: `email: ${OUT}` }] })
    await at.app.drain()
    expect(await reasonsFor('mother@example.org')).toEqual([OUT])
    const [{ id }] = (await log()).filter(({ status }: { status: string }) => status === 'skipped')
    expect(await at.institute.owner.post(`/notifications/${id}/retry`)).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'nobody_reached', because: 'opted_out' } } },
    })
  })

  test('is not tried again with a mail that the server would not take for now', async () => {
    at.sink.refuse(421)
    await absence()
    await click(linkFor({ who: { email: 'mother@example.org' } }))
    at.sink.refuse(null)
    at.app.clock.advance(24 * 3600)
    await at.app.drain()
    expect(await mailsTo('mother@example.org')).toEqual([])
    expect(await reasonsFor('mother@example.org')).toEqual([OUT])
    expect(await reasonsFor('father@example.org')).toEqual(['sent'])
  })

  test('who has an account by now is out there too, until they say otherwise', async () => {
    const member = await at.institute.member({ role: 'guardian' })
    const email = `user-${member.userId}@example.org`
    const link = linkFor({ who: { email } })
    const wish = async () =>
      (await member.get('/notification-preferences')).body.preferences.find(
        ({ channel }: { channel: string }) => channel === 'email',
      ).enabled
    await click(link)
    expect(await wish()).toBe(false)
    const both = { userIds: [member.userId, at.institute.ownerUserId] }
    expect((await send(both)).body.skipped[0].reason).toBe(`email: ${OFF}`)
    const on = { channel: 'email', enabled: true, digestMode: 'immediate' }
    await member.put('/notification-preferences', { preferences: [on] })
    expect((await send({ userIds: [member.userId] })).body.skipped).toEqual([])
    await click(link)
    expect(await wish()).toBe(false)
    await at.app.send('POST', undoOf(link))
    expect(await wish()).toBe(true)
  })

  test('who opted out before they got an account stays out', async () => {
    const email = `later-${newId()}@example.org`
    await click(linkFor({ who: { email } }))
    const member = await at.institute.member({ role: 'guardian' })
    await at.app.app.database.write((db) =>
      db.updateTable('user').set({ email, email_key: email }).where('id', '=', member.userId).execute(),
    )
    const both = { userIds: [member.userId, at.institute.ownerUserId] }
    expect((await send(both)).body.skipped[0].reason).toBe(`email: ${OFF}`)
    expect((await member.get('/notification-preferences')).body.preferences).toContainEqual({
      channel: 'email',
      enabled: false,
      digestMode: 'immediate',
    })
  })
})

describe('a member', () => {
  test('switches the channel email of their account off, as by PUT preferences, and on again', async () => {
    const member = await at.institute.member({ role: 'guardian' })
    const email = `user-${member.userId}@example.org`
    const on = { channel: 'email', enabled: true, digestMode: 'immediate' }
    await send({ userIds: [member.userId] }, ['email', 'in_app'])
    await at.app.drain()
    const link = await lastLink(email)
    const stopped = await click(link)
    expect(stopped.body).toContain('The mails have been stopped')
    const { preferences } = (await member.get('/notification-preferences')).body
    expect(preferences.filter(({ enabled }: { enabled: boolean }) => !enabled)).toEqual([{ ...on, enabled: false }])
    const { body } = await send({ userIds: [member.userId] }, ['email', 'in_app'])
    expect(body).toMatchObject({ queued: 1, skipped: [{ recipient: member.userId, reason: `email: ${OFF}` }] })
    const { data } = (await at.institute.owner.get('/audit?entityType=notification_preference')).body
    expect(data).toMatchObject([{ action: 'notifications.opt-out', entityId: member.userId }])
    await press(stopped)
    expect((await member.get('/notification-preferences')).body.preferences).toContainEqual(on)
    expect((await rows()).out).toEqual([])
    expect((await send({ userIds: [member.userId] })).body.skipped).toEqual([])
  })

  test('keeps the digest that they chose; what waits for it is left out', async () => {
    const member = await at.institute.member({ role: 'guardian' })
    const daily = { channel: 'email', enabled: true, digestMode: 'daily' }
    await member.put('/notification-preferences', { preferences: [daily] })
    await send({ userIds: [member.userId] })
    await at.app.drain()
    await at.app.pass(24 * 3600)
    const [digest] = await mailsTo(`user-${member.userId}@example.org`)
    expect(digest?.subject).toContain('Your messages from')
    const link = linkIn(digest)
    await send({ userIds: [member.userId] })
    await at.app.drain()
    await click(link)
    expect((await member.get('/notification-preferences')).body.preferences).toContainEqual({
      ...daily,
      enabled: false,
    })
    expect((await log())[0]).toMatchObject({ status: 'skipped', reason: OFF })
    await at.app.send('POST', undoOf(link))
    expect((await member.get('/notification-preferences')).body.preferences).toContainEqual(daily)
  })

  test('who has left stops what goes to the address on their record with its own link, too', async () => {
    const member = await at.institute.member({ role: 'guardian' })
    const daily = { channel: 'email', enabled: true, digestMode: 'daily' }
    await member.put('/notification-preferences', { preferences: [daily] })
    await newParent(at.institute, at.family.studentId, { userId: member.userId, email: 'record@example.org' })
    await at.institute.owner.patch(`/members/${member.membershipId}`, { status: 'disabled' })
    await absence()
    const link = await lastLink('record@example.org')
    await click(link)
    await absence()
    expect(await reasonsFor('record@example.org')).toEqual([OFF, 'sent'])
    await at.app.send('POST', undoOf(link))
    await absence()
    expect(await mailsTo('record@example.org')).toHaveLength(2)
  })

  test('who has left can still stop what goes to the address on their record', async () => {
    const member = await at.institute.member({ role: 'guardian' })
    await newParent(at.institute, at.family.studentId, { userId: member.userId, email: 'record@example.org' })
    await absence()
    const link = await lastLink(`user-${member.userId}@example.org`)
    await at.institute.owner.patch(`/members/${member.membershipId}`, { status: 'disabled' })
    await absence()
    expect(await mailsTo('record@example.org')).toHaveLength(1)
    expect((await click(link)).status).toBe(200)
    await absence()
    expect(await mailsTo('record@example.org')).toHaveLength(1)
    expect(await reasonsFor('record@example.org')).toEqual([OFF, 'sent'])
    await at.app.send('POST', undoOf(link))
    await absence()
    expect(await mailsTo('record@example.org')).toHaveLength(2)
  })
})
