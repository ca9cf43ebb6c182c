import { exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Access } from '#kernel/contract/access.ts'
import type { Endpoint } from '#kernel/contract/endpoint.ts'
import { newId } from '#kernel/basics/ids.ts'
import { ALL_PERMISSIONS, withImplied, type Permission } from '#kernel/rights/permissions.ts'
import { permissionsOf } from '#http/admission/access.ts'
import { makeSigningKey } from '#modules/identity/index.ts'
import { sealedSecret } from '#runtime/secrets/sealed-secrets.ts'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import type { Client, Reply } from '#kit/client.ts'
import { loadExamples, sendExample, worldOf, type Example, type World } from '#kit/examples.ts'
import { kindsOnPostgres } from '#kit/kinds.ts'
import { extraEndpoints } from '#kit/extra-endpoints.ts'
import { jsonSchemaOf, readDocument } from '#kit/openapi/document.ts'
import { makeInstitute } from '#kit/institute.ts'
import { recordNames, recordsOf } from '#kit/fixtures.ts'
import { platformAdmin } from '#kit/platform-admin.ts'
import { putInto, type TenantState } from '#kit/tenant-states.ts'
import { watchWrites, type Write } from '#kit/writes.ts'
import { newApiKey } from '../examples/integrations.ts'

/**
 * Calls every endpoint as everybody who must not get through, and with values that it must not accept: each call is
 * refused as declared, and writes no row.
 */

let app: TestApp
let writes: () => Promise<Write[]>
let ours: World
let foreign: World
/** The owner of an institute whose subscription has ended: it can be read. */
let expiredOwner: Client
/** Records of the foreign institute, by the names that filters and bodies use for them; its own lists find them. */
let theirs: Record<string, string>
const maker = await loadExamples()

const probe = await startApp({ modules: [extraEndpoints] })
const endpoints = [...probe.app.endpoints]
const document = await readDocument(probe)
await probe.close()
const each = endpoints.map((endpoint) => [endpoint.id, endpoint] as const)

const isOpen = (access: Access): boolean => access === 'anyone' || access === 'user' || access === 'platform'
const inTenant = each.filter(([, { access }]) => !isOpen(access))

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/
const ORIGIN = 'https://example.org'

type Refusal = `${number} ${string}`

/** Callers who must not get through, and how the endpoint refuses them; undefined where they may call it. */
interface Stranger {
  client: Client | ((access: Access) => Promise<Client>)
  refusal(access: Access, endpoint: Endpoint): Refusal | undefined
  headers?: Record<string, string>
}
const strangers: Record<string, Stranger> = {}

const to = {
  everybody: (refusal: Refusal) => () => refusal,
  members: (refusal: Refusal) => (access: Access) => (isOpen(access) ? undefined : refusal),
  holders: (refusal: Refusal) => (access: Access) =>
    access === 'owner' || access === 'platform' || permissionsOf(access).length > 0 ? refusal : undefined,
  anybodyButCallersOfTheInstitute: (refusal: Refusal) => (access: Access) =>
    access === 'tenant' || access === 'publishable' ? undefined : refusal,
}
const unauthorized = to.everybody('401 UNAUTHORIZED')

/** Every permission that does not admit its holder. */
const everythingBut = (access: Access): Permission[] => {
  const needed = permissionsOf(access)
  return ALL_PERMISSIONS.filter((held) => !needed.some((permission) => withImplied([held]).has(permission)))
}

/** Invalid access tokens of a user with every permission. */
const forgedTokens = async (userId: string, sessionId: string): Promise<Record<string, string>> => {
  const now = Math.floor(app.clock.millis() / 1000)
  const claims = { sub: userId, sid: sessionId, tid: ours.institute.tenant.id, iat: now, exp: now + 600 }
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const token = (header: object = {}, more: object = {}) =>
    new SignJWT({ ...claims, ...more }).setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', ...header })
  const jwk = JSON.parse(await sealedSecret({ ...app.app, clock: app.clock }, 'access-token-key', makeSigningKey)) as {
    x: string
  }
  const key = await importJWK(jwk, 'EdDSA')
  const other = await generateKeyPair('EdDSA', { crv: 'Ed25519' })
  const [header, , signature] = (await token({}, { sid: newId() }).sign(key)).split('.') as [string, string, string]
  return {
    'a token of another signing key': await token().sign(other.privateKey),
    'a token that brings its own key': await token({ jwk: await exportJWK(other.publicKey) }).sign(other.privateKey),
    'a token with alg none': `${part({ alg: 'none', typ: 'at+jwt' })}.${part(claims)}.`,
    'a token with the public key for a secret': await token({ alg: 'HS256' }).sign(Buffer.from(jwk.x, 'base64url')),
    'a token with another payload under its signature': `${header}.${part(claims)}.${signature}`,
    'a token of our key for something else': await token({ typ: 'JWT' }).sign(key),
    'a token that has expired': await token({}, { iat: now - 900, exp: now }).sign(key),
  }
}

beforeAll(async () => {
  app = await startApp({
    config: { registration: true, ...NO_LIMITS, accessTokenSeconds: 86_400 },
    modules: [extraEndpoints],
  })
  writes = await watchWrites(app)
  const institute = await makeInstitute(app)
  ours = worldOf(app, institute)
  foreign = worldOf(app, await makeInstitute(app))
  theirs = await foreignRecords()
  const { owner, tenant } = institute
  const mighty = () => institute.member({ permissions: [...ALL_PERMISSIONS] })
  const tenantId = tenant.id
  const [one, another] = [await mighty(), await mighty()]

  for (const [name, token] of Object.entries(await forgedTokens(one.userId, one.sessionId))) {
    strangers[name] = { client: app.as(token), refusal: unauthorized }
  }
  strangers['a token for somebody else’s session'] = {
    client: app.as(await app.app.tokens.issue({ userId: one.userId, sessionId: another.sessionId, tenantId })),
    refusal: unauthorized,
  }
  const gone = await mighty()
  await gone.post('/auth/logout')
  strangers['a session that was ended'] = { client: gone, refusal: unauthorized }

  const banned = await mighty()
  await app.app.database.write((db) =>
    db.updateTable('user').set({ status: 'disabled' }).where('id', '=', banned.userId).execute(),
  )
  strangers['a disabled account'] = { client: banned, refusal: to.everybody('403 ACCOUNT_DISABLED') }

  const [disabled, removed] = [await mighty(), await mighty()]
  await owner.patch(`/members/${disabled.membershipId}`, { status: 'disabled' })
  await owner.delete(`/members/${removed.membershipId}`)
  const outsider = await foreign.institute.member({ permissions: [...ALL_PERMISSIONS] })
  const { userId, sessionId } = outsider
  for (const [name, client] of Object.entries({
    'a disabled member': disabled,
    'a removed member whose token is still good': removed,
    'a token for an institute that its user is no member of': app.as(
      await app.app.tokens.issue({ userId, sessionId, tenantId }),
    ),
  })) {
    strangers[name] = { client, refusal: to.members('403 MEMBERSHIP_INACTIVE') }
  }

  const permissions = ALL_PERMISSIONS
  const revoked = await newApiKey(ours, { permissions })
  await owner.delete(`/api-keys/${revoked.id}`)
  const expired = await newApiKey(ours, { permissions, expiresAt: '2026-03-02T08:01:00.000Z' })
  app.clock.set('2026-03-02T08:01:00.000Z')
  const cut = (await newApiKey(ours, { permissions })).key.slice(0, -1)
  for (const [name, key] of Object.entries({ revoked: revoked.key, expired: expired.key, 'cut short': cut })) {
    strangers[`an API key, ${name}`] = { client: app.as(key), refusal: unauthorized }
  }
  const publishable = app.as((await newApiKey(ours, { kind: 'publishable', allowedOrigins: [ORIGIN] })).key)
  strangers['a publishable key from its origin'] = {
    client: publishable,
    headers: { origin: ORIGIN },
    refusal: to.anybodyButCallersOfTheInstitute('403 FORBIDDEN'),
  }
  strangers['a publishable key from elsewhere'] = {
    client: publishable,
    headers: { origin: 'https://evil.example' },
    refusal: to.everybody('403 FORBIDDEN'),
  }
  strangers['a secret key without the permission'] = {
    client: async (access) => app.as((await newApiKey(ours, { permissions: everythingBut(access) })).key),
    refusal: to.holders('403 FORBIDDEN'),
  }
  strangers['a secret key at what is for people'] = {
    client: app.as((await newApiKey(ours, { permissions })).key),
    refusal: (access) =>
      access === 'user' || access === 'platform' || access === 'owner' ? '403 FORBIDDEN' : undefined,
  }
  strangers['a member with every permission but the one'] = {
    client: (access) => institute.member({ permissions: everythingBut(access) }),
    // Whoever may change a lesson or an exam uploads its files.
    refusal: (access, endpoint) =>
      endpoint.id === 'files.upload-url' ? undefined : to.holders('403 FORBIDDEN')(access),
  }
  strangers['an administrator at what is for the owner'] = {
    client: await institute.member({ role: 'admin' }),
    refusal: (access) => (access === 'owner' || access === 'platform' ? '403 FORBIDDEN' : undefined),
  }
  const forPlatform = (access: Access): Refusal | undefined => (access === 'platform' ? '403 FORBIDDEN' : undefined)
  strangers['an owner at what is for the platform'] = { client: owner, refusal: forPlatform }
  strangers['a platform admin who impersonates nobody'] = {
    client: await platformAdmin(app),
    refusal: to.members('403 FORBIDDEN'),
  }
  const refusals: Record<Exclude<TenantState, 'active'>, (endpoint: Endpoint) => Refusal | undefined> = {
    locked: ({ lockExempt }) => (lockExempt ? undefined : '402 SUBSCRIPTION_SUSPENDED'),
    archived: () => '403 TENANT_SUSPENDED',
    expired: ({ method, lockExempt }) => (method === 'GET' || lockExempt ? undefined : '402 PAYMENT_REQUIRED'),
  }
  for (const [state, refusal] of Object.entries(refusals) as [keyof typeof refusals, typeof refusals.locked][]) {
    const other = await makeInstitute(app)
    const key = await newApiKey({ owner: other.owner }, { permissions })
    await putInto(app, other, state)
    if (state === 'expired') expiredOwner = other.owner
    strangers[`the owner of another institute, which is ${state}`] = {
      client: other.owner,
      refusal: (access, endpoint) => (isOpen(access) ? forPlatform(access) : refusal(endpoint)),
    }
    strangers[`an API key of another institute, which is ${state}`] = {
      client: app.as(key.key),
      refusal: (access, endpoint) => (isOpen(access) ? undefined : refusal(endpoint)),
    }
  }
}, 60_000)
afterAll(() => app.close())

/** What takes many records and refuses each by itself answers 200; records out of reach are then refused as not found. */
const refusesAll = ({ status, body }: Reply): boolean =>
  status === 200 && body?.refused?.length > 0 && body.refused.every(({ reason }: Refused) => reason === 'not_found')
interface Refused {
  reason: string
}

/** That somebody asked in vain for many records stands in the audit log, as every change that was answered with 200. */
const isNoted = ({ table }: Write): boolean => table === 'audit_entry'

const outcome = (reply: Reply): string => {
  if (refusesAll(reply)) return '404 NOT_FOUND'
  return `${reply.status} ${reply.body?.error?.code ?? ''}`.trim()
}

/** Every uuid in a value, with the path to it. */
const idsIn = (value: unknown, at: readonly string[] = []): [path: readonly string[], id: string][] => {
  if (typeof value === 'string') return UUID.test(value) ? [[at, value]] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => idsIn(inner, [...at, key]))
}

const replaced = <T>(value: T, [key, ...rest]: readonly string[], by: string): T => {
  if (key === undefined) return by as T
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>
  copy[key] = replaced(copy[key], rest, by)
  return copy as T
}

/** The example with one of its ids replaced by one of the other institute, once for each id. */
const mixed = (own: Example, other: Example): [where: string, example: Example][] => {
  const others = new Map(idsIn(other).map(([path, id]) => [path.join('.'), id]))
  const { params = {}, body } = own
  return idsIn({ params, body }).flatMap(([path, id]): [string, Example][] => {
    const foreignId = others.get(path.join('.'))
    return foreignId === undefined || foreignId === id ? [] : [[path.join('.'), replaced(own, path, foreignId)]]
  })
}

/** undefined: the document leaves out what pages alone ask for. */
const operationOf = ({ path, method }: Endpoint) => document.paths[path.replace(/^\/\//, '/')]?.[method.toLowerCase()]
const propertiesOf = (endpoint: Endpoint): Set<string> =>
  new Set(Object.keys(jsonSchemaOf(operationOf(endpoint)?.requestBody)?.properties ?? {}))
const idFilters = (endpoint: Endpoint): string[] =>
  (operationOf(endpoint)?.parameters ?? []).flatMap((parameter) =>
    !('$ref' in parameter) && parameter.in === 'query' && parameter.schema.format === 'uuid' ? [parameter.name] : [],
  )

/** Properties of a body that hold one id. */
const idProperties = (endpoint: Endpoint): string[] =>
  Object.entries(jsonSchemaOf(operationOf(endpoint)?.requestBody)?.properties ?? {}).flatMap(([name, schema]) =>
    [schema, ...(schema.anyOf ?? [])].some(({ format }) => format === 'uuid') ? [name] : [],
  )

const kept = new Map<string, Promise<Example>>()
/** One own example for all requests that are refused or only read, because they leave what it names as it is. */
const shared = (endpoint: Endpoint): Promise<Example> =>
  kept.get(endpoint.id) ?? kept.set(endpoint.id, maker(endpoint).make(ours)).get(endpoint.id)!

const foreignRecords = async (): Promise<Record<string, string>> => {
  const record = await recordsOf(foreign)
  const found: Record<string, string> = {}
  for (const name of await recordNames()) found[name] = await record(name)
  return found
}

const entrances = kindsOnPostgres(each.filter(([, { access }]) => access !== 'anyone'))

describe('nobody gets through who must not', () => {
  test.each(entrances)('into %s', async (_, endpoint) => {
    const { access } = endpoint
    const example = await shared(endpoint)
    const callers = await Promise.all(
      Object.entries(strangers)
        .filter(([, { refusal }]) => refusal(access, endpoint) !== undefined)
        .map(async ([name, stranger]) => {
          const client = typeof stranger.client === 'function' ? await stranger.client(access) : stranger.client
          return [name, { ...stranger, client }] as const
        }),
    )
    await writes()
    const met: Record<string, string> = {}
    for (const [name, { client, headers }] of callers) {
      met[name] = outcome(
        await sendExample(endpoint, { ...example, headers: { ...example.headers, ...headers } }, client),
      )
    }
    expect(met).toEqual(Object.fromEntries(callers.map(([name, { refusal }]) => [name, refusal(access, endpoint)])))
    expect(await writes()).toEqual([])
  })

  test.each(inTenant)('from another institute into %s', async (_, endpoint) => {
    const example = await shared(endpoint)
    if (idsIn({ ...example.params, body: example.body }).length === 0) return
    const { key } = await newApiKey(foreign, { permissions: ALL_PERMISSIONS })
    await writes()
    const reply = await sendExample(endpoint, example, foreign.owner)
    expect(outcome(reply)).toBe('404 NOT_FOUND')
    if (endpoint.method === 'GET') {
      expect(outcome(await sendExample(endpoint, example, expiredOwner))).toBe('404 NOT_FOUND')
    }
    expect((await writes()).filter((write) => !refusesAll(reply) || !isNoted(write))).toEqual([])
    const byKey = await sendExample(endpoint, example, app.as(key))
    expect(outcome(byKey)).toBe(endpoint.access === 'owner' ? '403 FORBIDDEN' : '404 NOT_FOUND')
    // The only write is the stored 404, for repeats of a key.
    const written = (await writes()).filter((write) => !refusesAll(byKey) || !isNoted(write))
    expect(written.filter(({ table }) => table !== 'idempotency_record')).toEqual([])
    expect(written.filter(({ how }) => how === 'insert').length).toBeLessThanOrEqual(1)
    expect(written.filter(({ how }) => how === 'delete')).toEqual([])
  })

  test.each(inTenant)('with one id of another institute among the own ones of %s', async (_, endpoint) => {
    const own = await shared(endpoint)
    const added = idProperties(endpoint).map((name): [string, Example] => {
      const body = { ...(own.body as object), [name]: theirs[name] ?? newId() }
      return [`body.${name}`, { ...own, body }]
    })
    const mixtures = [...mixed(own, await maker(endpoint).make(foreign)), ...added]
    await writes()
    let isRefusedByItself = false
    for (const [where, example] of mixtures) {
      const reply = await sendExample(endpoint, example, own.as ?? ours.owner)
      isRefusedByItself ||= refusesAll(reply)
      const met = outcome(reply)
      expect(['404 NOT_FOUND', '422 VALIDATION_ERROR'], `${where}: ${met}`).toContain(met)
    }
    // The only write is the stored reply, for repeats of a key.
    const written = (await writes()).filter((write) => !isRefusedByItself || !isNoted(write))
    expect(written.filter(({ table }) => table !== 'idempotency_record' || !own.as)).toEqual([])
  })

  // A paper is no list: its own filters are tested with it.
  const lists = inTenant.filter(([, { gives }]) => gives === 'json')
  test.each(lists.flatMap(([id, endpoint]) => idFilters(endpoint).map((name) => [name, id, endpoint] as const)))(
    'by the filter %s of %s',
    async (filter, _, endpoint) => {
      const example = await shared(endpoint)
      const record = theirs[filter]
      const reply = await sendExample(endpoint, { ...example, query: `?${filter}=${record}` }, ours.owner)
      // What is found, or what comes of it: sums are the same as for an id that nobody has.
      const nothing =
        reply.status !== 200 || reply.body.data !== undefined
          ? []
          : (await sendExample(endpoint, { ...example, query: `?${filter}=${newId()}` }, ours.owner)).body
      if (reply.status === 200) expect(reply.body.data ?? reply.body).toEqual(nothing)
      else expect(outcome(reply)).toBe('404 NOT_FOUND')
      // The filter is not merely ignored: in its own institute it finds something.
      const found = await sendExample(endpoint, { query: `?${filter}=${record}` }, foreign.owner)
      expect(found.body.data ?? found.body).not.toEqual(nothing)
    },
  )
})

/** Fields that callers must not be able to set. */
const smuggled = () => ({
  id: newId(),
  tenantId: foreign.institute.tenant.id,
  tenant_id: foreign.institute.tenant.id,
  status: 'smuggled',
  version: 777_777,
  createdAt: '1999-12-31T00:00:00.000Z',
  created_at: '1999-12-31T00:00:00.000Z',
  createdByUserId: foreign.institute.ownerUserId,
  userId: foreign.institute.ownerUserId,
  isPlatformAdmin: true,
  key: 'smuggled',
})

describe('fields that a body cannot set', () => {
  // A signed body takes no other fields at all.
  const isSigned = (id: string) => id === 'licenses.name-install'
  const takers = each.filter(([id, one]) => one.body && one.takes === 'json' && !one.closed && !isSigned(id))
  test.each(kindsOnPostgres(takers))('is not assigned by %s', async (_, endpoint) => {
    const example = await maker(endpoint).make(ours)
    const declared = propertiesOf(endpoint)
    const more = Object.fromEntries(Object.entries(smuggled()).filter(([name]) => !declared.has(name)))
    const { tenant, ownerUserId } = foreign.institute
    const marks = [more.id, 'smuggled', '777777', '1999-12-31', tenant.id, ownerUserId].map(String)
    await writes()
    const sent = { ...example, body: { ...more, ...(example.body as object) } }
    const reply = await sendExample(endpoint, sent, example.as ?? ours.owner)
    expect([endpoint.status, ...endpoint.otherStatuses], JSON.stringify(reply.body)).toContain(reply.status)
    const admin = endpoint.id === 'platform-users.create' ? /(?!)/ : /\bis_platform_admin='?(?:1|true)\b/
    const isTrace = ({ row }: Write) => admin.test(row) || marks.some((mark) => row.includes(mark))
    expect((await writes()).filter(isTrace)).toEqual([])
  })
})
