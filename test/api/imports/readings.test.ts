import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { uploaded } from '#kit/files.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { countsOf, errorsOf, imported, lines } from './importing.ts'

/** What cells mean: dates, identity numbers, names, what says nothing; and what a list is besides its rows. */

let app: TestApp
let school: TestInstitute
beforeAll(async () => {
  app = await startApp()
  school = await makeInstitute(app)
})
afterAll(() => app.close())

const students = (content: string | Buffer, more: object = {}) =>
  imported(app, school.owner, content, { kind: 'students', ...more })

const found = async (q: string) => (await school.owner.get(`/students?q=${encodeURIComponent(q)}`)).body.data

const detail = async (q: string) => (await school.owner.get(`/students/${(await found(q))[0].id}`)).body

describe('one order of dates for a column', () => {
  const HEAD = 'Full name,National ID,Birth date'

  test('is proved by any row: 11/24/2015 makes 03/04/2015 the fourth of March', async () => {
    const done = await students(lines(HEAD, 'Early Month,11,03/04/2015', 'Late Month,12,11/24/2015 00:00'))
    expect(countsOf(done)).toMatchObject({ created: 2, refused: 0 })
    expect((await detail('Early Month')).birthDate).toBe('2015-03-04')
    expect((await detail('Late Month')).birthDate).toBe('2015-11-24')
  })

  test('is the day first where none proves another', async () => {
    await students(lines(HEAD, 'Day First,13,03/04/2015', 'Iso Date,14,2015-11-24'))
    expect((await detail('Day First')).birthDate).toBe('2015-04-03')
  })

  test('is none where both are proved: the rows that could be either are refused', async () => {
    const table = lines(
      HEAD,
      'One Way,15,11/24/2015',
      'Other Way,16,24/11/2015',
      'Either Way,17,03/04/2015',
      'Same Way,18,3/3/15',
    )
    for (const dryRun of [true, false]) {
      const done = await students(table, { dryRun })
      expect(done.errors).toEqual([
        { row: 4, column: 'Birth date', field: 'birthDate', value: '03/04/2015', reason: 'ambiguous_date' },
      ])
    }
    expect((await detail('One Way')).birthDate).toBe('2015-11-24')
    expect((await detail('Other Way')).birthDate).toBe('2015-11-24')
    expect(await found('Either Way')).toEqual([])
  })
})

describe('one child, however they are written', () => {
  test('by an identity number whose zero is gone, with a hyphen, or in Arabic digits', async () => {
    const HEAD = 'Full name,National ID,City'
    const [first, ...others] = ['012345674', '12345674', '01234567-4', '٠١٢٣٤٥٦٧٤', '۱۲۳۴۵۶۷۴', '0 1234567 4']
    expect(countsOf(await students(lines(HEAD, `Amal Nassar,${first},Haifa`)))).toMatchObject({ created: 1 })
    const done = await students(lines(HEAD, ...others.map((number, nth) => `Amal Nassar,${number},City ${nth}`)))
    expect(countsOf(done)).toEqual({ rows: 5, created: 0, updated: 5, unchanged: 0, refused: 0 })
    expect(await detail('Amal Nassar')).toMatchObject({ nationalId: '012345674', address: { city: 'City 4' } })
    for (const typed of ['12345674', '01234567-4', '٠١٢٣٤٥٦٧٤']) {
      const { body } = await school.owner.get(`/students?nationalId=${encodeURIComponent(typed)}`)
      expect(body.data).toHaveLength(1)
    }
  })

  test('and the desk writes an identity number as a list does', async () => {
    await students(lines('Full name,National ID', 'Hani Qasem,34567891'))
    const typed = { branchId: school.branchId, firstName: 'Rim', lastName: 'Qasem', nationalId: '03456789-1' }
    const added = (await school.owner.post('/students', typed)).body
    const numbers = await Promise.all([detail('Hani Qasem'), school.owner.get(`/students/${added.id}`)])
    expect([numbers[0].nationalId, numbers[1].body.nationalId]).toEqual(['034567891', '034567891'])
    const { body } = await school.owner.patch(`/students/${added.id}`, { nationalId: '12345674' })
    expect(body.nationalId).toBe('012345674')
    // A number that the check digit does not fit, and a passport, stay as they are.
    for (const kept of ['034567895', '12345678', 'AB-123']) {
      expect((await school.owner.patch(`/students/${added.id}`, { nationalId: kept })).body.nationalId).toBe(kept)
    }
  })

  test.each([
    ['عبدالرحمن', 'عبد الرحمن', 'سعيد', '0503330001'],
    ['בר-אור', 'בר אור', 'נועם', '0503330002'],
    ['אבו חסן', 'אבוחסן', 'סמי', '0503330003'],
  ])('by the name with one phone: %s and %s, and the search finds either', async (one, other, first, phone) => {
    const HEAD = 'First name,Last name,Phone,Guardian phone'
    expect(countsOf(await students(lines(HEAD, `${first},${one},,${phone}`)))).toMatchObject({ created: 1 })
    expect(countsOf(await students(lines(HEAD, `${first},${other},,${phone}`)))).toMatchObject({
      created: 0,
      refused: 0,
    })
    for (const typed of [one, other]) expect(await found(`${first} ${typed}`)).toHaveLength(1)
  })
})

describe('cells that say nothing', () => {
  test.each(['-', '–', '--', 'אין', 'لا يوجد', '0', 'none', 'None'])('are empty: %s', async (nothing) => {
    const HEAD = 'Full name,National ID,Phone,Guardian phone'
    const number = `9${(700 + nothing.length * 7 + (nothing.codePointAt(0) ?? 0)) % 1000}`
    const done = await students(lines(HEAD, `Empty Cell,${number},${nothing},${nothing}`))
    expect(errorsOf(done)).toEqual([])
    expect(done.created + done.unchanged + done.updated).toBe(1)
    expect((await detail('Empty Cell')).phone).toBeNull()
  })

  test('but no money is an amount', async () => {
    const done = await imported(app, school.owner, lines('National ID,Balance', '012345674,0'), { kind: 'balances' })
    expect(countsOf(done)).toMatchObject({ unchanged: 1, refused: 0 })
  })
})

describe('a list', () => {
  test('may begin with sep=; and with a title above the heads', async () => {
    const told = await students(lines('sep=;', 'Full name;National ID', 'Told One;41'))
    expect(countsOf(told)).toMatchObject({ rows: 1, created: 1 })
    const titled = await students(lines('Class list, 2026', '', 'National ID;Full name', '42;Titled One', '43;'))
    expect(titled).toMatchObject({ rows: 2, columns: ['National ID', 'Full name'] })
    // Rows keep the numbers that spreadsheet programs show.
    expect(titled.errors).toMatchObject([{ row: 5 }])
  })

  test('may end with totals, which are told and not read', async () => {
    const done = await students(lines('Full name;National ID', 'Last One;44', '', 'Total: 1;', ';17'))
    expect(countsOf(done)).toEqual({ rows: 1, created: 1, updated: 0, unchanged: 0, refused: 0 })
    expect(done.told).toEqual([
      { row: 4, column: null, field: null, value: 'Total: 1', reason: 'totals' },
      { row: 5, column: null, field: null, value: '17', reason: 'totals' },
    ])
  })

  test('may end with a row that says that it is a total, with its figure beside it', async () => {
    const done = await students(
      lines('Full name;National ID;Notes', 'Last But One;47;', '', 'סה"כ;;1', 'Total Name;48;'),
    )
    expect(countsOf(done)).toEqual({ rows: 2, created: 2, updated: 0, unchanged: 0, refused: 0 })
    expect(done.told).toMatchObject([{ row: 4, value: 'סה"כ', reason: 'totals' }])
  })

  test('of old Excel is refused in words that say how to save it', async () => {
    const bytes = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2000)])
    const done = await students(bytes, { type: 'application/vnd.ms-excel' })
    expect(done).toMatchObject({ status: 'failed', errors: [{ row: null, field: null, reason: 'old_workbook' }] })
  })

  test('that is called .xls is read as what it is', async () => {
    const page = '<html><body><table><tr><th>Full name<th>National ID<tr><td>Of Page<td>45</table></body></html>'
    expect(countsOf(await students(page, { type: 'application/vnd.ms-excel' }))).toMatchObject({ created: 1 })
    // And the other way round: by its first bytes, not by its type.
    expect(countsOf(await students(page))).toMatchObject({ unchanged: 1 })
    expect(
      countsOf(await students('Full name\tNational ID\nOf Tabs\t46\n', { type: 'text/tab-separated-values' })),
    ).toMatchObject({ created: 1 })
  })

  test('is taken only where it is what it says', async () => {
    const picture = { bytes: Buffer.from('89504e470d0a1a0a00000000', 'hex'), originalName: 'list.xls' }
    for (const mimeType of ['application/vnd.ms-excel', 'application/vnd.oasis.opendocument.spreadsheet']) {
      expect((await uploaded(app, school.owner, { ...picture, mimeType })).status).toBe(422)
    }
  })
})

describe('what is missing', () => {
  test('is named by its field where the file has no column for it', async () => {
    const done = await students(lines('First name,National ID', 'Alone,51'))
    expect(done.errors).toEqual([{ row: 2, column: null, field: 'lastName', value: null, reason: 'missing' }])
    const csv = String((await school.owner.get(`/imports/${done.id}/refused`)).body)
    expect(csv).toContain('Last name: is missing')
    for (const [language, said] of [
      ['he', 'שם משפחה: חסר'],
      ['ar', 'اسم العائلة: ناقص'],
    ] as const) {
      const headers = { 'accept-language': language }
      expect(String((await school.owner.send('GET', `/imports/${done.id}/refused`, { headers })).body)).toContain(said)
    }
  })

  test('and whatever is refused says the field and the value', async () => {
    const done = await imported(app, school.owner, lines('National ID,Full name,Group', '999,Nobody Known,Nowhere'), {
      kind: 'enrollments',
    })
    expect(done.errors).toEqual([
      { row: 2, column: 'National ID', field: 'nationalId', value: '999', reason: 'unknown_student' },
    ])
  })
})

describe('a dry run', () => {
  test('shows the first 20 rows as they would stand', async () => {
    const HEAD = 'Full name,National ID,Phone,Birth date,Mother name,Mother phone'
    const more = Array.from({ length: 25 }, (_, nth) => `Row N${nth},${600 + nth},,,,`)
    await students(lines(HEAD, 'Nadia Issa,23456783,,,,'))
    const tried = await students(
      lines(HEAD, 'Nadia Issa,23456783,050-444-0001,24/11/2014,Huda,0504440002', 'Nobody,,,,,', ...more),
      { dryRun: true },
    )
    expect(tried.preview).toHaveLength(20)
    expect(tried.preview.map(({ row }: { row: number }) => row)).toEqual(
      Array.from({ length: 20 }, (_, nth) => nth + 2),
    )
    expect(tried.preview.slice(0, 2)).toEqual([
      {
        row: 2,
        outcome: 'updated',
        values: {
          firstName: 'Nadia',
          lastName: 'Issa',
          nationalId: '023456783',
          phone: '+972504440001',
          birthDate: '2014-11-24',
          status: 'active',
          branch: expect.any(String),
          guardians: 'Huda Issa +972504440002',
        },
        // What it holds now where that would be otherwise.
        before: { phone: '', birthDate: '', guardians: '' },
        known: [],
      },
      { row: 3, outcome: 'refused', values: { fullName: 'Nobody' }, before: {}, known: [] },
    ])
    expect((await students(lines(HEAD, 'Later Shown,77,,,,'))).preview).toEqual([])
  })

  test('shows what is there already: what changes, and a guardian who is known', async () => {
    const HEAD = 'Full name,National ID,City,Mother name,Mother phone'
    await students(lines(HEAD, 'Reem Badran,34567891,Acre,Suha Badran,0504440003'))
    const { preview } = await students(
      lines(
        HEAD,
        'Reem Badran,034567891,Haifa,Suha Badran,0504440003',
        'Rami Badran,91,,Suha Badran,0504440003',
        'Tala Other,92,,Suha Badran,0504440004',
        'Reem Badran,034567891,Haifa,,',
      ),
      { dryRun: true },
    )
    expect(preview).toMatchObject([
      { outcome: 'updated', values: { city: 'Haifa' }, before: { city: 'Acre' } },
      { outcome: 'created', before: {}, known: ['Suha Badran +972504440003'] },
      { outcome: 'created', before: {}, known: [] },
      // After the first row.
      { outcome: 'unchanged', before: {}, known: [] },
    ])
    expect(preview[0].before).toEqual({ city: 'Acre' })
  })

  test('shows staff, enrolments and balances too', async () => {
    const run = (kind: string, ...rows: string[]) => imported(app, school.owner, lines(...rows), { kind, dryRun: true })
    const staff = await run('staff', 'Name,Phone', 'Rula Hamdan,0504440009')
    expect(staff.preview).toMatchObject([{ outcome: 'created', values: { firstName: 'Rula', phone: '+972504440009' } }])
    const balances = await run('balances', 'National ID,Balance', '012345674,450.5')
    expect(balances.preview).toMatchObject([
      { values: { fullName: 'Amal Nassar', balance: '450.50', currency: 'ILS' } },
    ])
  })
})

describe('an import takes a branch', () => {
  test('for rows that name none', async () => {
    const usual = (await detail('Amal Nassar')).branchId
    const { body: north } = await school.owner.post('/branches', { name: 'North' })
    await school.owner.patch(`/branches/${usual}`, { name: 'Main' })
    const table = lines('Full name,National ID,Branch', 'No Branch,81,', 'Named Branch,82,Main')
    const done = await students(table, { branchId: north.id })
    expect(done).toMatchObject({ branchId: north.id, created: 2 })
    expect((await detail('No Branch')).branchId).toBe(north.id)
    expect((await detail('Named Branch')).branchId).toBe(usual)
  })

  test('which whoever asks reaches', async () => {
    const fileId = (
      await uploaded(app, school.owner, {
        bytes: Buffer.from('Full name\n'),
        mimeType: 'text/csv',
        originalName: 'a.csv',
      })
    ).body.id
    const branchId = '019cad6a-1c00-7000-8000-000000000000'
    const { status, body } = await school.owner.post('/imports', { kind: 'students', fileId, branchId })
    expect([status, body.error.details.path]).toEqual([404, ['branchId']])
  })
})
