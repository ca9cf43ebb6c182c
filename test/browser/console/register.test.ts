import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { en } from '../../../src/console/words/en/index.ts'
import { isolate } from '#shared/isolate.ts'
import { loadWords } from '../../../src/console/words/index.ts'
import { examine, LANGUAGES } from '../screens.ts'
import { press } from './press.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
let owner: School['institute']['owner']
const { open } = watched(() => school)
beforeAll(async () => {
  school = await openSchool('en')
  ;({ owner } = school.institute)
})
afterAll(() => school.app.close())

const asOwner = () => ({ userId: school.institute.ownerUserId })
const { register: words, people, shell } = await loadWords.en()

const sectionOf = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title }) })

const typeStudent = async (page: Page, firstName: string, lastName: string, birth = '') => {
  const student = sectionOf(page, people.student)
  await student.getByLabel(people.firstName).fill(firstName)
  await student.getByLabel(people.lastName).fill(lastName)
  await student.getByLabel(people.birthDate).fill(birth)
}
const choose = (page: Page, group: string) => page.getByRole('button', { name: new RegExp(group) }).click()
const relate = (page: Page, relation: string) => press(page.getByRole('radio', { name: relation }))
const save = (page: Page) => page.getByRole('button', { name: words.save, exact: true })

const found = async (q: string) => (await owner.get(`/students?q=${q}`)).body.data as { id: string; status: string }[]
const read = async (path: string) => (await owner.get(path)).body

test('a guardian, a student, a group and the first invoice are saved on one page, whatever digits they are typed in', async () => {
  const page = await open({ as: asOwner(), path: '/students', size: 'desk', locale: 'en' })
  await page.getByRole('link', { name: words.save, exact: true }).click()
  const guardian = sectionOf(page, words.guardian)
  await guardian.getByLabel(words.guardianPhone).fill('٠٥٤-٧٦٥ ٤٣٢١')
  await guardian.getByLabel(people.firstName).fill('Hala')
  await guardian.getByLabel(people.lastName).fill('Zaher')
  await relate(page, words.relations.mother)
  expect(await sectionOf(page, people.student).getByLabel(people.lastName).inputValue()).toBe('Zaher')
  await typeStudent(page, 'Rami', 'Zaher', '٣.٤.١٥')
  await choose(page, 'Robotics')
  await page
    .getByText(/450\.00/)
    .first()
    .waitFor()
  await save(page).click()
  await page.getByRole('heading', { level: 1, name: /Rami Zaher/ }).waitFor()

  const [student] = await found('Rami')
  const path = `/students/${student?.id}`
  const toPay = await page.getByRole('link', { name: en.payment.title }).last().getAttribute('href')
  expect(toPay).toMatch(new RegExp(`^/pay${path}[?]invoice=`))
  expect(await read(path)).toMatchObject({ status: 'active', birthDate: '2015-04-03', lastName: 'Zaher' })
  expect((await read(`${path}/guardians`)).data).toMatchObject([
    { relationship: 'mother', isPayer: true, guardian: { firstName: 'Hala', phone: '+972547654321' } },
  ])
  expect((await read(`${path}/enrollments`)).data).toMatchObject([{ groupId: school.groupIds[3], status: 'active' }])
  expect((await read(`${path}/invoices`)).data).toMatchObject([{ status: 'issued', total: { amountMinor: 45_000 } }])
  // The list that was read before has them too.
  await page.getByRole('link', { name: shell.nav.students }).first().click()
  await page.getByRole('link', { name: /Zaher Rami/ }).waitFor({ timeout: 5000 })
})

test('answers that are lost, a network that is cut, and a button that is pressed twice double nothing', async () => {
  const page = await open({ as: asOwner(), path: '/register', size: 'desk', locale: 'en' })
  await page.getByLabel(words.guardianPhone).fill('052 123 4567')
  await page.getByText(words.relatedTo.mother(isolate('Lina Khoury'))).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await typeStudent(page, 'Karim', 'Khoury')
  await choose(page, 'Robotics')
  const before = (await read('/guardians?limit=100')).data.length
  // The question whether it would be taken gets no answer, then the answer to the registration is lost, and then it does
  // not even reach the server.
  const seen = { asked: 0, sent: [] as (string | undefined)[] }
  await page.route('**/api/v1/registrations', async (route) => {
    const request = route.request()
    if ((request.postDataJSON() as { dryRun?: boolean }).dryRun) {
      seen.asked += 1
      return seen.asked === 1 ? route.abort() : route.continue()
    }
    seen.sent.push(request.headers()['idempotency-key'])
    if (seen.sent.length === 1) await route.fetch()
    return seen.sent.length < 3 ? route.abort() : route.continue()
  })
  await save(page).dblclick()
  await page.getByText(words.waiting).waitFor()
  await page.getByRole('heading', { level: 1, name: words.done('Karim Khoury') }).waitFor()
  expect(seen.sent).toHaveLength(3)
  expect(new Set(seen.sent).size).toBe(1)
  const students = await found('Karim')
  expect(students).toMatchObject([{ status: 'active' }])
  const path = `/students/${students[0]?.id}`
  expect((await read(`${path}/guardians`)).data).toHaveLength(1)
  expect((await read(`${path}/enrollments`)).data).toHaveLength(1)
  expect((await read(`${path}/invoices`)).data).toMatchObject([{ status: 'issued' }])
  expect((await read('/guardians?limit=100')).data).toHaveLength(before)
})

test('the same child again is noticed before saving, and where one part is refused, nothing is saved', async () => {
  const page = await open({ as: asOwner(), path: '/register', size: 'desk', locale: 'en' })
  await page.getByRole('button', { name: words.withoutGuardian }).click()
  await typeStudent(page, 'Yara', 'Nasser')
  await choose(page, 'Arabic B1')
  await save(page).click()
  const other = page.getByRole('button', { name: words.other })
  await other.waitFor()
  expect(await found('Yara')).toHaveLength(1)
  await other.and(page.locator(':focus')).waitFor()
  await other.click()
  // The last places are taken meanwhile.
  const group = await read(`/groups/${school.groupIds[1]}`)
  await owner.patch(`/groups/${group.id}`, { capacity: group.enrolledCount })
  await save(page).click()
  await page.getByText(words.failed(words.parts.group)).waitFor()
  await page.getByText(words.nothingSaved).waitFor()
  expect(await found('Yara')).toHaveLength(1)
  await page.getByRole('button', { name: words.anotherGroup }).click()
  await choose(page, 'Robotics')
  await save(page).click()
  await page.getByRole('heading', { level: 1, name: words.done('Yara Nasser') }).waitFor()
  expect(await found('Yara')).toHaveLength(2)
})

test('what cannot be right is marked and stays, and markup is a name like another', async () => {
  const page = await open({ as: await school.member('front_desk'), path: '/register', locale: 'en' })
  const endless = 'ن'.repeat(10_000)
  await page.getByLabel(words.guardianPhone).fill('call me')
  for (const field of await page
    .getByLabel(new RegExp(`${people.firstName}|${people.lastName}|${words.nationalId}`))
    .all()) {
    await field.fill(endless)
  }
  await page.getByLabel(people.birthDate).fill('31/2/2015')
  await page.getByLabel(people.email).fill('nobody at home')
  await save(page).click()
  for (const [fault, times] of [
    [shell.tooLong(100, 10_000), 4],
    [shell.tooLong(50, 10_000), 1],
    [words.faults.noPhone, 1],
    [shell.unknownDate, 1],
    [words.faults.noEmail, 1],
    [words.faults.noAnswer, 1],
  ] as const) {
    await page.getByText(fault).first().waitFor()
    await expect.poll(() => page.getByText(fault).count(), { message: fault }).toBe(times)
  }
  expect(await page.getByLabel(words.guardianPhone).inputValue()).toBe('call me')
  expect(await page.getByLabel(words.nationalId).inputValue()).toBe(endless)
  await page.getByRole('button', { name: words.withoutGuardian }).click()
  await typeStudent(page, '<img src=x onerror=alert(1)>', '"><script>', '2015/3/25')
  await page.getByLabel(words.nationalId).fill('٠١٢٣٤٥٦٧٨')
  await save(page).click()
  await page.getByRole('heading', { level: 1, name: /<img src=x/ }).waitFor()
  const [student] = await found('script')
  expect(await read(`/students/${student?.id}`)).toMatchObject({ nationalId: '012345678', birthDate: '2015-03-25' })
})

test('a registration whose page is closed before the answer is made once, and told by the next page', async () => {
  const page = await open({ as: asOwner(), path: '/register', size: 'desk', locale: 'en' })
  await page.getByRole('button', { name: words.withoutGuardian }).click()
  await typeStudent(page, 'Rula', 'Odeh')
  await page.route('**/api/v1/registrations', async (route) => {
    if ((route.request().postDataJSON() as { dryRun?: boolean }).dryRun) return route.continue()
    await route.fetch()
    return route.abort()
  })
  await save(page).click()
  await page.getByText(words.waiting).waitFor()
  await page.unrouteAll({ behavior: 'wait' })
  await page.goto(new URL('/students', page.url()).href)
  await page.getByText(words.done('Rula Odeh')).waitFor()
  await page.getByRole('link', { name: words.toStudent }).click()
  await page.getByRole('heading', { level: 1, name: 'Rula Odeh' }).waitFor()
  expect(await found('Rula')).toHaveLength(1)
})

test('who makes no invoices and sees no fees reads what it costs, and who may add no guardian is not asked for one', async () => {
  const as = await school.institute.member({
    permissions: ['students.write', 'students.read', 'enrollments.write', 'groups.read'],
  })
  const page = await open({ as, path: '/register', size: 'desk', locale: 'en' })
  await typeStudent(page, 'Tala', 'Odeh')
  await choose(page, 'Robotics')
  await sectionOf(page, words.costs)
    .getByText(/450\.00/)
    .first()
    .waitFor()
  expect(await page.getByLabel(words.guardianPhone).count()).toBe(0)
  await save(page).click()
  await page.getByRole('heading', { level: 1, name: words.done('Tala Odeh') }).waitFor()
  const [student] = await found('Tala')
  expect((await read(`/students/${student?.id}/enrollments`)).data).toHaveLength(1)
  expect((await read(`/students/${student?.id}/invoices`)).data).toEqual([])
})

test('while not even the question whether it would be taken is answered, the page says that nothing is sent', async () => {
  const page = await open({ as: asOwner(), path: '/register', size: 'desk', locale: 'en' })
  await page.getByRole('button', { name: words.withoutGuardian }).click()
  await typeStudent(page, 'Hanan', 'Odeh')
  await page.route('**/api/v1/registrations', (route) => route.abort())
  await save(page).click()
  await page.getByText(words.notSent).waitFor()
  expect(await page.getByText(words.waiting).count()).toBe(0)
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByRole('heading', { level: 1, name: words.done('Hanan Odeh') }).waitFor()
  expect(await found('Hanan')).toHaveLength(1)
})

test('a first invoice is changed before it is made: a line less, another amount', async () => {
  const page = await open({ as: asOwner(), path: '/register', size: 'desk', locale: 'en' })
  await page.getByRole('button', { name: words.withoutGuardian }).click()
  await typeStudent(page, 'Lamis', 'Odeh')
  await choose(page, 'Robotics')
  const invoice = sectionOf(page, words.invoice)
  await invoice.getByRole('textbox').first().fill('٣٠٠')
  await invoice.getByText('₪300.00').first().waitFor()
  await save(page).click()
  await page.getByRole('heading', { level: 1, name: words.done('Lamis Odeh') }).waitFor()
  const [student] = await found('Lamis')
  expect((await read(`/students/${student?.id}/invoices`)).data).toMatchObject([{ total: { amountMinor: 30_000 } }])
})

test('nobody is charged what the page did not show: a price that changed meanwhile is shown first', async () => {
  const group = `/groups/${school.groupIds[3]}`
  const page = await open({ as: asOwner(), path: '/register', size: 'desk', locale: 'en' })
  await page.getByRole('button', { name: words.withoutGuardian }).click()
  await typeStudent(page, 'Widad', 'Odeh')
  await choose(page, 'Robotics')
  const invoice = sectionOf(page, words.invoice)
  await invoice.getByText('₪450.00').first().waitFor()
  await owner.patch(group, { feeMinor: 50_000 })
  try {
    await save(page).click()
    await page.getByText(words.newPrices).waitFor()
    await invoice.getByText('₪500.00').first().waitFor()
    expect(await found('Widad')).toHaveLength(0)
    await save(page).click()
    await page.getByRole('heading', { level: 1, name: words.done('Widad Odeh') }).waitFor()
    const [student] = await found('Widad')
    expect((await read(`/students/${student?.id}/invoices`)).data).toMatchObject([{ total: { amountMinor: 50_000 } }])
  } finally {
    await owner.patch(group, { feeMinor: 45_000 })
  }
})

test('while the server has not said what changed lines come to, no other total is shown; and what it refuses of them is told', async () => {
  const fee = { name: 'Materials', kind: 'registration', amountMinor: 5000, currency: 'ILS', recurrence: 'once' }
  const { id } = (await owner.post('/fee-schedules', fee)).body
  try {
    const page = await open({ as: asOwner(), path: '/register', size: 'desk', locale: 'en' })
    await page.getByRole('button', { name: words.withoutGuardian }).click()
    await typeStudent(page, 'Ghada', 'Odeh')
    await choose(page, 'Robotics')
    const invoice = sectionOf(page, words.invoice)
    await invoice.getByText('₪500.00').first().waitFor()
    await page.route('**/api/v1/registrations', (route) => route.abort())
    await invoice.getByRole('textbox').first().fill('9999999999')
    await invoice.getByText('…', { exact: true }).waitFor()
    expect(await page.getByText('₪500.00').count()).toBe(0)
    await page.unrouteAll({ behavior: 'wait' })
    await invoice.getByRole('textbox').last().fill('9999999999')
    await save(page).click()
    await page.getByText(words.failed(words.parts.invoice)).waitFor()
    expect(await found('Ghada')).toHaveLength(0)
  } finally {
    await owner.patch(`/fee-schedules/${id}`, { isActive: false })
  }
})

test('what is typed of one child is not given up by the browser because another was registered meanwhile', async () => {
  const lead = await owner.post('/leads', { firstName: 'Samar', lastName: 'Odeh', phone: '0549990012' })
  const page = await open({ as: asOwner(), path: '/register', size: 'desk', locale: 'en' })
  const asksFirst = () => page.evaluate(`!dispatchEvent(new Event('beforeunload', { cancelable: true }))`)
  expect(await asksFirst()).toBe(false)
  await page.getByRole('button', { name: words.withoutGuardian }).click()
  await typeStudent(page, 'Unsaved', 'Odeh')
  await page.evaluate(`history.pushState(null, '', '/register?lead=${lead.body.id}')`)
  await page.getByText(/Samar/).first().waitFor()
  await page.getByRole('button', { name: words.withoutGuardian }).click()
  await save(page).click()
  await page.getByRole('heading', { level: 1, name: words.done('Samar Odeh') }).waitFor()
  expect(await asksFirst()).toBe(true)
})

test('an enquiry becomes a student with what is added, and counts as one', async () => {
  const guardian = { firstName: 'Hala', lastName: 'Bishara', phone: '+972549990001' }
  const lead = await owner.post('/leads', { firstName: 'Nada', lastName: 'Bishara', phone: '0549990002', guardian })
  const page = await open({ as: await school.member('front_desk'), path: `/leads/${lead.body.id}`, locale: 'en' })
  await page.getByRole('link', { name: (await loadWords.en()).leads.convert }).click()
  await page.getByText('Hala Bishara').waitFor()
  await relate(page, words.relations.father)
  await sectionOf(page, people.student).getByLabel(people.birthDate).fill('25-12-2014')
  await choose(page, 'Robotics')
  await save(page).click()
  await page.getByRole('heading', { level: 1, name: words.done('Nada Bishara') }).waitFor()
  const { status, studentId } = await read(`/leads/${lead.body.id}`)
  expect(status).toBe('converted')
  const path = `/students/${studentId}`
  expect(await read(path)).toMatchObject({ status: 'active', phone: '+972549990002', birthDate: '2014-12-25' })
  expect((await read(`${path}/guardians`)).data).toMatchObject([{ relationship: 'father', isPayer: true }])
  await page.getByRole('button', { name: words.sibling }).click()
  await page.waitForURL(/guardian=/)
  await page.getByText('Hala Bishara').waitFor()
  expect(await page.getByRole('button', { name: shell.more }).count()).toBe(0)
  // What the guardian is to one child, they are to the next, and to the one after that.
  const student = sectionOf(page, people.student)
  await student.getByLabel(people.firstName).fill('Wasim')
  await save(page).click()
  await page.getByRole('heading', { level: 1, name: words.done('Wasim Bishara') }).waitFor()
  await page.getByRole('button', { name: words.sibling }).click()
  await student.getByLabel(people.firstName).fill('Ruba')
  await save(page).click()
  await page.getByRole('heading', { level: 1, name: words.done('Ruba Bishara') }).waitFor()
})

describe.each(LANGUAGES)('in $locale', ({ locale }) => {
  test('looks right while it is typed and when it is saved', async () => {
    const said = await loadWords[locale]()
    const page = await open({ as: asOwner(), locale, path: '/register' })
    await page.getByLabel(said.register.guardianPhone).fill('0521234567')
    await page.getByRole('button', { name: said.register.yes }).waitFor()
    await choose(page, 'Robotics')
    const student = page.locator('section').filter({ has: page.getByRole('heading', { name: said.people.student }) })
    await student.getByLabel(said.people.firstName).fill('Dana')
    await student.getByLabel(said.people.lastName).fill('Levi')
    await page.getByRole('button', { name: said.register.other }).waitFor()
    await page.getByRole('button', { name: said.register.save, exact: true }).click()
    await expect.poll(() => page.getByRole('button', { name: said.register.other }).count()).toBe(1)
    await examine(page, locale, `console-register-${locale}`)
  })
})
