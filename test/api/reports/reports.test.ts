import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { worldOf, type World } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { chance, oneOf } from './by-chance.ts'
import { create, newGroup, newSession, newStaff } from '../examples/sessions.ts'

/**
 * A small school by chance, and each report a second time from what was done to it: without a database, by the sentences of
 * the reports alone.
 */

let app: TestApp
let school: TestInstitute
let world: World
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set('2026-03-31T08:00:00.000Z')
  school = await makeInstitute(app, { features: { advanced_reports: true } })
  world = worldOf(app, school)
})

const report = async (path: string, client = school.owner) => {
  const { status, body } = await client.get(`/reports/${path}`)
  expect([status, body]).toMatchObject([200, {}])
  return body
}
const minor = (money: { amountMinor: number }): number => money.amountMinor
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

const newStudents = async (count: number): Promise<string[]> => {
  const ids = []
  for (let n = 0; n < count; n += 1) {
    ids.push(await create(world, '/students', { branchId: school.branchId, firstName: `Name ${n}`, lastName: 'Levi' }))
  }
  return ids
}
const enroll = (studentId: string, groupId: string, enrolledAt: string) =>
  create(world, '/enrollments', { studentId, groupId, enrolledAt })

describe('GET /reports/attendance and /reports/staff-hours', () => {
  test('come to what was marked', async () => {
    const next = chance(7)
    const teachers = [await newStaff(world), await newStaff(world, { firstName: 'Adam' })]
    const groups: string[] = []
    for (const teacherStaffId of teachers) groups.push(await newGroup(world, { teacherStaffId }))
    const students = await newStudents(5)
    for (const groupId of groups) for (const id of students) await enroll(id, groupId, '2026-01-01')
    const marks: { groupId: string; studentId: string; day: string; status: string }[] = []
    const lessons: { groupId: string; teacher: string; day: string; minutes: number }[] = []
    for (let n = 0; n < 8; n += 1) {
      const at = next(groups.length)
      const groupId = groups[at] as string
      const day = `2026-0${2 + (n % 2)}-${String(1 + n * 3).padStart(2, '0')}`
      const minutes = 45 + 15 * next(4)
      const scheduledEnd = new Date(Date.parse(`${day}T14:00:00.000Z`) + minutes * 60_000).toISOString()
      const substitute = next(3) === 0 ? (teachers[1 - at] as string) : undefined
      const sessionId = await newSession(world, groupId, {
        scheduledStart: `${day}T14:00:00.000Z`,
        scheduledEnd,
        ...(substitute && { teacherStaffId: substitute }),
      })
      const entries = students.map((studentId) => ({
        studentId,
        status: oneOf(next, ['present', 'absent', 'late', 'excused']),
      }))
      const marked = await school.owner.put(`/sessions/${sessionId}/attendance`, { entries })
      expect(marked.status).toBe(200)
      lessons.push({ groupId, teacher: substitute ?? (teachers[at] as string), day, minutes })
      marks.push(...entries.map((entry) => ({ ...entry, groupId, day })))
    }
    const counts = (some: typeof marks) => {
      const of = (status: string) => some.filter((mark) => mark.status === status).length
      const [came, absent] = [of('present') + of('late'), of('absent')]
      return {
        present: of('present'),
        absent,
        late: of('late'),
        excused: of('excused'),
        rate: came + absent === 0 ? null : Math.round((came / (came + absent)) * 1000) / 10,
      }
    }
    const time = 'from=2026-02-01&to=2026-03-31'
    const byGroup = await report(`attendance?by=group&${time}`)
    expect(byGroup).toMatchObject({ lessons: lessons.length, ...counts(marks) })
    for (const row of byGroup.data) {
      expect(row).toMatchObject(counts(marks.filter((mark) => mark.groupId === row.groupId)))
      expect(row.lessons).toBe(lessons.filter((lesson) => lesson.groupId === row.groupId).length)
    }
    const byStudent = await report(`attendance?by=student&${time}&groupId=${groups[0]}`)
    for (const row of byStudent.data) {
      const own = marks.filter((mark) => mark.studentId === row.studentId && mark.groupId === groups[0])
      expect(row).toMatchObject({ lessons: own.length, ...counts(own) })
    }
    const byWeekday = await report(`attendance?by=weekday&${time}`)
    for (const row of byWeekday.data) {
      expect(row).toMatchObject(
        counts(marks.filter((mark) => new Date(`${mark.day}T12:00:00Z`).getUTCDay() === row.weekday)),
      )
    }
    expect(sum(byWeekday.data.map((row: { lessons: number }) => row.lessons))).toBe(lessons.length)
    const byMonth = await report(`attendance?by=month&${time}`)
    expect(byMonth.data.map((row: { month: string }) => row.month)).toEqual(['2026-02', '2026-03'])
    for (const row of byMonth.data) {
      expect(row).toMatchObject(counts(marks.filter((mark) => mark.day.startsWith(row.month))))
    }
    const hours = await report(`staff-hours?${time}`)
    expect(hours).toMatchObject({ lessons: lessons.length, minutes: sum(lessons.map((lesson) => lesson.minutes)) })
    for (const row of hours.data) {
      const own = lessons.filter((one) => one.teacher === row.teacherStaffId && one.day.startsWith(row.month))
      expect([row.lessons, row.minutes]).toEqual([own.length, sum(own.map((lesson) => lesson.minutes))])
    }
    const one = await report(`staff-hours?${time}&teacherStaffId=${teachers[0]}`)
    expect(one.lessons).toBe(lessons.filter((lesson) => lesson.teacher === teachers[0]).length)
  })
})

describe('GET /reports/income and /reports/debts', () => {
  test('come to what was billed, credited and paid', async () => {
    const next = chance(11)
    const north = await create(world, '/branches', { name: 'North' })
    const branches = [school.branchId, north]
    const guardians = []
    for (const phone of ['+972521110001', '+972521110002']) {
      guardians.push(await create(world, '/guardians', { firstName: 'Parent', lastName: phone.slice(-1), phone }))
    }
    const students: { id: string; branch: string; payer: string | null; groupId: string }[] = []
    const courses = new Map<string, string>()
    for (let n = 0; n < 6; n += 1) {
      const branch = branches[n % 2] as string
      const id = await create(world, '/students', { branchId: branch, firstName: `Name ${n}`, lastName: 'Levi' })
      const payer = n < 4 ? (guardians[n % 2] as string) : null
      if (payer !== null) {
        await school.owner.post(`/students/${id}/guardians`, {
          guardianId: payer,
          relationship: 'mother',
          isPayer: true,
          isPrimary: true,
        })
      }
      const groupId = await newGroup({ ...world, branchId: branch })
      courses.set(groupId, (await school.owner.get(`/groups/${groupId}`)).body.courseId)
      students.push({ id, branch, payer, groupId })
    }
    type Bill = {
      id: string
      of: (typeof students)[number]
      day: string
      due: string
      total: number
      course: string | null
    }
    const bills: Bill[] = []
    const paid: { bill: Bill; month: string; method: string; amount: number }[] = []
    const credited: { bill: Bill; amount: number }[] = []
    const owed = new Map<string, number>()
    for (let n = 0; n < 14; n += 1) {
      const of = oneOf(next, students)
      const day = `2026-0${1 + next(3)}-1${next(9)}`
      const due = oneOf(next, [
        '2026-04-10',
        '2026-03-31',
        '2026-03-30',
        '2026-03-01',
        '2026-02-28',
        '2026-01-30',
        '2025-12-31',
        '2025-12-30',
      ])
      const enrollmentId = next(3) === 0 ? undefined : await enrollmentOf(of)
      const line = { description: 'Lessons', unitAmountMinor: 10_000 + next(90) * 100 }
      const lines = [{ ...line, ...(enrollmentId && { enrollmentId }) }, ...(next(4) === 0 ? [line] : [])]
      const draft = await create(world, '/invoices', { studentId: of.id, issueDate: day, dueDate: due, lines })
      const { body, status } = await school.owner.post(`/invoices/${draft}/issue`)
      expect(status).toBe(200)
      const isOfCourse = enrollmentId !== undefined && lines.length === 1
      const bill = {
        id: draft,
        of,
        day,
        due,
        total: minor(body.total),
        course: isOfCourse ? (courses.get(of.groupId) as string) : null,
      }
      if (next(6) === 0) {
        expect((await school.owner.post(`/invoices/${draft}/void`, { reason: 'Twice' })).status).toBe(200)
        continue
      }
      bills.push(bill)
      owed.set(draft, bill.total)
      const pay = async (amount: number, month: string, method: string) => {
        const payment = { amountMinor: amount, currency: 'ILS', method, receivedAt: `${month}-20T21:30:00.000Z` }
        const reply = await school.owner.post(`/invoices/${draft}/payments`, payment)
        expect(reply.status).toBe(201)
        paid.push({ bill, month, method, amount })
        owed.set(draft, (owed.get(draft) ?? 0) - amount)
        return reply.body.id as string
      }
      if (next(2) === 0) {
        const amount = 1000 + next(5) * 100
        const id = await pay(amount, oneOf(next, ['2026-01', '2026-02', '2026-03']), oneOf(next, ['cash', 'card']))
        if (next(3) === 0) {
          expect((await school.owner.post(`/payments/${id}/reverse`, { reason: 'Bounced' })).status).toBe(201)
          paid.push({ ...(paid.at(-1) as (typeof paid)[number]), month: '2026-03', amount: -amount })
          owed.set(draft, (owed.get(draft) ?? 0) + amount)
        }
      }
      if (next(4) === 0) {
        await create(world, `/invoices/${draft}/credit-notes`, { amountMinor: 500, reason: 'Came late' })
        credited.push({ bill, amount: 500 })
        owed.set(draft, (owed.get(draft) ?? 0) - 500)
      }
    }
    async function enrollmentOf({ id, groupId }: (typeof students)[number]): Promise<string> {
      const { data } = (await school.owner.get(`/enrollments?studentId=${id}`)).body
      return data[0]?.id ?? enroll(id, groupId, '2026-01-01')
    }

    const figures = (is: (bill: Bill) => boolean, month?: string, method?: string) => ({
      billed: sum(bills.filter((bill) => is(bill) && (!month || bill.day.startsWith(month))).map(({ total }) => total)),
      credited: sum(
        credited.filter(({ bill }) => is(bill) && (!month || month === '2026-03')).map(({ amount }) => amount),
      ),
      collected: sum(
        paid
          .filter((one) => is(one.bill) && (!month || one.month === month) && (!method || one.method === method))
          .map(({ amount }) => amount),
      ),
    })
    type Row = Record<'billed' | 'credited' | 'collected', { amountMinor: number }>
    const told = ({ billed, credited: back, collected }: Row) => ({
      billed: minor(billed),
      credited: minor(back),
      collected: minor(collected),
    })
    const all = await report('income?from=2026-01-01')
    expect(told(all.totals[0])).toEqual(figures(() => true))
    for (const row of all.data) expect(told(row)).toEqual(figures(() => true, row.month))
    for (const row of (await report('income?by=branch&from=2026-01-01')).data) {
      expect(told(row)).toEqual(figures((bill) => bill.of.branch === row.branchId, row.month))
    }
    for (const row of (await report('income?by=course&from=2026-01-01')).data) {
      expect(told(row)).toEqual(figures((bill) => bill.course === row.courseId, row.month))
    }
    for (const row of (await report('income?by=method&from=2026-01-01')).data) {
      const expected = figures(() => true, row.month, row.method ?? 'none')
      if (row.method !== null) expect(minor(row.collected)).toBe(expected.collected)
      else expect([minor(row.billed), minor(row.credited)]).toEqual([expected.billed, expected.credited])
    }
    const [{ of }] = bills as [Bill]
    const ofGroup = await report(`income?from=2026-01-01&groupId=${of.groupId}`)
    expect(told(ofGroup.totals[0])).toEqual(figures((bill) => bill.course === courses.get(of.groupId)))
    // Behind each sum stands a list, narrowed as the sum is.
    const listed = async (path: string): Promise<number> => {
      const { status, body } = await school.owner.get(`/${path}&limit=100`)
      expect([path, status]).toEqual([path, 200])
      return sum(
        body.data.map(({ total, amount }: Record<string, { amountMinor: number }>) =>
          minor((total ?? amount) as { amountMinor: number }),
        ),
      )
    }
    for (const month of ['2026-01', '2026-02', '2026-03']) {
      const days = (from: string, to: string) => `${from}=${month}-01&${to}=${month}-${month === '2026-02' ? 28 : 31}`
      const narrowed = [
        { query: '', is: () => true },
        { query: `&branchId=${north}`, is: (bill: Bill) => bill.of.branch === north },
        { query: `&groupId=${of.groupId}`, is: (bill: Bill) => bill.course === courses.get(of.groupId) },
        { query: `&courseId=${courses.get(of.groupId)}`, is: (bill: Bill) => bill.course === courses.get(of.groupId) },
      ]
      for (const { query, is } of narrowed) {
        const { billed, credited: back, collected } = figures(is, month)
        expect(await listed(`invoices?${days('issuedFrom', 'issuedTo')}${query}`)).toBe(billed)
        expect(await listed(`credit-notes?${days('from', 'to')}${query}`)).toBe(back)
        // What was taken back since has its receipt still.
        const received = (method?: string) =>
          sum(
            paid
              .filter((one) => is(one.bill) && one.month === month && one.amount > 0)
              .filter((one) => method === undefined || one.method === method)
              .map(({ amount }) => amount),
          )
        expect(await listed(`receipts?${days('from', 'to')}${query}`)).toBe(received())
        expect(await listed(`receipts?${days('from', 'to')}${query}&method=card`)).toBe(received('card'))
        const ledger = `reports/income/collected?${days('from', 'to')}${query}`
        expect(await listed(ledger)).toBe(collected)
        expect(await listed(`${ledger}&method=card`)).toBe(figures(is, month, 'card').collected)
      }
    }
    const inNorth = await report(`income?from=2026-01-01&branchId=${north}`)
    expect(told(inNorth.totals[0])).toEqual(figures((bill) => bill.of.branch === north))

    const lateBy = (due: string): number => (Date.parse('2026-03-31') - Date.parse(due)) / 86_400_000
    const age = (days: number): string =>
      days <= 0 ? 'notDue' : days <= 30 ? 'upTo30' : days <= 60 ? 'upTo60' : days <= 90 ? 'upTo90' : 'over90'
    const debts = (is: (bill: Bill) => boolean) => {
      const ages: Record<string, number> = { notDue: 0, upTo30: 0, upTo60: 0, upTo90: 0, over90: 0 }
      for (const bill of bills.filter(is))
        ages[age(lateBy(bill.due))] = (ages[age(lateBy(bill.due))] ?? 0) + (owed.get(bill.id) ?? 0)
      return { total: sum(Object.values(ages)), ...ages }
    }
    const said = (row: Record<string, { amountMinor: number }>) =>
      Object.fromEntries(
        ['total', 'notDue', 'upTo30', 'upTo60', 'upTo90', 'over90'].map((name) => [name, minor(row[name] as never)]),
      )
    const payers = await report('debts?by=payer')
    expect(said(payers.totals[0])).toEqual(debts(() => true))
    for (const row of payers.data) {
      const isOf = (bill: Bill) =>
        row.payerGuardianId === null
          ? bill.of.payer === null && bill.of.id === row.studentId
          : bill.of.payer === row.payerGuardianId
      expect(said(row)).toEqual(debts(isOf))
    }
    // Each age opens the invoices behind it, also those that are not due.
    const { on } = payers
    const ago = (days: number) => new Date(Date.parse(on) - days * 86_400_000).toISOString().slice(0, 10)
    const open = 'status=issued&status=partially_paid&status=overdue'
    const unpaid = async (query: string) => {
      const { data } = (await school.owner.get(`/invoices?limit=100&${open}&${query}`)).body
      return sum(data.map((one: { balance: { amountMinor: number } }) => minor(one.balance)))
    }
    expect({
      total: await unpaid(''),
      notDue: await unpaid(`sort=dueDate&dueFrom=${on}`),
      upTo30: await unpaid(`sort=dueDate&dueFrom=${ago(30)}&dueTo=${ago(1)}`),
      upTo60: await unpaid(`sort=dueDate&dueFrom=${ago(60)}&dueTo=${ago(31)}`),
      upTo90: await unpaid(`dueFrom=${ago(90)}&dueTo=${ago(61)}`),
      over90: await unpaid(`dueTo=${ago(91)}`),
    }).toEqual(debts(() => true))
    const families = await report('debts?by=family')
    expect(sum(families.data.map((row: { total: { amountMinor: number } }) => minor(row.total)))).toBe(
      debts(() => true).total,
    )
    for (const row of families.data) {
      const ids = row.students.map((student: { studentId: string }) => student.studentId)
      expect(said(row)).toEqual(debts((bill) => ids.includes(bill.of.id)))
    }
    expect(said((await report(`debts?branchId=${north}`)).totals[0])).toEqual(debts((bill) => bill.of.branch === north))

    const manager = await school.member({ role: 'branch_manager', branchId: north })
    expect(said((await report('debts', manager)).totals[0])).toEqual(debts((bill) => bill.of.branch === north))
    expect(told((await report('income?from=2026-01-01', manager)).totals[0])).toEqual(
      figures((bill) => bill.of.branch === north),
    )
    const reader = await school.member({ permissions: ['reports.read'] })
    for (const path of ['income', 'income/collected', 'debts'])
      expect((await reader.get(`/reports/${path}`)).status).toBe(403)
  })

  test('count what is paid ahead and refunded, and other currencies beside', async () => {
    const [studentId] = (await newStudents(1)) as [string]
    const ahead = { method: 'card', paidBy: { studentId } }
    await school.owner.post('/payments', { ...ahead, currency: 'ILS', amountMinor: 5000 })
    await school.owner.post('/payments', { ...ahead, currency: 'USD', amountMinor: 700 })
    await school.owner.post('/refunds', { studentId, amountMinor: 2000, method: 'cash', reason: 'Moves' })
    const { totals, data } = await report('income?by=method')
    expect(totals.map((one: { collected: object }) => one.collected)).toEqual([
      { amountMinor: 3000, currency: 'ILS' },
      { amountMinor: 700, currency: 'USD' },
    ])
    expect(
      data.map((row: { method: string; collected: { amountMinor: number } }) => [row.method, minor(row.collected)]),
    ).toEqual([
      ['card', 5000],
      ['cash', -2000],
      ['card', 700],
    ])
  })
})
