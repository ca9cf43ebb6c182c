import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { countsOf, errorsOf, imported, lines } from './importing.ts'

let app: TestApp
let school: TestInstitute
beforeAll(async () => {
  app = await startApp()
})
beforeAll(async () => {
  school = await makeInstitute(app)
})
afterAll(() => app.close())

const students = (content: string | Buffer, more: object = {}) =>
  imported(app, school.owner, content, { kind: 'students', ...more })

const found = async (q: string) => (await school.owner.get(`/students?q=${encodeURIComponent(q)}`)).body.data

const detail = async (q: string) => (await school.owner.get(`/students/${(await found(q))[0].id}`)).body

/** How many audit entries of people, and events, the institute has. */
const traces = async () => {
  const { schema } = app.app.database
  const ofInstitute = (table: 'audit_entry' | 'event') =>
    schema.selectFrom(table).select('id').where('tenant_id', '=', school.tenant.id)
  const entries = ofInstitute('audit_entry').where('entity_type', 'in', ['student', 'guardian', 'guardian_link'])
  return { entries: (await entries.execute()).length, events: (await ofInstitute('event').execute()).length }
}

const FAMILY = lines(
  'Full name,National ID,Birth date,Phone,Gender,City,Mother name,Mother phone,Shoe size',
  'ليان خوري,301,24/11/2012,0501110001,أنثى,حيفا,هالة خوري,0501110002,36',
  'נועה כהן,302,2013-02-01,,נ,,רות כהן,052-111-0003,35',
  'Omar Aziz,303,٠١.٠٢.٢٠١٤,,m,,,,',
)

describe('students from a file', () => {
  test('are known by an identity number in digits of either kind', async () => {
    const head = 'Full name,National ID,City'
    expect(countsOf(await students(lines(head, 'سما خطيب,٠٥١,حيفا')))).toMatchObject({ created: 1 })
    expect(countsOf(await students(lines(head, 'سما خطيب,051,عكا')))).toMatchObject({ created: 0, updated: 1 })
    for (const typed of ['051', '٠٥١']) {
      const { body } = await school.owner.get(`/students?nationalId=${encodeURIComponent(typed)}`)
      expect(body.data).toMatchObject([{ firstName: 'سما' }])
    }
    const added = { firstName: 'Nur', lastName: 'Odeh', branchId: school.branchId, nationalId: '۰۵۲' }
    const { id } = (await school.owner.post('/students', added)).body
    expect((await school.owner.get(`/students/${id}`)).body.nationalId).toBe('052')
  })

  test('are added with their guardians, and a column that is not known is told', async () => {
    const done = await students(FAMILY)
    expect(done).toMatchObject({ status: 'done', unknown: ['Shoe size'], errors: [], finishedAt: expect.any(String) })
    expect(countsOf(done)).toEqual({ rows: 3, created: 3, updated: 0, unchanged: 0, refused: 0 })
    const layan = await detail('ليان')
    expect(layan).toMatchObject({
      firstName: 'ليان',
      lastName: 'خوري',
      nationalId: '301',
      birthDate: '2012-11-24',
      phone: '+972501110001',
      gender: 'female',
      status: 'active',
      address: { city: 'حيفا' },
    })
    const { body } = await school.owner.get(`/students/${layan.id}/guardians`)
    expect(body.data).toMatchObject([
      {
        relationship: 'mother',
        isPrimary: true,
        isPayer: true,
        guardian: { firstName: 'هالة', lastName: 'خوري', phone: '+972501110002' },
      },
    ])
    expect(await detail('Omar')).toMatchObject({ birthDate: '2014-02-01', gender: 'male' })
  })

  test('that are imported again change nothing, and leave no trace', async () => {
    const before = await traces()
    const again = await students(FAMILY)
    expect(countsOf(again)).toEqual({ rows: 3, created: 0, updated: 0, unchanged: 3, refused: 0 })
    const after = await traces()
    expect(after).toEqual(before)
  })

  test('are changed where a file says something else, and not where it says nothing', async () => {
    const { version } = await detail('ليان')
    const done = await students(lines('رقم الهوية;اسم العائلة;البريد الإلكتروني', '301;خوري;layan@example.org', '302;;'))
    expect(countsOf(done)).toEqual({ rows: 2, created: 0, updated: 1, unchanged: 1, refused: 0 })
    expect(await detail('ليان')).toMatchObject({
      email: 'layan@example.org',
      address: { city: 'حيفا' },
      version: version + 1,
    })
  })

  test('have one audit entry and one event each, in the name of who asked', async () => {
    await students(lines('First name,Last name,Phone', 'Traced,Person,0501119999'))
    const { id } = (await found('Traced'))[0]
    const { body } = await school.owner.get(`/audit?entityType=student&entityId=${id}`)
    expect(body.data).toMatchObject([
      { action: 'imports.run', actorType: 'user', actorUserId: school.ownerUserId, channel: 'web' },
    ])
    const events = await app.app.database.schema
      .selectFrom('event')
      .select(['type', 'body'])
      .where('tenant_id', '=', school.tenant.id)
      .execute()
    expect(events.filter((event) => event.body.includes(id)).map(({ type }) => type)).toEqual(['student.created'])
  })

  test('are told apart from those of other programs with the same number', async () => {
    await students(lines('Student ID,First Name,Surname', '4711,Amal,Haddad'))
    expect(await detail('S-004711')).toMatchObject({ firstName: 'Amal' })
    const done = await students(lines('Student ID,First Name,Surname', '4711,Yossi,Cohen', '4711,Amal,Haddad-Levi'))
    expect(errorsOf(done)).toEqual(['2 Student ID number_of_another'])
    expect(await detail('S-004711')).toMatchObject({ firstName: 'Amal', lastName: 'Haddad-Levi' })
  })
})

describe('rows that are wrong', () => {
  const BAD = lines(
    'First name,Last name,Phone,Birth date,Email,Status',
    'Good,One,0501112001,,,',
    'Bad,Phone,12,,,',
    'Bad,Date,0501112002,31/31/2012,,',
    'Bad,Mail,0501112003,,nobody,',
    'Bad,Word,0501112004,,,purple',
    'Nobody,Knows,,,,',
    ',NoName,0501112005,,,',
    'Late,Born,0501112006,24/11/2190,,',
    'Good,Two,0501112007,,,lead',
  )
  const ERRORS = [
    '3 Phone not_a_phone',
    '4 Birth date not_a_date',
    '5 Email not_an_email',
    '6 Status not_a_choice',
    '7 First name identity_missing',
    '8 First name missing',
    '9 Birth date in_future',
  ]

  test('are told by a dry run, which changes nothing', async () => {
    const before = await traces()
    const done = await students(BAD, { dryRun: true })
    expect(done).toMatchObject({ status: 'done', dryRun: true, checked: 9 })
    expect(errorsOf(done).toSorted()).toEqual(ERRORS)
    expect(countsOf(done)).toEqual({ rows: 9, created: 2, updated: 0, unchanged: 0, refused: 7 })
    expect(await found('Good')).toEqual([])
    expect(await traces()).toEqual(before)
  })

  test('keep all from being written where all or none is asked for', async () => {
    const done = await students(BAD, { mode: 'all' })
    expect(done).toMatchObject({ status: 'failed', created: 0, refused: 7, checked: 9 })
    expect(errorsOf(done)[0]).toBe('null null rows_refused')
    expect(await found('Good')).toEqual([])
    const whole = await students(lines('First name,Last name,Phone', 'Whole,One,0501112011', 'Whole,Two,0501112012'), {
      mode: 'all',
    })
    expect(whole).toMatchObject({ status: 'done', checked: 2, created: 2 })
  })

  test('are left out by row, and come back in a file to mend', async () => {
    const done = await students(BAD)
    expect(countsOf(done)).toEqual({ rows: 9, created: 2, updated: 0, unchanged: 0, refused: 7 })
    expect((await found('Good')).map(({ status }: { status: string }) => status).toSorted()).toEqual(['active', 'lead'])
    const reply = await school.owner.send('GET', `/imports/${done.id}/refused`, {
      headers: { 'accept-language': 'he' },
    })
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(reply.headers.get('content-disposition')).toMatch(/refused-.*\.csv/)
    const { body: log } = await school.owner.get(`/audit?entityType=list&entityId=${done.id}`)
    expect(log.data).toMatchObject([{ action: 'imports.refused', actorUserId: school.ownerUserId }])
    const csv = String(reply.body)
    expect(csv).toContain('First name,Last name,Phone,Birth date,Email,Status,שורה בקובץ,למה נדחתה')
    expect(csv).toContain('Bad,Phone,12,,,,3,Phone: אינו מספר טלפון')
    const mended = csv.replace('Bad,Phone,12', 'Bad,Phone,0501112020')
    const next = await students(mended)
    expect(countsOf(next)).toMatchObject({ rows: 7, created: 1, refused: 6 })
  })

  test('of one student in one file count once', async () => {
    const done = await students(
      lines(
        'Name,Phone,Parent name,Parent phone',
        'Twice Given,0501113001,Ruth Given,0501113002',
        'Once Given,0501113003,,',
        'Twice Given,0501113001,Yosef Given,0501113004',
      ),
      { dryRun: true },
    )
    expect(countsOf(done)).toEqual({ rows: 3, created: 2, updated: 1, unchanged: 0, refused: 0 })
  })
})

describe('columns', () => {
  test('are matched by the mapping that is given', async () => {
    const table = lines('a,b,c', 'Mapped,Person,0501114001')
    const mapping = { a: 'firstName', b: 'lastName', c: 'phone' }
    expect(await students(table, { mapping })).toMatchObject({ status: 'done', created: 1, mapping })
    expect(errorsOf(await students(table, { mapping: { ...mapping, d: 'email' } }))).toEqual(['null d column_unknown'])
    const unknown = await students(table)
    expect(unknown.errors).toMatchObject([{ row: null, column: null, field: 'firstName', reason: 'column_missing' }])
    expect(unknown.columns).toEqual(['a', 'b', 'c'])
  })

  test('of a mapping are fields of the kind, each once', async () => {
    const refused = async (mapping: object) => {
      const fileId = (await school.owner.get('/imports')).body.data[0].id
      const reply = await school.owner.post('/imports', { kind: 'students', fileId, mapping })
      return [reply.status, reply.body.error.details.issues[0].path]
    }
    expect(await refused({ a: 'balance' })).toEqual([422, ['mapping', 'a']])
    expect(await refused({ a: 'nonsense' })).toEqual([422, ['mapping', 'a']])
    expect(await refused({ a: 'phone', b: 'phone' })).toEqual([422, ['mapping', 'b']])
  })

  test('of Gibbon’s and of RosarioSIS’ templates are known', async () => {
    const gibbon = await students(
      lines(
        'Surname,First Name,Preferred Name,Official Name,Gender,Date of Birth,Username,Student ID,Email,Parent 1 Surname,Parent 1 First Name,Parent 1 Phone 1,Parent 1 Relationship',
        'Nasser,Yara,Yara,Yara Nasser,F,2012-03-04,ynasser,900001,yara@example.org,Nasser,Hala,0501115001,Mother',
      ),
    )
    expect(gibbon).toMatchObject({ status: 'done', created: 1, unknown: ['Preferred Name', 'Username'] })
    const people = await students(
      lines(
        'Title,Surname,First Name,Preffered Name,Official Name,Gender,Date of Birth,Username,Status,Email,Student ID,Address 1,Address 1 (District),Address 1 (Country),Phone 1 (Type),Phone 1 (Country Code),Phone 1,National ID Card Number',
        'Ms,Salem,Rana,Rana,Rana Salem,F,2013-05-06,rsalem,Full,rana@example.org,900003,5 Olive St,Haifa,Israel,Mobile,972,0501115003,309',
      ),
    )
    expect(people).toMatchObject({ status: 'done', created: 1 })
    expect(await detail('S-900003')).toMatchObject({
      firstName: 'Rana',
      lastName: 'Salem',
      gender: 'female',
      birthDate: '2013-05-06',
      status: 'active',
      email: 'rana@example.org',
      phone: '+972501115003',
      nationalId: '309',
      address: { line1: '5 Olive St', city: 'Haifa' },
    })
    const rosario = await students(
      lines(
        'Last Name,First Name,Middle Name,RosarioSIS ID,Grade Level,Gender,Birthdate,Social Security',
        'Levi,Dana,R,900002,2nd,Female,04/03/2013,304',
      ),
    )
    expect(rosario).toMatchObject({ status: 'done', created: 1, unknown: ['Middle Name', 'Grade Level'] })
  })
})
