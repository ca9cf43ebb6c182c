import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#kernel/basics/ids.ts'
import { readCaptcha } from '#modules/settings/index.ts'
import { lockCurrency } from '#modules/tenants/index.ts'
import { readHandle } from '#runtime/records/handles.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf } from '#kit/records.ts'

let app: TestApp
let institute: TestInstitute

beforeAll(async () => {
  app = await startApp()
})
beforeEach(async () => {
  institute = await makeInstitute(app)
})
afterAll(() => app.close())

const patch = (body: object) => institute.owner.patch('/settings', body)

const makeInvoice = async () => {
  const { body: student } = await institute.owner.post('/students', {
    branchId: institute.branchId,
    firstName: 'Omar',
    lastName: 'Saleh',
  })
  return institute.owner.post('/invoices', {
    studentId: student.id,
    dueDate: '2026-04-01',
    lines: [{ description: 'Books', unitAmountMinor: 1000 }],
  })
}

describe('GET /settings', () => {
  test('shows defaults for what was never set', async () => {
    const { status, body } = await institute.owner.get('/settings')
    expect(status).toBe(200)
    expect(body).toEqual({
      name: institute.tenant.name,
      defaultLocale: 'en',
      timezone: 'Asia/Jerusalem',
      currency: 'ILS',
      baseUrl: null,
      invoiceDueDays: 14,
      applyCredit: true,
      siblingDiscounts: [],
      offerDays: 3,
      teacherMessagesPerDay: 3,
      reportsApproval: false,
      invoiceFooter: null,
      terms: [],
      attendance: { lateAfterMinutes: 10 },
      curriculum: { allowTerabox: false },
      registration: { enabled: true, captcha: null },
      papers: { taxNumber: null, address: null, inMails: false },
      quietHours: null,
      quietDays: { weekdays: [], onClosedDays: false },
      branding: { logoFileId: null, color: null },
      version: 1,
    })
  })
})

describe('the base address of links', () => {
  const refused = { status: 403, body: { error: { code: 'FORBIDDEN', details: { reason: 'owner_only' } } } }
  const OWNERS = 'https://noor.example.org'

  test('can be changed by an owner only: 403 for an administrator and for a key, and the rest of the request is not done', async () => {
    await patch({ baseUrl: OWNERS })
    const admin = await institute.member({ role: 'admin' })
    const key = await institute.owner.post('/api-keys', { name: 'Sync', permissions: ['settings.manage'] })
    const before = await institute.owner.get('/settings')
    for (const baseUrl of ['https://evil.example', null]) {
      expect(await admin.patch('/settings', { baseUrl, name: 'Taken' })).toMatchObject(refused)
      expect(await app.as(key.body.key).patch('/settings', { baseUrl })).toMatchObject(refused)
    }
    expect((await institute.owner.get('/settings')).body).toEqual(before.body)
  })

  test('sent unchanged is no change: an administrator can save the form', async () => {
    const admin = await institute.member({ role: 'admin' })
    expect((await admin.patch('/settings', { baseUrl: null, name: 'First' })).status).toBe(200)
    await patch({ baseUrl: OWNERS })
    const { status, body } = await admin.patch('/settings', { baseUrl: `${OWNERS}/`, name: 'Second' })
    expect({ status, body }).toMatchObject({ status: 200, body: { name: 'Second', baseUrl: OWNERS } })
    expect(await admin.patch('/settings', { baseUrl: `${OWNERS}:81` })).toMatchObject(refused)
  })

  test('that an administrator sends over a newer one is a version conflict first', async () => {
    const admin = await institute.member({ role: 'admin' })
    const { body } = await admin.get('/settings')
    await patch({ baseUrl: OWNERS })
    const { version, baseUrl } = body
    expect((await admin.patch('/settings', { version, baseUrl })).body.error.code).toBe('VERSION_CONFLICT')
  })
})

describe('PATCH /settings', () => {
  const everything = {
    name: 'معهد النور',
    defaultLocale: 'ar',
    timezone: 'Europe/Berlin',
    currency: 'EUR',
    baseUrl: 'https://noor.example.org',
    invoiceDueDays: 30,
    applyCredit: false,
    siblingDiscounts: [{ child: 2, percent: 12.5 }],
    offerDays: 5,
    teacherMessagesPerDay: 1,
    reportsApproval: true,
    invoiceFooter: 'Thank you.',
    terms: [
      { name: 'Autumn', startsOn: '2026-09-01' },
      { name: 'Spring', startsOn: '2027-02-01' },
    ],
    attendance: { lateAfterMinutes: 5 },
    curriculum: { allowTerabox: true },
    registration: { enabled: false, captcha: null },
    papers: { taxNumber: '514-123-456', address: '7 Harbour Street\nHaifa', inMails: true },
    quietHours: { from: '21:00', to: '07:00' },
    quietDays: { weekdays: [6], onClosedDays: true },
    branding: { logoFileId: null, color: '#aabbcc' },
  }

  test('changes every setting, raises the version, and leaves an audit entry', async () => {
    const { body: before } = await institute.owner.get('/settings')
    const { status, body } = await patch(everything)
    expect(status).toBe(200)
    const after = { ...everything, version: 2 }
    expect(body).toEqual({ ...after, movedSessions: 0 })
    expect((await institute.owner.get('/settings')).body).toEqual(after)
    expect(await auditOf(app, institute, 'settings.update')).toMatchObject([
      { entity_type: 'settings', entity_id: institute.tenant.id, before, after, metadata: { movedSessions: 0 } },
    ])
  })

  test('keeps omitted fields, also inside nested objects; null clears', async () => {
    await patch(everything)
    const { body } = await patch({
      invoiceFooter: null,
      baseUrl: null,
      attendance: {},
      registration: { enabled: true },
      branding: { color: null },
    })
    expect(body).toEqual({
      ...everything,
      invoiceFooter: null,
      baseUrl: null,
      registration: { enabled: true, captcha: null },
      branding: { logoFileId: null, color: null },
      movedSessions: null,
      version: 3,
    })
  })

  test('keeps terms in the order of their start', async () => {
    const [autumn, spring] = everything.terms
    expect((await patch({ terms: [spring, autumn] })).body.terms).toEqual([autumn, spring])
    expect((await patch({ terms: [] })).body.terms).toEqual([])
  })

  test('a base URL loses its trailing slash', async () => {
    expect((await patch({ baseUrl: 'HTTP://192.168.1.20:8080/' })).body.baseUrl).toBe('http://192.168.1.20:8080')
  })

  test.each<[string, object, string[]]>([
    ['a name of nothing', { name: ' ' }, ['name']],
    ['an unknown language', { defaultLocale: 'fr' }, ['defaultLocale']],
    ['an unknown time zone', { timezone: 'Mars/Olympus' }, ['timezone']],
    ['an offset as time zone', { timezone: '+02:00' }, ['timezone']],
    ['another currency', { currency: 'GBP' }, ['currency']],
    ['a base URL that is none', { baseUrl: 'noor.example.org' }, ['baseUrl']],
    ['a base URL of another scheme', { baseUrl: 'ftp://noor.example.org' }, ['baseUrl']],
    ['a base URL with a password', { baseUrl: 'https://a:b@noor.example.org' }, ['baseUrl']],
    ['a base URL with a path', { baseUrl: 'https://noor.example.org/school' }, ['baseUrl']],
    ['a base URL with a query', { baseUrl: 'https://noor.example.org/?a=1' }, ['baseUrl']],
    ['due days below 0', { invoiceDueDays: -1 }, ['invoiceDueDays']],
    ['due days in parts', { invoiceDueDays: 1.5 }, ['invoiceDueDays']],
    ['a term without its date', { terms: [{ name: 'Autumn' }] }, ['terms', '0', 'startsOn']],
    [
      'two terms on one date',
      {
        terms: [
          { name: 'A', startsOn: '2026-09-01' },
          { name: 'B', startsOn: '2026-09-01' },
        ],
      },
      ['terms'],
    ],
    ['late after less than nothing', { attendance: { lateAfterMinutes: -1 } }, ['attendance', 'lateAfterMinutes']],
    ['a colour by name', { branding: { color: 'red' } }, ['branding', 'color']],
    [
      'an unknown captcha',
      { registration: { captcha: { provider: 'riddle', secret: 'x' } } },
      ['registration', 'captcha', 'provider'],
    ],
    [
      'a captcha without its secret',
      { registration: { captcha: { provider: 'turnstile' } } },
      ['registration', 'captcha', 'secret'],
    ],
  ])('%s is 422', async (_, body, path) => {
    const reply = await patch(body)
    expect(reply.status).toBe(422)
    expect(reply.body.error.details.issues.map((issue: { path: string[] }) => issue.path)).toContainEqual(path)
    expect((await institute.owner.get('/settings')).body.version).toBe(1)
  })

  test('a logo must be a file of the institute: 404', async () => {
    expect((await patch({ branding: { logoFileId: newId() } })).status).toBe(404)
  })

  test('a version that no longer matches is 409 VERSION_CONFLICT; of many with the same version, one succeeds', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, (_, n) => patch({ invoiceDueDays: n, version: 1 })))
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([200, ...Array<number>(7).fill(409)])
    const late = await patch({ invoiceDueDays: 9, version: 1 })
    expect(late.body.error).toMatchObject({ code: 'VERSION_CONFLICT', details: { expected: 1, current: 2 } })
    expect((await patch({ invoiceDueDays: 9 })).status).toBe(200)
  })

  test('takes effect with the next request', async () => {
    await patch({ name: 'Renamed', timezone: 'Asia/Tokyo' })
    const { body } = await institute.owner.post('/branches', { name: 'Tokyo', phone: '03-1234-5678' })
    expect(body.phone).toBe('+81312345678')
  })

  test('needs settings.manage for the whole institute', async () => {
    const clerk = await institute.member({ role: 'front_desk' })
    expect((await clerk.get('/settings')).body.error.code).toBe('FORBIDDEN')
    const inBranch = await institute.member({ permissions: ['settings.manage'], branchId: institute.branchId })
    expect((await inBranch.patch('/settings', { name: 'Mine' })).body.error.code).toBe('FORBIDDEN')
  })

  test('changes no other institute', async () => {
    const other = await makeInstitute(app)
    await patch({ name: 'Ours alone' })
    expect((await other.owner.get('/settings')).body).toMatchObject({ name: other.tenant.name, version: 1 })
  })
})

describe('the captcha', () => {
  const secret = 'captcha-secret-0x4AAAAAAA'
  const stored = () =>
    app.app.database.read
      .selectFrom('tenant')
      .select('settings')
      .where('id', '=', institute.tenant.id)
      .executeTakeFirstOrThrow()
  const captcha = () => readCaptcha(readHandle(app.app.runtime, institute.tenant.id, 'all'), app.app.vault)

  test('shows its provider; its secret is sealed in the database and never returned', async () => {
    const { body } = await patch({ registration: { captcha: { provider: 'turnstile', secret } } })
    expect(body.registration).toEqual({ enabled: true, captcha: { provider: 'turnstile' } })
    expect((await institute.owner.get('/settings')).body.registration.captcha).toEqual({ provider: 'turnstile' })
    expect(JSON.stringify(await stored())).not.toContain(secret)
    expect(JSON.stringify(await auditOf(app, institute, 'settings.update'))).not.toMatch(/0x4AAAAAAA|[sS]ecret/)
    expect(await captcha()).toEqual({ provider: 'turnstile', secret })
  })

  test('keeps its secret when the record is sent back as it was read', async () => {
    await patch({ registration: { captcha: { provider: 'hcaptcha', secret } } })
    const { body: settings } = await institute.owner.get('/settings')
    expect((await patch(settings)).status).toBe(200)
    expect(await captcha()).toEqual({ provider: 'hcaptcha', secret })
  })

  test('needs a new secret with a new provider, and is removed with null', async () => {
    await patch({ registration: { captcha: { provider: 'hcaptcha', secret } } })
    expect((await patch({ registration: { captcha: { provider: 'recaptcha' } } })).status).toBe(422)
    expect((await patch({ registration: { captcha: { provider: 'recaptcha', secret: 'other' } } })).status).toBe(200)
    expect(await captcha()).toEqual({ provider: 'recaptcha', secret: 'other' })
    expect((await patch({ registration: { captcha: null } })).body.registration.captcha).toBeNull()
    expect(await captcha()).toBeNull()
  })
})

describe('the currency', () => {
  test('is fixed once an invoice exists: 409', async () => {
    expect((await patch({ currency: 'USD' })).body.currency).toBe('USD')
    expect((await makeInvoice()).body.total.currency).toBe('USD')
    const refused = await patch({ currency: 'EUR', name: 'Unchanged' })
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } })
    expect((await patch({ currency: 'USD', name: 'Renamed' })).body).toMatchObject({ currency: 'USD', name: 'Renamed' })
  })

  test('cannot change while an invoice is being created', async () => {
    for (let round = 0; round < 5; round += 1) {
      const fresh = await makeInstitute(app)
      const [changed, fixed] = await Promise.all([
        fresh.owner.patch('/settings', { currency: 'EUR' }),
        runInTransaction(app.app.runtime, systemAuditContext('test'), (unit) =>
          lockCurrency(unit.tenant(fresh.tenant, 'all')),
        ),
      ])
      const { body } = await fresh.owner.get('/settings')
      expect(body.currency).toBe(fixed)
      expect(changed.status).toBe(fixed === 'EUR' ? 200 : 409)
    }
  })
})
