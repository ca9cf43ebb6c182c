import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#kernel/basics/ids.ts'
import { domainsOf } from '#modules/domains/index.ts'
import { txtByNameServers } from '#ports/dns/name-servers.ts'
import { readHandle } from '#runtime/records/handles.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client, Reply } from '#kit/client.ts'
import { announced, png } from '#kit/files.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { platformAdmin } from '#kit/platform-admin.ts'
import { auditOf } from '#kit/sign-in.ts'
import { txtServer, type TxtServer, type ZoneEntry } from '#kit/txt-server.ts'

let dns: TxtServer
let app: TestApp
let admin: Client
let ours: TestInstitute
let theirs: TestInstitute
let made = 0

const VENDOR = 'institutes.example.com'

beforeAll(async () => {
  dns = await txtServer()
  app = await startApp({
    config: { mode: 'cloud', baseUrl: `https://${VENDOR}` },
    txtRecords: txtByNameServers({ servers: [dns.server], deadlineMillis: 600 }),
  })
  admin = await platformAdmin(app)
})
afterAll(async () => {
  await app.close()
  await dns[Symbol.asyncDispose]()
})
beforeEach(async () => {
  ours = await makeInstitute(app, { features: { custom_domain: true } })
  theirs = await makeInstitute(app, { features: { custom_domain: true } })
  dns.zone.clear()
})

const fresh = () => `school-${(made += 1)}.example.org`
const add = ({ tenant }: TestInstitute, domain: string, kind = 'custom'): Promise<Reply> =>
  admin.post(`/platform/tenants/${tenant.id}/domains`, { domain, kind })
const verify = (id: string): Promise<Reply> => admin.post(`/platform/domains/${id}/verify`)
const txtOf = (domain: string) => `_institute-verify.${domain}`

/** Adds a custom domain, and puts its token into the DNS. */
const added = async (institute: TestInstitute, domain = fresh()) => {
  const { body } = await add(institute, domain)
  dns.zone.set(txtOf(body.domain), { txt: [body.verificationToken] })
  return body
}
const verified = async (institute: TestInstitute, domain = fresh()) =>
  (await verify((await added(institute, domain)).id)).body

describe('POST /platform/tenants/{id}/domains', () => {
  test('adds a custom domain, which is not verified yet, with the token of its TXT record', async () => {
    const domain = fresh()
    const { status, body } = await add(ours, domain)
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(String),
        tenantId: ours.tenant.id,
        domain,
        kind: 'custom',
        verificationToken: expect.stringMatching(/^[\w-]{32}$/),
        verifiedAt: null,
        isPrimary: false,
        createdAt: app.clock.now(),
        updatedAt: app.clock.now(),
      },
    ])
    const entry = (await auditOf(app, 'platform-domains.create')).at(-1)
    expect(entry).toMatchObject({ tenant_id: ours.tenant.id, actor_type: 'platform_admin', entity_id: body.id })
  })

  test.each([
    ['  SCHOOL-a.Example.ORG. ', 'school-a.example.org'],
    ['مدرسة.example.org', 'xn--ogblgi1g.example.org'],
    ['בית-ספר.ישראל', 'xn----1hcy7apyk.xn--4dbrk0ce'],
    ['xn--ogblgi1g.xn--ygbi2ammx', 'xn--ogblgi1g.xn--ygbi2ammx'],
    ['ＦＵＬＬ。example。org', 'full.example.org'],
  ])('%s is kept as the DNS has it', async (typed, domain) => {
    const { body } = await add(ours, typed)
    expect(body.domain).toBe(domain)
    expect((await add(ours, domain)).body.error.details).toEqual({ reason: 'domain_taken' })
  })

  test.each([
    '127.0.0.1',
    '0x7f.1',
    '0177.0.0.1',
    '2130706433',
    '２１.1',
    '[::1]',
    '::1',
    'school.example.org:8080',
    'https://school.example.org',
    'school.example.org/path',
    'user@school.example.org',
    'school',
    'localhost.',
    '',
    '*.example.org',
    '_dmarc.example.org',
    'a_b.example.org',
    'a b.example.org',
    '-a.example.org',
    'a-.example.org',
    'a..example.org',
    '.example.org',
    'school.example.org..',
    'a%2eexample.org',
    'a\\b.example.org',
    'a#b.example.org',
    'a?b.example.org',
    `${'a'.repeat(64)}.example.org`,
    `${'a.'.repeat(120)}org`,
    'school.1',
    'ab\u200d.example.org',
    `${'م'.repeat(60)}.example.org`,
    'a'.repeat(100_000),
    'school\n.example.org',
  ])('%j is 422', async (domain) => {
    const { status, body } = await add(ours, domain)
    expect([status, body.error.details.issues[0].path]).toEqual([422, ['domain']])
  })

  test('needs the flag custom_domain for a custom domain, and not for a subdomain', async () => {
    const plain = await makeInstitute(app)
    expect((await add(plain, fresh())).body.error).toMatchObject({
      code: 'FEATURE_DISABLED',
      details: { feature: 'custom_domain' },
    })
    expect((await add(plain, `plain-${(made += 1)}.${VENDOR}`, 'subdomain')).status).toBe(201)
  })

  test('a subdomain is below the vendor’s own domain, verified at once, and nobody else’s any more', async () => {
    const domain = `noor-${(made += 1)}.${VENDOR}`
    expect((await add(ours, domain, 'subdomain')).body).toMatchObject({ verifiedAt: app.clock.now(), isPrimary: false })
    expect((await add(theirs, domain, 'subdomain')).body.error.code).toBe('CONFLICT')
    for (const other of [fresh(), VENDOR, `evil${VENDOR}`])
      expect((await add(ours, other, 'subdomain')).status).toBe(422)
    for (const own of [VENDOR, `other.${VENDOR}`]) expect((await add(ours, own)).status).toBe(422)
  })

  test('a subdomain is 422 while the server has no address of its own', async () => {
    const nameless = await startApp({ config: { mode: 'cloud' } })
    const { tenant } = await makeInstitute(nameless)
    const reply = await (
      await platformAdmin(nameless)
    ).post(`/platform/tenants/${tenant.id}/domains`, {
      domain: fresh(),
      kind: 'subdomain',
    })
    expect([reply.status, reply.body.error.details.issues[0].path]).toEqual([422, ['kind']])
    await nameless.close()
  })

  test('a name that the institute has is 409, and a claim of another institute stands in nobody’s way', async () => {
    const domain = fresh()
    expect((await add(ours, domain)).status).toBe(201)
    expect((await add(ours, domain.toUpperCase())).body.error.code).toBe('CONFLICT')
    expect((await add(theirs, domain)).status).toBe(201)
  })

  test('an archived institute gets none', async () => {
    await app.app.database.write((db) =>
      db.updateTable('tenant').set({ status: 'archived' }).where('id', '=', ours.tenant.id).execute(),
    )
    expect((await add(ours, fresh())).body.error.code).toBe('CONFLICT')
  })

  test('the 101st domain is 409', async () => {
    await app.app.database.write((db) =>
      db
        .insertInto('tenant_domain')
        .values(
          Array.from({ length: 100 }, (_, index) => ({
            id: newId(),
            tenant_id: ours.tenant.id as never,
            domain: `many-${index}.example.net`,
            kind: 'custom' as const,
            verification_token: 'x',
            verified_at: null,
            is_primary: false,
            created_at: app.clock.now(),
            updated_at: app.clock.now(),
          })),
        )
        .execute(),
    )
    expect((await add(ours, fresh())).body.error).toMatchObject({ code: 'CONFLICT', details: { most: 100 } })
  })

  test('an unknown institute is 404 TENANT_NOT_FOUND', async () => {
    const body = { domain: fresh(), kind: 'custom' }
    for (const reply of [
      await admin.post(`/platform/tenants/${newId()}/domains`, body),
      await admin.get(`/platform/tenants/${newId()}/domains`),
    ]) {
      expect(reply.body.error.code).toBe('TENANT_NOT_FOUND')
    }
  })
})

test('GET /platform/tenants/{id}/domains is a page of that institute’s alone, newest first', async () => {
  const domains: string[] = []
  for (let index = 0; index < 3; index += 1) {
    app.clock.advance(1)
    domains.unshift((await add(ours, fresh())).body.domain)
  }
  await add(theirs, fresh())
  const first = await admin.get(`/platform/tenants/${ours.tenant.id}/domains?limit=2`)
  const second = await admin.get(`/platform/tenants/${ours.tenant.id}/domains?cursor=${first.body.nextCursor}`)
  const shown = [...first.body.data, ...second.body.data].map(({ domain }: { domain: string }) => domain)
  expect([shown, second.body.nextCursor]).toEqual([domains, null])
  const whole = await domainsOf(readHandle(app.app.runtime, ours.tenant.id, 'all'))
  expect(whole).toEqual([...first.body.data, ...second.body.data])
  const foreign = await admin.get(`/platform/tenants/${theirs.tenant.id}/domains?cursor=${first.body.nextCursor}`)
  expect(foreign.status).toBe(422)
})

describe('POST /platform/domains/{id}/verify', () => {
  test('verifies by the TXT record, once', async () => {
    const { id, domain } = await added(ours)
    const { status, body } = await verify(id)
    expect([status, body]).toMatchObject([200, { id, domain, verifiedAt: app.clock.now(), isPrimary: false }])
    dns.zone.clear()
    app.clock.advance(60)
    expect((await verify(id)).body).toEqual(body)
  })

  test('takes the token among other records, split into strings, with blanks around it, and behind an alias', async () => {
    const zones: ((token: string) => Record<string, ZoneEntry>)[] = [
      (token) => ({ here: { txt: ['v=spf1 -all', 'x'.repeat(200), token] } }),
      (token) => ({ here: { txt: [[token.slice(0, 5), token.slice(5)]] } }),
      (token) => ({ here: { txt: [` ${token} `] } }),
      (token) => ({ here: { alias: 'txt.other.example' }, 'txt.other.example': { txt: [token] } }),
      (token) => ({ here: { txt: [...Array.from({ length: 100 }, (_, index) => `other ${index}`), token] } }),
    ]
    for (const entryOf of zones) {
      const { id, domain, verificationToken } = await added(ours)
      for (const [name, entry] of Object.entries(entryOf(verificationToken))) {
        dns.zone.set(name === 'here' ? txtOf(domain) : name, entry)
      }
      expect((await verify(id)).status).toBe(200)
    }
  })

  test.each<[string, ZoneEntry | undefined, string, RegExp]>([
    ['no such name', undefined, 'dns_no_name', /^There is no _institute-verify\.school-\d+\.example\.org in the DNS/],
    ['no TXT record', { txt: [] }, 'dns_no_record', /has no TXT record in the DNS\. Add one/],
    ['another value', { txt: ['something else'] }, 'dns_other_value', /^The TXT record of .* is not the verification/],
    [
      'other values',
      { txt: ['one', 'two'] },
      'dns_other_value',
      /^None of the 2 TXT records of .* is the verification/,
    ],
    ['a token in other text', { txt: ['token'] }, 'dns_other_value', /is not the verificationToken/],
    ['SERVFAIL', { code: 2 }, 'dns_server_failed', /^The name servers failed when they were asked/],
    ['REFUSED', { code: 5 }, 'dns_server_failed', /^The name servers failed/],
    ['silence', 'silence', 'dns_no_answer', /^No name server answered in time/],
    ['an alias that leads nowhere', { alias: 'gone.example' }, 'dns_no_name', /^There is no _institute-verify/],
  ])(
    '%s is 422, with a code and what was found in words, and leaves it unverified',
    async (_, entry, reason, words) => {
      const { id, domain, verificationToken } = await added(ours)
      dns.zone.delete(txtOf(domain))
      if (entry !== undefined) dns.zone.set(txtOf(domain), entry)
      if (typeof entry === 'object' && 'txt' in entry && entry.txt[0] === 'token') {
        dns.zone.set(txtOf(domain), { txt: [`institute=${verificationToken}`] })
      }
      const { status, body } = await verify(id)
      expect([status, body.error.code]).toEqual([422, 'VALIDATION_ERROR'])
      expect(body.error.details).toMatchObject({ reason, issues: [{ message: expect.stringMatching(words) }] })
      const { data } = (await admin.get(`/platform/tenants/${ours.tenant.id}/domains`)).body
      expect(data[0].verifiedAt).toBeNull()
    },
  )

  test('what was found instead is shown, cut where there is much of it', async () => {
    const { id, domain } = await added(ours)
    dns.zone.set(txtOf(domain), { txt: ['v=spf1 -all', ['x'.repeat(200), 'x'.repeat(200)], 'a', 'b', 'c', 'd'] })
    expect((await verify(id)).body.error.details.found).toEqual(['v=spf1 -all', 'x'.repeat(255), 'a', 'b', 'c'])
  })

  test('another institute’s token proves nothing', async () => {
    const domain = fresh()
    const mine = await added(ours, domain)
    const { id } = (await add(theirs, domain)).body
    expect((await verify(id)).status).toBe(422)
    expect((await verify(mine.id)).status).toBe(200)
  })

  test('whoever proves a name first has it; of two at once one does', async () => {
    const domain = fresh()
    const [one, other] = [await added(ours, domain), await added(theirs, domain)]
    dns.zone.set(txtOf(domain), { txt: [one.verificationToken, other.verificationToken] })
    const replies = await Promise.all([verify(one.id), verify(other.id)])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const third = await makeInstitute(app, { features: { custom_domain: true } })
    expect((await add(third, domain)).body.error.code).toBe('CONFLICT')
    const [winner] = replies.filter(({ status }) => status === 200)
    await admin.delete(`/platform/domains/${winner?.body.id}`)
    expect((await add(third, domain)).status).toBe(201)
  })

  test('a domain that is not there, or not any more, is 404', async () => {
    const { id } = await added(ours)
    expect((await verify(newId())).body.error.code).toBe('NOT_FOUND')
    await admin.delete(`/platform/domains/${id}`)
    expect((await verify(id)).body.error.code).toBe('NOT_FOUND')
  })
})

describe('POST /platform/domains/{id}/primary', () => {
  const primary = (id: string) => admin.post(`/platform/domains/${id}/primary`)
  const primaries = async ({ tenant }: TestInstitute): Promise<string[]> =>
    (await admin.get(`/platform/tenants/${tenant.id}/domains`)).body.data
      .filter(({ isPrimary }: { isPrimary: boolean }) => isPrimary)
      .map(({ id }: { id: string }) => id)

  test('is for verified domains, and makes one of them the only one', async () => {
    const unproven = await added(ours)
    expect((await primary(unproven.id)).body.error.code).toBe('CONFLICT')
    const [one, other] = [await verified(ours), await verified(ours)]
    expect((await primary(one.id)).body).toMatchObject({ id: one.id, isPrimary: true })
    expect((await primary(other.id)).body).toMatchObject({ id: other.id, isPrimary: true })
    expect(await primaries(ours)).toEqual([other.id])
    const again = await primary(other.id)
    expect(again.body.isPrimary).toBe(true)
    await verified(theirs)
    expect(await primaries(theirs)).toEqual([])
  })

  test('of many at once one is primary in the end', async () => {
    const ids: string[] = []
    for (let index = 0; index < 4; index += 1) ids.push((await verified(ours)).id)
    const replies = await Promise.all([...ids, ...ids].map(primary))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await primaries(ours)).toHaveLength(1)
  })

  test('the database itself refuses a second primary, an unverified one, and a second owner of a name', async () => {
    const row = {
      tenant_id: ours.tenant.id as never,
      kind: 'custom' as const,
      verification_token: 'x',
      verified_at: app.clock.now(),
      is_primary: true,
      created_at: app.clock.now(),
      updated_at: app.clock.now(),
    }
    const insert = (more: object) =>
      app.app.database.write((db) =>
        db
          .insertInto('tenant_domain')
          .values({ ...row, id: newId(), domain: fresh(), ...more })
          .execute(),
      )
    const domain = fresh()
    await insert({ domain })
    await expect(insert({})).rejects.toThrow(/unique/i)
    await expect(insert({ tenant_id: theirs.tenant.id, domain })).rejects.toThrow(/unique/i)
    await expect(insert({ tenant_id: theirs.tenant.id, verified_at: null })).rejects.toThrow(/check/i)
  })
})

test('DELETE /platform/domains/{id} removes it for good, the primary one too', async () => {
  const { id } = await verified(ours)
  await admin.post(`/platform/domains/${id}/primary`)
  expect((await admin.delete(`/platform/domains/${id}`)).body).toEqual({ ok: true })
  expect((await admin.delete(`/platform/domains/${id}`)).body.error.code).toBe('NOT_FOUND')
  expect((await admin.get(`/platform/tenants/${ours.tenant.id}/domains`)).body.data).toEqual([])
  expect((await auditOf(app, 'platform-domains.delete')).at(-1)).toMatchObject({ tenant_id: ours.tenant.id })
})

describe('addresses of files in a reply', () => {
  const uploadAt = async ({ owner }: TestInstitute, host: string): Promise<string> => {
    const bytes = png(host)
    const reply = await owner.send('POST', '/files/upload-url', { body: announced(bytes), headers: { host } })
    return new URL(reply.body.uploadUrl).origin
  }

  test('begin with the domain that was asked at, if it is verified for this very institute', async () => {
    const [one, primary] = [await verified(ours), await verified(ours)]
    await admin.post(`/platform/domains/${primary.id}/primary`)
    const unproven = await added(ours)
    const foreign = await verified(theirs)
    expect(await uploadAt(ours, one.domain)).toBe(`https://${one.domain}`)
    expect(await uploadAt(ours, VENDOR)).toBe(`https://${VENDOR}`)
    for (const host of [primary.domain, unproven.domain, foreign.domain, 'evil.example', '127.0.0.1']) {
      // oxlint-disable-next-line no-await-in-loop -- few
      expect(await uploadAt(ours, host)).toBe(`https://${primary.domain}`)
    }
  })
})
