import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '#kit/client.ts'
import { idAt, text } from '#kit/fill-sql.ts'
import { reportPaths } from './report-paths.ts'
import { addressOf, DUE, GROUP_OF_MEETINGS, GROUP_OF_SCHEDULE, ROWS, type LargeInstitute } from './large-institute.ts'

/** The most expensive use of one kind of request. */
export interface Kind {
  name: string
  prepare?: () => Promise<unknown>
  work: () => Promise<unknown>
  undo?: () => Promise<unknown>
  /** The statuses of all rounds. */
  answers?: () => string
  /** How many of its requests failed in the server. */
  failures?: () => number
}

const MIB = 1024 * 1024
const objects = (name: string): string => `{"${name}":[${Array.from({ length: 340_000 }, () => '{}').join(',')}]}`

interface Request {
  as: Client | undefined
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  raw?: string
}

/** A kind that counts the statuses of its replies. */
const counting = (
  institute: LargeInstitute,
  name: string,
  work: (send: (request: Request) => Promise<void>) => Promise<unknown>,
  more: Pick<Kind, 'prepare' | 'undo'> = {},
): Kind => {
  const counts = new Map<string, number>()
  const send = async ({ as, method, path, raw }: Request): Promise<void> => {
    let answer: string
    try {
      const response = await fetch(addressOf(institute, path), {
        method,
        headers: {
          ...(as && { authorization: `Bearer ${as.credential}` }),
          ...(raw !== undefined && { 'content-type': 'application/json' }),
        },
        ...(raw !== undefined && { body: raw }),
      })
      await response.arrayBuffer()
      answer = String(response.status)
    } catch {
      answer = 'cut off'
    }
    counts.set(answer, (counts.get(answer) ?? 0) + 1)
  }
  return {
    name,
    ...more,
    work: () => work(send),
    answers: () =>
      [...counts]
        .toSorted()
        .map(([answer, count]) => `${count} × ${answer}`)
        .join(', '),
    failures: () => [...counts].reduce((sum, [answer, count]) => (answer.startsWith('5') ? sum + count : sum), 0),
  }
}

const inTurn =
  (requests: readonly Request[]) =>
  async (send: (request: Request) => Promise<void>): Promise<void> => {
    for (const request of requests) await send(request)
  }

/** Like `inTurn`, with requests that are made for each round. */
const inTurnLater =
  (make: () => readonly Request[]) =>
  (send: (request: Request) => Promise<void>): Promise<void> =>
    inTurn(make())(send)

type Sides = readonly [one: string | undefined, other: string | undefined]

/**
 * Two values for every filter of a list. Each matches many records, but no record matches the first value of one filter
 * and the second value of another.
 */
const filtersOf = ({ ids }: LargeInstitute): Record<string, Record<string, Sides>> => {
  const day = (n: number): string => new Date(Date.UTC(2020, 0, 1) + n * 60_000).toISOString()
  const half = day(ROWS / 2)
  const q = (one: string, other: string): Sides => [one, other]
  const branchId = ids.branches as unknown as Sides
  const group: Sides = [idAt('group', 1), idAt('group', 2)]
  const student: Sides = [idAt('student', 1), idAt('student', 2)]
  return {
    '/students': { q: q('dana', 'omar'), status: ['active', 'lead'], branchId, groupId: group, tag: ['bus', 'chess'] },
    '/staff': { q: q('amal', 'yusuf'), branchId, isActive: ['true', 'false'] },
    '/groups': {
      q: q('english', 'hebrew'),
      branchId,
      courseId: ids.courses as unknown as Sides,
      status: ['active', 'planned'],
      teacherStaffId: [idAt('staff', 1), idAt('staff', 2)],
    },
    '/enrollments': { studentId: student, groupId: group, status: ['active', 'dropped'] },
    '/invoices': { status: ['paid', undefined], overdue: [undefined, 'true'] },
    '/payments': {
      invoiceId: [idAt('invoice', 1), idAt('invoice', 2)],
      studentId: student,
      method: ['cash', 'card'],
      from: [undefined, half.slice(0, 10)],
      to: [half.slice(0, 10), undefined],
    },
    '/audit': {
      action: ['students.create', 'guardians.update'],
      entityType: ['student', 'guardian'],
      entityId: student,
      actorUserId: ids.users as unknown as Sides,
      from: [undefined, half],
      to: [half, undefined],
    },
  }
}

const pairsOf = (institute: LargeInstitute): string[] =>
  Object.entries(filtersOf(institute)).flatMap(([path, filters]) => {
    const names = Object.keys(filters)
    return names.flatMap((one) =>
      names.flatMap((other) => {
        const [left, right] = [filters[one]?.[0], filters[other]?.[1]]
        return one === other || left === undefined || right === undefined
          ? []
          : [`${path}?${one}=${encodeURIComponent(left)}&${other}=${encodeURIComponent(right)}`]
      }),
    )
  })

const SEARCHES = [
  '0'.repeat(199),
  Array.from({ length: 66 }, () => '05').join(' '),
  Array.from({ length: 99 }, () => '+').join(' '),
]
const NEVER_MEET: Record<string, string> = {
  '/students': 'dana omar',
  '/guardians': 'ruth sara',
  '/staff': 'amal yusuf',
  '/groups': 'english hebrew',
}

/** A hundred rules, each with its own slot; `shift` minutes later. */
const rules = (shift: number): object[] =>
  Array.from({ length: 100 }, (_, index) => {
    const minute = Math.floor(index / 7) * 60 + shift
    const time = (of: number) => `${String(Math.floor(of / 60)).padStart(2, '0')}:${String(of % 60).padStart(2, '0')}`
    return { weekday: index % 7, startTime: time(minute), endTime: time(minute + 30), validFrom: '2020-01-01' }
  })

const daysAhead = (days: number): string => new Date(Date.now() + days * 24 * 3_600_000).toISOString().slice(0, 10)

/** Adds a webhook endpoint with so many deliveries, and deletes it afterwards with the rest of them. */
const endpointWith = (institute: LargeInstitute, count: number, status: 'delivered' | 'queued') => {
  const { run, words, tenantId, callers, database } = institute
  const { uuid, nthId, nthInstant, insert } = words
  let id = ''
  const tomorrow = text(new Date(Date.now() + 24 * 3_600_000).toISOString())
  return {
    path: () => `/webhooks/${id}`,
    prepare: async () => {
      const { body } = await callers.owner.post('/webhooks', { url: 'http://127.0.0.1:9/', events: ['lead.created'] })
      id = body.id as string
      const endpoint = uuid(text(id))
      const queued = status === 'queued'
      const columns = {
        tenant_id: uuid(text(tenantId)),
        id: nthId('webhook_delivery', 'n'),
        endpoint_id: endpoint,
        event_id: nthId('event', 'n'),
        event_type: text('student.created'),
        status: text(status),
        attempts: '1',
        generation: '1',
        next_attempt_at: queued ? tomorrow : 'null',
        created_at: nthInstant('n'),
      }
      // Postgres takes a literal text for an instant, but not a text column of a query.
      if (database.engine === 'postgres') columns.next_attempt_at = `cast(${columns.next_attempt_at} as timestamptz)`
      await run(insert('webhook_delivery', count, columns))
      if (queued) {
        await run(
          insert('job', count, {
            id: nthId('job', 'n'),
            tenant_id: uuid(text(tenantId)),
            kind: text('webhooks.deliver'),
            lane: text(id),
            payload: text('{}'),
            run_at: columns.next_attempt_at,
            max_attempts: '5',
            created_at: nthInstant('n'),
          }),
        )
      }
      await run(database.engine === 'postgres' ? 'vacuum analyze' : 'pragma wal_checkpoint(truncate)')
    },
    undo: async () => {
      // A job disables the rest of the queued deliveries.
      const going = database.schema
        .selectFrom('job')
        .select('id')
        .where('kind', '=', 'webhooks.disable-queued')
        .where('state', 'in', ['queued', 'running'])
      while ((await going.executeTakeFirst()) !== undefined) await pause(20)
      await run(`delete from job where lane = ${text(id)}`)
      await run(`delete from webhook_delivery where endpoint_id = ${uuid(text(id))}`)
      await run(`delete from webhook_endpoint where id = ${uuid(text(id))}`)
    },
  }
}

/** Lets the program mark the overdue invoices, and resolves when none is left. */
const sweep = async ({ run, database }: LargeInstitute): Promise<void> => {
  const id = crypto.randomUUID()
  const now = new Date().toISOString()
  await run(
    `insert into job (id, kind, lane, payload, run_at, max_attempts, unique_key, created_at)
     values ('${id}', 'billing.sweep-overdue', 'billing.sweep-overdue', '{}', '${now}', 5, 'bench ${id}', '${now}')`,
  )
  const state = database.schema.selectFrom('job').select('state').where('id', '=', id)
  while ((await state.executeTakeFirst())?.state !== 'done') await pause(20)
}

const DEEPEST = 64
const CATEGORIES = 1000

/** Categories nested as deep as the program accepts, and all others beside the deepest. */
const growTree = async ({ callers, run, words, tenantId }: LargeInstitute): Promise<void> => {
  const { nthId, nthInstant, uuid, flag, insert } = words
  const levels: string[] = []
  for (let level = 0; level < DEEPEST; level += 1) {
    const body = { name: `Level ${level}`, slug: `level-${level}`, parentId: levels.at(-1) }
    const reply = await callers.owner.post('/course-categories', body)
    if (reply.status !== 201 && level < 2) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`)
    if (reply.status !== 201) break
    levels.push(reply.body.id as string)
  }
  await run(
    insert('course_category', CATEGORIES - levels.length, {
      id: nthId('course_category', 'n'),
      tenant_id: uuid(text(tenantId)),
      parent_id: uuid(text(levels.at(-2) as string)),
      name: `'Category ' || n`,
      slug: `'category-' || n`,
      slug_key: `'category-' || n`,
      sort_order: '0',
      is_active: flag(true),
      created_at: nthInstant('n'),
      updated_at: nthInstant('n'),
    }),
  )
}

const MONTHS_BILLED = 7

/** Every kind of request that is known to have made others wait, and similar ones. */
export const kindsOf = (institute: LargeInstitute): Kind[] => {
  const { owner, manager, teacher } = institute.callers
  const kind = (name: string, requests: readonly Request[], more: Pick<Kind, 'prepare' | 'undo'> = {}): Kind =>
    counting(institute, name, inTurn(requests), more)
  const get = (as: Client, path: string): Request => ({ as, method: 'GET', path })
  const send = (method: Request['method'], path: string, body?: unknown): Request => ({
    as: owner,
    method,
    path,
    ...(body !== undefined && { raw: typeof body === 'string' ? body : JSON.stringify(body) }),
  })

  const login: Request = {
    as: undefined,
    method: 'POST',
    path: '/auth/login',
    raw: `{"email":"owner@example.org","password":"${'x'.repeat(MIB - 100)}"}`,
  }
  const meetings = `/groups/${idAt('group', GROUP_OF_MEETINGS)}`
  const scheduled = `/groups/${idAt('group', GROUP_OF_SCHEDULE)}`
  const arrays = [
    send('PUT', `/sessions/${idAt('session', 1)}/attendance`, objects('entries')),
    send('POST', '/invoices', objects('lines')),
    send('PUT', `${scheduled}/schedules`, objects('schedules')),
    send('POST', '/roles', objects('permissions')),
    send('PATCH', '/settings', objects('terms')),
  ]
  const lists = Object.keys(NEVER_MEET)
  const search = (as: Client, q: (path: string) => string): Request[] =>
    lists.map((path) => get(as, `${path}?q=${encodeURIComponent(q(path))}`))
  const searches = (as: Client): Request[] => [
    ...SEARCHES.flatMap((q) => search(as, () => q)),
    ...search(as, (path) => NEVER_MEET[path] as string),
  ]
  const pairs = (as: Client): Request[] => pairsOf(institute).map((path) => get(as, path))
  const year = `?from=${daysAhead(-401)}&to=${daysAhead(0)}`

  const reports = (as: Client) => reportPaths(year).map((path) => get(as, path))
  const delivered = endpointWith(institute, ROWS, 'delivered')
  const queued = endpointWith(institute, ROWS / 2, 'queued')
  const forgetSessions = (): Promise<unknown> => {
    const group = institute.words.nthId('group', GROUP_OF_SCHEDULE)
    return institute.run(`delete from session where group_id = ${group}`)
  }
  let hasTree = false
  let feeScheduleId = ''
  let billed = 0

  return [
    counting(institute, 'logins of 1 MiB, five a second', async (post) => {
      const posted: Promise<void>[] = []
      for (let count = 0; count < 5; count += 1) {
        posted.push(post(login))
        await pause(200)
      }
      await Promise.all(posted)
    }),
    kind('340,000 objects in an array: attendance, invoices, …', arrays),
    kind('searches, as the owner', searches(owner)),
    kind('searches, as a branch manager', searches(manager)),
    kind('searches, as a teacher', searches(teacher)),
    kind('lists by pairs of filters, as the owner', pairs(owner)),
    kind('lists by pairs of filters, as a branch manager', pairs(manager)),
    kind('lists by pairs of filters, as a teacher', pairs(teacher)),
    kind(
      'a schedule of 100 rules: set, made, moved',
      [
        send('PUT', `${scheduled}/schedules`, { schedules: rules(0) }),
        send('POST', `${scheduled}/sessions/generate`, { until: daysAhead(57) }),
        send('PUT', `${scheduled}/schedules`, { schedules: rules(15) }),
        send('PUT', `${scheduled}/schedules`, { schedules: [] }),
      ],
      { undo: forgetSessions },
    ),
    kind('attendance of 300 students in 800 sessions', [get(owner, `${meetings}/attendance/summary${year}`)]),
    kind('the billing summary', [get(owner, '/billing/summary'), get(manager, '/billing/summary')]),
    kind('every report of all years, as the owner and a branch manager', [...reports(owner), ...reports(manager)], {
      prepare: () => owner.patch('/feature-flags', { advanced_reports: true }),
    }),
    kind('the dashboard', [get(owner, '/dashboard'), get(manager, '/dashboard')]),
    counting(
      institute,
      'seven months billed of 300 students',
      inTurnLater(() =>
        Array.from({ length: MONTHS_BILLED }, () => {
          billed += 1
          const month = `${2040 + Math.floor(billed / 12)}-${String((billed % 12) + 1).padStart(2, '0')}`
          return send('POST', '/billing/runs', { month, feeScheduleIds: [feeScheduleId] })
        }),
      ),
      {
        prepare: async () => {
          const groupId = idAt('group', GROUP_OF_MEETINGS)
          const fee = { kind: 'per_group', recurrence: 'monthly', amountMinor: 45_000, currency: 'ILS', groupId }
          feeScheduleId = (await owner.post('/fee-schedules', { name: 'Tuition', ...fee })).body.id as string
        },
      },
    ),
    counting(institute, '300 invoices at once', (post) =>
      Promise.all(
        Array.from({ length: 300 }, (_, index) =>
          post(
            send('POST', '/invoices', {
              studentId: idAt('student', index + 1),
              dueDate: daysAhead(30),
              lines: [{ description: 'March', unitAmountMinor: 45_000 }],
            }),
          ),
        ),
      ),
    ),
    kind('a deep tree of 1,000 course categories', [get(owner, '/course-categories')], {
      prepare: async () => {
        if (!hasTree) await growTree(institute)
        hasTree = true
      },
    }),
    counting(
      institute,
      'a webhook endpoint with 200,000 deliveries deleted',
      (post) => post(send('DELETE', delivered.path())),
      delivered,
    ),
    counting(
      institute,
      'one with 100,000 queued deliveries deactivated',
      (post) => post(send('PATCH', queued.path(), { isActive: false })),
      queued,
    ),
    {
      name: '10,000 invoices become overdue',
      prepare: () =>
        institute.run(
          `update invoice set status = 'issued' where id between ${institute.words.nthId('invoice', 1)} and ${institute.words.nthId('invoice', DUE)}`,
        ),
      work: () => sweep(institute),
    },
  ]
}
