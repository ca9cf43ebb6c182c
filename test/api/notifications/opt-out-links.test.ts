import { describe, expect, test } from 'vitest'
import { DEFAULTS } from '#app/config/config.ts'
import { newId } from '#kernel/basics/ids.ts'
import { startApp } from '#kit/app.ts'
import { BASE, headerOf, HTML, ONE_CLICK, undoOf, useOptOuts } from '#kit/opt-outs.ts'
import { putInto, type TenantState } from '#kit/tenant-states.ts'

/** The links that stop mails, and the pages behind them. */

const at = useOptOuts()
const { absence, click, lastLink, linkFor, mails, mailsTo, open, rows } = at

describe('a link', () => {
  const good = () => new URL(BASE + linkFor({}).slice(1)).searchParams.get('token') as string

  test('that is not the server’s, or not whole, is a page in the reader’s language, and tells nothing', async () => {
    const token = good()
    const other = linkFor({ tenantId: newId() })
    const stranger = linkFor({ who: { userId: newId() } })
    const before = await rows()
    const bad = [
      '//unsubscribe',
      '//unsubscribe?token=',
      `//unsubscribe?token=${token.slice(0, -1)}`,
      `//unsubscribe?token=${token}A`,
      `//unsubscribe?token=${'A'.repeat(token.length)}`,
      `//unsubscribe?token=${token}&token=x`,
      '//unsubscribe?token=%ff%22%3E',
      `//unsubscribe?token=${at.app.app.vault.seal('mail', 'x')}`,
      other,
      stranger,
    ]
    const seen = new Set<string>()
    for (const link of bad) {
      for (const [method, address] of [
        ['GET', link],
        ['POST', link],
        ['POST', undoOf(link)],
      ] as const) {
        const { status, headers, body } = await at.app.send(method, address, {
          headers: { ...HTML, ...(method === 'POST' && ONE_CLICK.form.headers), 'accept-language': 'ar' },
        })
        expect([status, headers.get('content-type')], `${method} ${address}`).toEqual([404, 'text/html; charset=utf-8'])
        expect(headers.get('cache-control')).toBe('no-store')
        expect(headers.get('referrer-policy')).toBe('no-referrer')
        seen.add(body)
      }
    }
    expect(seen.size).toBe(1)
    expect([...seen][0]).toContain('هذا الرابط غير مكتمل')
    for (const [language, words] of [
      ['he', 'הקישור הזה אינו שלם'],
      ['en-GB', 'This link is not complete'],
    ] as const) {
      expect((await open(bad[2] as string, { ...HTML, 'accept-language': language })).body).toContain(words)
    }
    // To a mail program it says so in the error envelope.
    expect(await click(bad[2] as string)).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } })
    expect(await rows()).toEqual(before)
  })

  test('looks the same whether anybody has the address', async () => {
    const known = await open(linkFor({ who: { email: 'mother@example.org' } }))
    const unknown = await open(linkFor({ who: { email: 'nobody@example.org' } }))
    const bare = (body: string) => body.replace(/token=[\w.-]+/, '')
    expect(bare(known.body)).toBe(bare(unknown.body))
    expect(known.body).not.toContain('mother')
  })

  test.each<[TenantState, number]>([
    ['locked', 200],
    ['expired', 200],
    ['archived', 403],
  ])('of an institute that is %s is %i', async (state, status) => {
    const link = linkFor({ who: { email: 'mother@example.org' } })
    await putInto(at.app, at.institute, state)
    for (const reply of [
      await open(link),
      await click(link),
      await at.app.send('POST', undoOf(link), { headers: HTML }),
    ]) {
      expect(reply.status).toBe(status)
    }
    if (state !== 'archived') return
    expect((await open(link)).body).toContain('This institute is closed')
    expect(await click(link)).toMatchObject({ body: { error: { code: 'TENANT_SUSPENDED' } } })
  })

  test('is a page that lets nothing out: no cookie, no referrer, no script, nothing kept', async () => {
    const link = linkFor({})
    for (const { headers, body } of [await open(link), await click(link), await at.app.send('POST', undoOf(link))]) {
      expect(Object.fromEntries(headers)).toMatchObject({
        'cache-control': 'no-store',
        'content-type': 'text/html; charset=utf-8',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      })
      expect(headers.has('set-cookie')).toBe(false)
      expect(headers.has('etag')).toBe(false)
      expect(body).not.toMatch(/<script|https?:|\son\w+=/)
      expect(body).toContain('name="robots" content="noindex"')
    }
  })

  test('shows the institute’s name as text', async () => {
    await at.institute.owner.patch('/settings', { name: '<b>Light & "Sons"</b>' })
    const { body } = await open(linkFor({}))
    expect(body).toContain('&lt;b&gt;Light &amp; &quot;Sons&quot;&lt;/b&gt;')
    expect(body).not.toContain('<b>')
  })

  test('is in no log, and not in the database', async () => {
    await absence()
    const link = await lastLink('mother@example.org')
    const [, token = ''] = link.split('token=')
    await open(link)
    await click(link)
    await open(`${link}A`)
    await at.app.send('POST', undoOf(link))
    expect(at.logged.join('\n')).toContain('/unsubscribe')
    expect(at.logged.join('\n')).not.toContain(token.slice(0, 20))
    for (const table of ['notification', 'email_opt_out', 'audit_entry', 'job'] as const) {
      const kept = await at.app.app.database.read.selectFrom(table).selectAll().execute()
      expect(JSON.stringify(kept)).not.toContain(token.slice(0, 20))
    }
  })

  test('takes a body of at most 64 KiB, whatever it holds', async () => {
    const link = linkFor({})
    expect((await at.app.send('POST', link, { raw: 'x'.repeat(60_000) })).status).toBe(200)
    expect((await at.app.send('POST', link, { raw: 'x'.repeat(70_000) })).status).toBe(400)
    await at.app.send('POST', undoOf(link))
  })
})

test('no other mail has the link: not an invitation, a password link or the test of a mail server', async () => {
  const port = Number(new URL(at.sink.url).port)
  const own = { provider: 'smtp', host: '127.0.0.1', port, security: 'starttls', from: 'office@school.example' }
  await at.institute.owner.patch('/feature-flags', { byo_email_provider: true })
  await at.institute.owner.put('/notification-providers/email', own)
  await at.institute.owner.post('/notification-providers/email/test', { to: 'trial@example.org' })
  await at.institute.owner.post('/members', { email: 'invited@example.org', roleId: at.institute.roles.teacher })
  const { userId } = await at.institute.member({ role: 'teacher' })
  await at.app.post('/auth/forgot-password', { email: `user-${userId}@example.org` })
  await at.app.drain()
  const got = await mails()
  expect(got).toHaveLength(3)
  for (const mail of got) {
    expect(mail.headers.map(({ key }) => key)).not.toContain('list-unsubscribe')
    expect(mail.text).not.toContain('unsubscribe')
  }
  // What goes over the institute's own server has it.
  await absence()
  expect(headerOf((await mailsTo('father@example.org'))[0], 'from')).toContain('school.example')
  expect(await lastLink('father@example.org')).toContain('token=')
})

test('requests for the pages are counted by network, like others without a credential', async () => {
  const limited = await startApp({ config: { limits: { ...DEFAULTS.limits, anonymousPerMinute: 3 } } })
  try {
    const statuses = []
    for (let n = 0; n < 5; n += 1) statuses.push((await limited.send('POST', '//unsubscribe?token=x')).status)
    expect(statuses).toEqual([404, 404, 404, 429, 429])
  } finally {
    await limited.close()
  }
})

// The last test: everybody's session has ended by then.
test('a link still works years later, and after the server’s address has changed', async () => {
  const link = linkFor({ who: { email: 'mother@example.org' } })
  at.app.clock.advance(3 * 365 * 24 * 3600)
  expect((await click(link)).status).toBe(200)
  await at.app.send('POST', undoOf(link))
})
