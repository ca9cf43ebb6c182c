import path from 'node:path'
import { CompiledQuery } from 'kysely'
import { masterKey } from '#app/data-dir/master-key.ts'
import { openPostgres, openSqlite, type Database, type Engine } from '#db/database.ts'
import { API_ROOT } from '#http/server/server.ts'
import { createArgon2Passwords } from '#ports/passwords/argon2.ts'
import { Vault } from '#runtime/secrets/vault.ts'
import { client, type Client } from '#kit/client.ts'
import { fillSql, idAt, inTurn, text } from '#kit/fill-sql.ts'
import { drive, eachOnce, requestBytes } from './client.ts'
import { median, type Measured, type Row } from './figures.ts'
import { accountColumns, instituteColumns } from './institutes.ts'
import { Program } from './program.ts'
import type { Workbench } from './workbench.ts'

/** How long the lists of the vendor's pages take, with their filters, at their beginning and deep within. */

const INSTITUTES = 10_000
const ENTRIES = 1_000_000
const SESSIONS = 30_000
const LICENSES = 2000
const INSTALLS = 4000
const JOBS = 300_000
const PASSWORD = 'correct horse battery'
/** One statement of the fill takes minutes on a busy machine. */
const FILL_MILLIS = 1_800_000

const MINUTE = 60_000
const sinceFirst = (instant: number): number => Math.floor((instant - Date.UTC(2020, 0, 1)) / MINUTE)

/** @param token of a licence, as it lies in the database */
const fill = async ({ engine, schema }: Database, token: string): Promise<void> => {
  const run = (statement: string): Promise<unknown> =>
    schema.executeQuery(CompiledQuery.raw((engine === 'postgres' ? 'set statement_timeout = 0; ' : '') + statement))
  const words = fillSql(engine)
  const { nthId, nthInstant, flag } = words
  const insert = (table: string, count: number, columns: Record<string, string>) =>
    run(words.insert(table, count, columns))
  const ofInstitute = nthId('tenant', `(n - 1) % ${INSTITUTES} + 1`)
  const at = nthInstant('n')
  // A new institute every five hours, until not long ago.
  const added = nthInstant(`n * 300`)
  const now = sinceFirst(Date.now())

  await insert('tenant', INSTITUTES, {
    ...instituteColumns(words, added),
    search_text: `'institute ' || n || ' institute-' || n`,
    status: `case when n % 50 = 1 then 'suspended' when n % 50 = 2 then 'archived' else 'active' end`,
    locked_at: `case when n % 50 = 1 then ${nthInstant('n * 300 + 90000')} end`,
    archived_at: `case when n % 50 = 2 then ${nthInstant('n * 300 + 90000')} end`,
    deployment_mode: `case when n % 5 = 0 then 'self_hosted' else 'cloud' end`,
  })
  await insert('plan', 3, {
    id: nthId('plan', 'n'),
    code: `'plan-' || n`,
    name: `'Plan ' || n`,
    price_minor: 'n * 9900',
    currency: text('ILS'),
    interval: text('monthly'),
    features: text('{}'),
    quotas: text('{}'),
    created_at: at,
    updated_at: at,
  })
  await insert('subscription', INSTITUTES, {
    id: nthId('subscription', 'n'),
    tenant_id: nthId('tenant', 'n'),
    plan_id: nthId('plan', 'n % 3 + 1'),
    status: inTurn([
      'active',
      'active',
      'active',
      'active',
      'active',
      'active',
      'trialing',
      'past_due',
      'cancelled',
      'expired',
    ]),
    current_period_start: added,
    // One ends every hour: some have ended, and the last of them ends in a year.
    current_period_end: nthInstant(`${now} + (n - 1000) * 60`),
    cancelled_at: `case when n % 10 = 8 then ${nthInstant('n * 300 + 90000')} end`,
    created_at: added,
    updated_at: added,
  })
  const hash = await createArgon2Passwords({}).hash(PASSWORD, { key: 'bench', known: true })
  await insert('user', INSTITUTES, {
    ...accountColumns(words, at, hash),
    status: `case when n % 100 = 3 then 'disabled' else 'active' end`,
    is_platform_admin: `case when n = 1 then ${flag(true)} else ${flag(false)} end`,
  })
  await insert('auth_session', SESSIONS, {
    id: nthId('auth_session', 'n'),
    user_id: nthId('user', `(n - 1) % ${INSTITUTES} + 1`),
    tenant_id: ofInstitute,
    client: text('web'),
    token_hash: `'hash ' || n`,
    recent_rotations: text('[]'),
    expires_at: text('2099-01-01T00:00:00.000Z'),
    ends_at: text('2099-01-01T00:00:00.000Z'),
    created_at: at,
    last_used_at: at,
  })
  await insert('license', LICENSES, {
    id: nthId('license', 'n'),
    tenant_id: nthId('tenant', 'n * 5'),
    jti: `'jti ' || n`,
    token: text(token),
    max_installs: '2',
    state: `case when n % 20 = 0 then 'locked' else 'active' end`,
    created_at: at,
    updated_at: at,
  })
  await insert('license_install', INSTALLS, {
    id: nthId('license_install', 'n'),
    // The first licence has a tenth of them.
    license_id: nthId('license', `case when n % 10 = 0 then 1 else (n - 1) % ${LICENSES} + 1 end`),
    install_id: nthId('install', 'n'),
    app_version: text('0.1.0'),
    heartbeat_counter: 'n',
    last_nonce: text('nonce'),
    max_observed_at: at,
    acknowledged_seq: '0',
    first_seen_at: at,
    last_seen_at: at,
  })
  // Half of them have ended well; of the others most failed, and what waits is not due.
  await insert('job', JOBS, {
    id: nthId('job', 'n'),
    tenant_id: ofInstitute,
    kind: inTurn(['webhooks.deliver', 'mail.send', 'notifications.notify']),
    lane: inTurn(['webhooks.deliver', 'mail.send', 'notifications.notify']),
    payload: text('{}'),
    run_at: text('9999-01-01T00:00:00.000Z'),
    state: `case when n % 2 = 0 then 'done' when n % 8 = 1 then 'queued' else 'dead' end`,
    attempts: '5',
    max_attempts: '5',
    last_error: text('connect ECONNREFUSED 203.0.113.7:443'),
    created_at: at,
    finished_at: `case when n % 8 = 1 then null else ${at} end`,
  })
  const acts = ['students.create', 'students.update', 'attendance.mark', 'payments.record', 'auth.login']
  await insert('audit_entry', ENTRIES, {
    id: nthId('audit_entry', 'n'),
    // Every twentieth is of the platform itself.
    tenant_id: `case when n % 20 = 0 then null else ${ofInstitute} end`,
    actor_user_id: nthId('user', `(n - 1) % ${INSTITUTES} + 1`),
    actor_type: text('user'),
    channel: text('web'),
    action: inTurn(acts),
    // The oldest few are of a kind that has none since.
    entity_type: `case when n <= 10 then 'license_key' else ${inTurn(['student', 'student', 'session', 'payment', 'session'])} end`,
    entity_id: nthId('student', 'n'),
    created_at: at,
  })
  await run(engine === 'postgres' ? 'analyze' : 'pragma wal_checkpoint(truncate)')
}

/** The cursor of a page so deep within a list. */
const deepWithin = async (admin: Client, list: string, pages: number): Promise<string> => {
  let cursor = ''
  for (let page = 0; page < pages; page += 1) {
    const { status, body } = await admin.get(`${list}&limit=100${cursor}`)
    if (status !== 200 || body.nextCursor === null) throw new Error(`${list} has no ${pages} pages: ${status}`)
    cursor = `&cursor=${encodeURIComponent(body.nextCursor as string)}`
  }
  return cursor
}

const idsOf = (table: string): string =>
  Array.from({ length: 50 }, (_, n) => `id=${idAt(table, 190 * n + 7)}`).join('&')
const one = idAt('tenant', 5000)

/** What the vendor's pages ask, page by page. */
const LISTS: readonly string[] = [
  '/platform/tenants?',
  '/platform/tenants?q=institute',
  '/platform/tenants?q=institute%20777',
  '/platform/tenants?q=zz',
  '/platform/tenants?q=nowhere',
  '/platform/tenants?q=institute&status=archived&deploymentMode=self_hosted',
  '/platform/tenants?status=suspended',
  '/platform/tenants?status=archived',
  '/platform/tenants?deploymentMode=self_hosted',
  ...['createdIn', 'cancelledIn', 'archivedIn', 'lockedIn'].map((kind) => `/platform/tenants?${kind}=2021-05`),
  `/platform/tenants?${idsOf('tenant')}`,
  '/platform/subscriptions?',
  ...['active', 'trialing', 'past_due', 'cancelled', 'expired'].map(
    (state) => `/platform/subscriptions?status=${state}`,
  ),
  ...[7, 30, 90].map((days) => `/platform/subscriptions?expiringWithinDays=${days}`),
  '/platform/subscriptions?status=past_due&expiringWithinDays=30',
  '/platform/licenses?',
  `/platform/licenses?tenantId=${one}`,
  `/platform/licenses/${idAt('license', 1)}/installs?`,
  '/platform/plans?',
  ...['failed', 'queued', 'paused', 'running'].map((state) => `/platform/jobs?state=${state}`),
  '/platform/jobs?state=failed&name=mail.send',
  '/platform/jobs?state=queued&name=oauth.sweep',
  '/platform/lanes?',
  '/platform/queues?',
  '/platform/users?',
  '/platform/users?email=member-777@example.org',
  '/platform/users?isPlatformAdmin=true',
  '/platform/users?status=disabled',
  `/platform/users?${idsOf('user')}`,
  '/platform/audit?',
  `/platform/audit?tenantId=${one}`,
  '/platform/audit?entityType=student',
  '/platform/audit?entityType=license_key',
  '/platform/audit?entityType=nothing',
  `/platform/audit?tenantId=${one}&entityType=payment`,
  '/platform/audit?from=2020-06-01T00:00:00.000Z&to=2020-06-30T23:59:00.000Z',
  '/platform/audit?entityType=license_key&from=2020-06-01T00:00:00.000Z',
  `/platform/audit?tenantId=${one}&to=2020-03-01T00:00:00.000Z`,
]
/** No lists, but what stands beside them. */
const READS: readonly string[] = ['/platform/figures?months=24', `/platform/tenants/${one}`]
/** Half way down. */
const DEEP: readonly (readonly [list: string, pages: number])[] = [
  ['/platform/tenants?', 50],
  ['/platform/tenants?q=institute', 50],
  ['/platform/subscriptions?', 50],
  ['/platform/subscriptions?status=active', 30],
  ['/platform/licenses?', 10],
  ['/platform/jobs?state=failed', 50],
  ['/platform/users?', 50],
]
/** Of a million entries a walk takes minutes: the days before have the same cursors. */
const OLD = '/platform/audit?to=2020-12-01T00:00:00.000Z'

const ASKED = 7

/** Milliseconds of each answer, asked one after the other. */
const millisOf = async ({ url }: Program, token: string, asked: string): Promise<number[]> => {
  const request = requestBytes('GET', `${API_ROOT}${asked}`, { token })
  return (await drive(url, eachOnce(Array.from({ length: ASKED }, () => request)), 1)).latencies
}

const platformLists =
  (engine: Engine) =>
  async (bench: Workbench, rounds: number): Promise<Measured> => {
    const executable = await bench.executable()
    const databaseUrl = engine === 'postgres' ? await bench.postgresUrl() : undefined
    const dataDir = bench.emptyFolder()
    const program = await Program.start(executable, dataDir, { databaseUrl, env: { INSTITUTE_MODE: 'cloud' } })
    try {
      bench.say(`filling 10,000 institutes and 1,000,000 audit entries (${engine})`)
      const database =
        databaseUrl === undefined
          ? openSqlite(path.join(dataDir, 'institute.db'))
          : openPostgres({ url: databaseUrl, readers: 1, writers: 1, silenceMillis: FILL_MILLIS })
      const token = new Vault(masterKey({ masterKey: undefined, dataDir })).seal('license-token', 'a.b.c')
      try {
        await fill(database, token)
      } finally {
        await database.close()
      }
      const api = client(program.url)
      const { body } = await api.post('/auth/login', {
        email: 'member-1@example.org',
        password: PASSWORD,
        client: 'mobile',
      })
      const admin = api.as(body.accessToken as string)
      const deep = [`/platform/audit?${await deepWithin(admin, OLD, 3)}`]
      for (const [list, pages] of DEEP) deep.push(list + (await deepWithin(admin, list, pages)))
      const lists = [...LISTS, ...deep].map((list) => `${list}&limit=50`.replace('?&', '?'))
      const asked = ['/health/live', '/auth/me', ...lists, ...READS]
      const medians = new Map<string, number[]>()
      for (let round = 0; round < rounds; round += 1) {
        bench.say(`${engine}: round ${round + 1} of ${rounds}`)
        for (const each of asked) {
          const middle = median(await millisOf(program, body.accessToken as string, each))
          medians.set(each, [...(medians.get(each) ?? []), middle])
        }
      }
      const slowest = [...medians].toSorted(([, a], [, b]) => median(b) - median(a))
      return {
        samples: (slowest[0]?.[1] ?? []).map((ours) => ({ ours })),
        below: [...slowest.slice(0, 12), ...slowest.filter(([each]) => !each.startsWith('/platform'))].map(
          ([each, millis]) => `${median(millis).toFixed(1).padStart(7)} ms  ${each.slice(0, 110)}`,
        ),
      }
    } finally {
      await program.stop()
    }
  }

/** The slowest list decides. Below it stand those next to it, and cheap answers of the same minutes. */
export const platformListRows: readonly (Row & { measure: ReturnType<typeof platformLists> })[] = (
  ['sqlite', 'postgres'] as const
).map((engine) => ({
  name: `platform-lists-${engine}`,
  what: `slowest list of the vendor’s pages, with 10,000 institutes and 1,000,000 audit entries (${engine})`,
  against: '',
  unit: 'ms',
  better: 'lower',
  floor: 400,
  goal: 200,
  measure: platformLists(engine),
}))
