import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toJsonSchema } from '@valibot/to-json-schema'
import { findDevices, isLive } from '#modules/notifications/push/live-devices.ts'
import { ENDS, type Credential, type End } from '#kernel/contract/credential.ts'
import type { Endpoint } from '#kernel/contract/endpoint.ts'
import { isSecretName } from '#runtime/change/redact.ts'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute, type TestMember } from '#kit/institute.ts'
import { linkAccount } from '#kit/link-account.ts'
import { connectMcp } from '#kit/mcp.ts'
import { grantTo } from '#kit/oauth.ts'
import { readCatalogue } from '#kit/pairs/records.ts'
import { platformAdmin, type TestPlatformAdmin } from '#kit/platform-admin.ts'
import { startPushService } from '#kit/push-service.ts'
import { addPasskey, assertion } from '#kit/second-factor.ts'
import { emailOf, impersonate, mailedToken, PASSWORD } from '#kit/sign-in.ts'
import { newApiKey } from '../examples/integrations.ts'
import { SITE } from '../examples/leads.ts'
import { newGroup, newPupil, newSession } from '../examples/sessions.ts'

/**
 * Every credential that there is, from the declarations of the modules: none that the database or the vault holds is
 * missing there, each of the ends of a session or of a person does to each what its declaration says, and nobody gets one
 * in somebody else's name that outlives that.
 */

const BASE = 'https://office.example.org'
const NEW_PASSWORD = 'olive tree by the gate'

let app: TestApp
let admin: TestPlatformAdmin
let service: Awaited<ReturnType<typeof startPushService>>
beforeAll(async () => {
  app = await startApp({ config: { baseUrl: BASE, ...NO_LIMITS } })
  admin = await platformAdmin(app)
  service = await startPushService(() => app.clock.millis())
})
afterAll(async () => {
  await app.close()
  service.close()
})

const { app: probe } = await startApp()
const credentials = probe.modules.flatMap((module) => module.credentials ?? [])
const { endpoints } = probe
await probe.close()

/** A person with one of every credential, and what says of each whether it is good. */
interface Held {
  institute: TestInstitute
  person: TestMember
  /** Another session of the same person. */
  second: Client
  /** Somebody who was invited and has not come yet. */
  invited: { membershipId: string; userId: string }
  studentId: string
  impersonation: Client
  resetToken: string
  works: Record<string, () => Promise<boolean>>
}

const at = (url: string): string => url.replace(BASE, app.url)
const isPage = async (page: string, token: string): Promise<boolean> =>
  (await app.send('GET', `//links/${page}`, { headers: { 'x-link-token': token } })).status === 200

const newPerson = async (): Promise<Held> => {
  const institute = await makeInstitute(app, { features: { mcp: true } })
  const { owner, tenant } = institute
  const person = await institute.member({ permissions: ['students.read', 'mcp.access', 'roles.manage'] })
  const email = emailOf(person.userId)
  const place = { ...institute, owner }
  const groupId = await newGroup(place)
  const studentId = await newPupil(place, groupId)
  await newSession(place, groupId)
  await linkAccount(app, 'student', { id: studentId, userId: person.userId })

  const phone = await addPasskey(person)
  const signedIn = await app.post('/auth/login', { email, password: PASSWORD, client: 'mobile' })
  const second = app.as(signedIn.body.accessToken)
  const { data } = (await owner.get('/notification-providers')).body
  const { publicKey } = data.find(({ channel }: { channel: string }) => channel === 'push')
  expect((await second.post('/me/devices', service.subscribe(publicKey))).status).toBe(201)

  const impersonation = await impersonate(app, { userId: person.userId, tenantId: tenant.id })
  const looked = await second.post('/roles', { name: 'Looked at', permissions: ['students.read'] })
  const preview = app.as((await second.post(`/roles/${looked.body.id}/preview`)).body.accessToken)
  const { accessToken } = await grantTo(app, person, tenant.id)
  const { url } = (await person.post('/me/calendar')).body
  const secret = app.as((await newApiKey(institute, { permissions: ['students.read'] })).key)
  const { key: publishable } = await newApiKey(institute, { kind: 'publishable', allowedOrigins: [SITE] })
  await app.app.database.write((db) =>
    db.updateTable('user').set({ email_verified: false }).where('id', '=', person.userId).execute(),
  )
  await app.post('/auth/resend-verification', { email })
  await app.post('/auth/forgot-password', { email })
  const toInvite = `new-${studentId}@example.org`
  expect((await owner.post('/members', { email: toInvite, roleId: institute.roles.teacher })).status).toBe(201)
  await app.drain()
  const members = (await owner.get('/members?limit=100')).body.data
  const { membershipId, userId } = members.find(({ status }: { status: string }) => status === 'invited')
  const resetToken = mailedToken(app, email, 'reset-password')
  const verification = mailedToken(app, email, 'verify-email')
  const invitation = mailedToken(app, toInvite, 'invitation')

  const reads = async (client: Client): Promise<boolean> => (await client.get('/students')).status === 200
  return {
    institute,
    person,
    second,
    invited: { membershipId, userId },
    studentId,
    impersonation,
    resetToken,
    works: {
      password: async () => (await app.post('/auth/login', { email, password: PASSWORD })).status === 200,
      passkey: async () => (await app.post('/auth/passkey', await assertion(app, phone))).status === 200,
      session: () => reads(second),
      impersonation: () => reads(impersonation),
      'role-preview': () => reads(preview),
      'reset-link': () => isPage('reset-password', resetToken),
      'verification-link': () => isPage('verify-email', verification),
      invitation: async () => {
        const body = { token: invitation, fullName: 'Somebody New', password: NEW_PASSWORD }
        return (await app.post('/invitations/accept', body)).status === 200
      },
      assistant: async () => {
        try {
          const { call, client } = await connectMcp(app, accessToken)
          const { isError } = await call('students_find')
          await client.close()
          return !isError
        } catch {
          return false
        }
      },
      'calendar-address': async () => (await (await fetch(at(url))).text()).includes('BEGIN:VEVENT'),
      'api-key': () => reads(secret),
      'publishable-key': async () => {
        const { status } = await app.as(publishable).send('GET', '/public/courses', { headers: { origin: SITE } })
        return status === 200
      },
      'push-browser': async () => {
        const { read } = app.app.database
        const devices = await findDevices(read, { tenantId: tenant.id, userId: person.userId })
        return devices.some((device) => isLive(device, app.clock.now()))
      },
    },
  }
}

/** How each end comes about, as it does for people. */
const BRING: Record<End, (held: Held) => Promise<{ status: number }>> = {
  logout: ({ second }) => second.post('/auth/logout'),
  logout_all: ({ person }) => person.post('/auth/logout-all'),
  password_changed: ({ person }) =>
    person.post('/auth/change-password', { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }),
  password_reset: ({ resetToken: token }) => app.post('/auth/reset-password', { token, newPassword: NEW_PASSWORD }),
  user_disabled: async ({ person, invited }) => {
    await admin.patch(`/platform/users/${invited.userId}`, { status: 'disabled' })
    return admin.patch(`/platform/users/${person.userId}`, { status: 'disabled' })
  },
  membership_disabled: ({ institute, person }) =>
    institute.owner.patch(`/members/${person.membershipId}`, { status: 'disabled' }),
  membership_deleted: async ({ institute, person, invited }) => {
    await institute.owner.delete(`/members/${invited.membershipId}`)
    return institute.owner.delete(`/members/${person.membershipId}`)
  },
  role_taken: async ({ institute, person }) => {
    const { body } = await institute.owner.post('/roles', { name: 'Nothing', permissions: [] })
    return institute.owner.put(`/members/${person.membershipId}/roles`, { roles: [{ roleId: body.id }] })
  },
  tenant_locked: ({ institute }) => admin.post(`/platform/tenants/${institute.tenant.id}/lock`, { reason: 'Unpaid' }),
  tenant_archived: ({ institute }) => admin.post(`/platform/tenants/${institute.tenant.id}/archive`),
  impersonation_ended: ({ impersonation }) => impersonation.post('/auth/logout'),
  record_unlinked: ({ institute, studentId }) => institute.owner.patch(`/students/${studentId}`, { userId: null }),
}

const probed = (all: readonly Credential[]) => all.filter(({ ends }) => ends.length > 0)
const stateOf = async ({ works }: Held): Promise<Record<string, boolean>> => {
  const state: Record<string, boolean> = {}
  for (const [name, isGood] of Object.entries(works)) state[name] = await isGood()
  return state
}

describe('what ends', () => {
  test('nothing, while nothing has ended; and each credential that something ends is tried here', async () => {
    const held = await newPerson()
    expect(Object.keys(held.works).toSorted()).toEqual(
      probed(credentials)
        .map(({ name }) => name)
        .toSorted(),
    )
    expect(Object.entries(await stateOf(held)).filter(([, isGood]) => !isGood)).toEqual([])
  })

  test.each(ENDS.map((end) => [end]))('%s: each credential, or its declaration says why not', async (end) => {
    const held = await newPerson()
    expect((await BRING[end](held)).status).toBe(200)
    const declared = probed(credentials).map(({ name, ends }) => [name, !ends.includes(end)])
    expect(await stateOf(held)).toEqual(Object.fromEntries(declared))
  })

  test('and an address of a calendar that ended so is gone for its member too, who makes another', async () => {
    const institute = await makeInstitute(app)
    const person = await institute.member({ role: 'teacher' })
    const { url: former } = (await person.post('/me/calendar')).body
    const ended = await person.post('/auth/change-password', { currentPassword: PASSWORD, newPassword: NEW_PASSWORD })
    expect(ended.status).toBe(200)
    expect((await person.get('/me/calendar')).body).toEqual({ url: null })
    expect((await fetch(at(former))).status).toBe(404)
    const { url } = (await person.post('/me/calendar')).body
    expect((await fetch(at(url))).status).toBe(200)
    const { data } = (await institute.owner.get('/audit?entityType=calendar_address')).body
    expect(data.map(({ action }: { action: string }) => action)).toEqual([
      'me.make-calendar',
      'auth.change-password',
      'me.make-calendar',
    ])
  })
})

describe('the declarations', () => {
  test('say of every credential what it opens, and why it goes on where it does', () => {
    for (const { name, opens, why, ends } of credentials) {
      expect([name, opens.length > 20, why.length > 40]).toEqual([name, true, true])
      expect(ends.filter((end, place) => ends.indexOf(end) !== place)).toEqual([])
    }
  })

  /** Columns whose names sound like it, and that hold no credential. */
  const NO_CREDENTIALS: Record<string, string> = {
    'license_lan_name.challenge_until': 'a time',
    'license_lan_name.challenge':
      'a digest that the vendor’s name server shows to everybody while a certificate is ordered',
    'api_key.key_prefix': 'shown in lists',
    'billing_run.request_hash': 'which request a run answers',
    'course_category.slug_key': 'a name to compare',
    'email_opt_out.email_key': 'an address to compare',
    'idempotency_record.key': 'chosen by the caller, and good for them alone',
    'idempotency_record.request_hash': 'which request a reply belongs to',
    'invoice_step.request_hash': 'which request a step belongs to',
    'job.unique_key': 'the name of a job',
    'lesson.video_hash': 'of a video, which its site shows to anybody with the link',
    'lesson.video_key': 'the same',
    'license_install.public_key': 'public',
    'login_guard.email_key': 'at which door a password was wrong',
    'notification.template_key': 'the name of a text',
    'notification_call.template_key': 'the name of a text',
    'notification_provider.secret_set_at': 'a time',
    'passkey_challenge.challenge_hash': 'what a browser is asked to sign, which opens nothing',
    'payment_provider.secret_set_at': 'a time',
    'send_pace.key': 'what was sent to whom, to count it',
    'notification_template.key': 'the name of a text',
    'push_device.application_server_key': 'public',
    'role.key': 'the name of a role',
    'student.tags': 'words of the office',
    'student_tag.tag': 'words of the office',
    'tenant_domain.verification_token': 'stands in the public DNS',
    'user.email_key': 'an address to compare',
  }
  const SOUNDS =
    /(?:^|_)(?:secrets?|tokens?|hash(?:es)?|passwords?|sealed|credentials?|key|tags?|challenge|subscription|rotations)(?:$|_(?!id$|at$|expires_at$))/

  test('name every column that holds one', async () => {
    const { columns } = await readCatalogue(app)
    const { rules } = app.app.runtime
    const all = columns.map(({ table, column }) => `${table}.${column}`)
    const sounding = columns.flatMap(({ table, column }) => {
      const rule = rules[table]
      const secrets = rule?.kind === 'tenant' ? (rule.secrets ?? []) : []
      const isOne = isSecretName(column) || secrets.includes(column) || SOUNDS.test(column)
      return isOne ? [`${table}.${column}`] : []
    })
    const declared = new Set(credentials.flatMap((one) => one.columns ?? []))
    expect([...declared].filter((column) => !all.includes(column))).toEqual([])
    expect(sounding.filter((column) => !declared.has(column) && !(column in NO_CREDENTIALS))).toEqual([])
    expect(Object.keys(NO_CREDENTIALS).filter((column) => !all.includes(column) || declared.has(column))).toEqual([])
  })

  /**
   * What the vault tags that opens nothing: cursors only say where a page of a list goes on, and the check of proxies is
   * only told which address it came from.
   */
  const OPENS_NOTHING = ['cursor', 'seen-address']
  /** Where the purpose is a parameter, its values are those of the callers. */
  const BY_PARAMETER = [
    'src/modules/identity/refresh-tokens.ts',
    'src/runtime/secrets/sealed-secrets.ts',
    'src/runtime/secrets/vault.ts',
  ]

  test('name every purpose for which the vault seals, tags or makes a key', () => {
    const files = readdirSync('src', { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.parentPath.includes('console'))
      .map(({ parentPath, name }) => path.join(parentPath, name))
      .filter((file) => !BY_PARAMETER.includes(file))
    const purposes = files.flatMap((file) => {
      const source = readFileSync(file, 'utf8')
      const calls = source.matchAll(/\bvault\.(?:seal|sealForFormer|tag|keyFor)\(\s*([\w']+[-\w']*)/g)
      const families = source.matchAll(/new RefreshTokens\([\w.]+, ('[-\w]+')/g)
      return [...calls, ...families].map(([, given = '']) => {
        const literal = given.startsWith("'") ? given : new RegExp(`const ${given} = ('[-\\w]+')`).exec(source)?.[1]
        return literal?.slice(1, -1) ?? `${file}: ${given}`
      })
    })
    const declared = credentials.flatMap((one) => one.purposes ?? [])
    // The default of RefreshTokens.
    const found = new Set([...purposes, 'refresh-token'])
    expect([...found].filter((one) => !declared.includes(one) && !OPENS_NOTHING.includes(one))).toEqual([])
    expect(declared.filter((one) => !found.has(one))).toEqual([])
  })

  /** Names of fields in replies that are handed out, wherever they stand. */
  const HANDED_OUT =
    /^(?:accessToken|access_token|refreshToken|refresh_token|token|key|secret|deviceKey|downloadUrl|uploadUrl|logoUrl|redirectTo)$/
  const handsOut = ({ reply }: Endpoint): string[] => {
    if (!reply) return []
    const names = new Set<string>()
    const look = (schema: unknown): void => {
      if (typeof schema !== 'object' || schema === null) return
      const { properties } = schema as { properties?: object }
      for (const name of Object.keys(properties ?? {})) if (HANDED_OUT.test(name)) names.add(name)
      for (const inner of Object.values(schema)) look(inner)
    }
    look(toJsonSchema(reply, { errorMode: 'ignore', typeMode: 'output' }))
    return [...names]
  }
  /** Replies with a field of such a name that is no credential. */
  const HARMLESS = ['key']

  test('stand at every endpoint whose reply hands one out', () => {
    const bare = endpoints.filter(({ credential }) => !credential)
    const found = bare.map((one) => [one.id, handsOut(one).filter((name) => !HARMLESS.includes(name))] as const)
    expect(found.filter(([, names]) => names.length > 0)).toEqual([])
  })

  test('let no assistant have or set what outlives its grant', () => {
    const tools = endpoints.filter(({ tool }) => tool)
    expect(tools.length).toBeGreaterThan(10)
    expect(tools.filter(({ lasting }) => lasting).map(({ id }) => id)).toEqual([])
  })
})

test('what outlives a session is neither read nor made in somebody else’s name', async () => {
  const lasting = endpoints.filter((one) => one.lasting && one.access !== 'anyone' && one.access !== 'platform')
  expect(lasting.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['me.calendar', 'webhooks.create', 'webhooks.update', 'api-keys.create', 'export.request']),
  )
  const institute = await makeInstitute(app)
  const token = await impersonate(app, { userId: institute.ownerUserId, tenantId: institute.tenant.id })
  for (const { id, method, path: address } of lasting) {
    const asked = address.replaceAll(/\{\w+\}/g, institute.tenant.id)
    const reply = await token.send(method, asked, { ...(method !== 'GET' && { body: {} }) })
    expect([id, reply.status, reply.body.error?.details.reason]).toEqual([id, 403, 'impersonated'])
  }
})
