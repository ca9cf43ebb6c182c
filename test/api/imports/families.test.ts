import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { countsOf, errorsOf, imported, lines } from './importing.ts'

/** Who becomes whose child by a list, and who does not. */

let app: TestApp
let school: TestInstitute
beforeAll(async () => {
  app = await startApp()
  school = await makeInstitute(app)
})
afterAll(() => app.close())

const students = (content: string, more: object = {}) =>
  imported(app, school.owner, content, { kind: 'students', ...more })

/** What a dry run of a list says, and then the list itself says, is the same. */
const both = async (content: string, more: object = {}) => {
  const tried = await students(content, { ...more, dryRun: true })
  const done = await students(content, more)
  expect([countsOf(tried), errorsOf(tried), tried.told]).toEqual([countsOf(done), errorsOf(done), done.told])
  return done
}

const idOf = async (name: string): Promise<string> =>
  (await school.owner.get(`/students?q=${encodeURIComponent(name)}`)).body.data[0]?.id

interface Linked {
  relationship: string
  isPrimary: boolean
  isPayer: boolean
  guardian: { firstName: string; lastName: string; phone: string | null }
}

/** `mother Huda Khoury +972…` for each guardian of a student, the first contact with a star. */
const guardiansOf = async (name: string): Promise<string[]> => {
  const { body } = await school.owner.get(`/students/${await idOf(name)}/guardians`)
  return body.data
    .map(
      ({ relationship, isPrimary, isPayer, guardian: { firstName, lastName, phone } }: Linked) =>
        `${relationship} ${firstName} ${lastName} ${String(phone)}${isPrimary && isPayer ? ' *' : ''}`,
    )
    .toSorted()
}

const MOTHER = 'Full name,National ID,Mother name,Mother phone'

describe('a guardian who is found by phone', () => {
  test('and whose name differs is refused: guardian_name_differs', async () => {
    const table = lines(MOTHER, 'Sami Khoury,1,Huda Khoury,0502220001', 'Lina Haddad,2,Rana Haddad,0502220001')
    const done = await both(table)
    expect(countsOf(done)).toMatchObject({ created: 1, refused: 1 })
    expect(done.errors).toMatchObject([
      { row: 3, column: 'Mother phone', field: 'motherPhone', value: '0502220001', reason: 'guardian_name_differs' },
    ])
    expect(await idOf('Lina Haddad')).toBeUndefined()
  })

  test('is refused in a later list too, and for a student who is there already', async () => {
    const later = await both(lines(MOTHER, 'Lina Haddad,2,Rana Haddad,0502220001'))
    expect(errorsOf(later)).toEqual(['2 Mother phone guardian_name_differs'])
    await students(lines('Full name,National ID', 'Lina Haddad,2'))
    const present = await both(lines(MOTHER, 'Lina Haddad,2,Rana Haddad,0502220001'))
    expect(errorsOf(present)).toEqual(['2 Mother phone guardian_name_differs'])
    expect(await guardiansOf('Lina Haddad')).toEqual([])
  })

  test('is linked where the row says link', async () => {
    const done = await both(
      lines(`${MOTHER},Known phone`, 'Maya Nasser,3,Rana Nasser,0502220001,link', 'Dana Aziz,4,Rana Aziz,0502220001,'),
    )
    expect(countsOf(done)).toMatchObject({ created: 1, refused: 1 })
    expect(await guardiansOf('Maya Nasser')).toEqual(['mother Huda Khoury +972502220001 *'])
  })

  test('is linked where the run says link, unless the row says otherwise', async () => {
    const table = lines(
      `${MOTHER},הטלפון,טלפון מוכר`,
      'Nur Salem,5,Rana Salem,0502220001,,',
      'Dana Aziz,4,Rana Aziz,0502220001,,לא',
    )
    const done = await both(table, { knownPhone: 'link' })
    expect(done.knownPhone).toBe('link')
    expect(countsOf(done)).toMatchObject({ created: 1, refused: 1 })
    expect(await guardiansOf('Nur Salem')).toEqual(['mother Huda Khoury +972502220001 *'])
  })

  test('is whom the row means where it says a part of the name, or spells it otherwise', async () => {
    const done = await both(
      lines(
        MOTHER,
        'Adam Mansour,6,Huda,0502220001',
        'Noor Mansour,7,Khoury Huda,0502220001',
        'Tala Mansour,8,,0502220001',
        'Jad Rahman,9,عبير عبدالرحمن,0502220002',
        'Rami Rahman,10,عبير عبد الرحمن,050-222-0002',
        'Omer Bar,11,דנה בר-אור,0502220003',
        'Tom Bar,12,דנה בר אור,0502220003',
      ),
    )
    expect(countsOf(done)).toMatchObject({ created: 7, refused: 0 })
    expect(await guardiansOf('Rami Rahman')).toEqual(['mother عبير عبدالرحمن +972502220002 *'])
  })
})

describe('a second parent of the same phone', () => {
  const FAMILY = 'Full name,National ID,Mother name,Mother phone,Father name,Father phone'
  const row = (child: string, id: number) => `${child} Odeh,${id},Hala Odeh,0502221001,Samir Odeh,0502221001`
  const PARENTS = ['father Samir Odeh null', 'mother Hala Odeh +972502221001 *']

  test('is made without it, linked as second contact, and told', async () => {
    const done = await both(lines(FAMILY, row('Lian', 21)))
    expect(countsOf(done)).toMatchObject({ created: 1, refused: 0 })
    expect(done.told).toEqual([
      {
        row: 2,
        column: 'Father phone',
        field: 'fatherPhone',
        value: '0502221001',
        reason: 'guardian_without_phone',
      },
    ])
    expect(await guardiansOf('Lian')).toEqual(PARENTS)
  })

  test('is made once: the list again changes nothing, and a sister has the same two', async () => {
    const again = await both(lines(FAMILY, row('Lian', 21)))
    expect(countsOf(again)).toMatchObject({ unchanged: 1 })
    expect(again.told).toEqual([])
    expect(countsOf(await both(lines(FAMILY, row('Tala', 22), row('Jana', 23))))).toMatchObject({ created: 2 })
    for (const child of ['Tala', 'Jana']) expect(await guardiansOf(child)).toEqual(PARENTS)
    expect((await school.owner.get('/guardians?q=Samir')).body.data).toHaveLength(1)
  })

  test('is made also where the first one came with another list', async () => {
    await students(lines(MOTHER, 'Ziad Amer,24,Mona Amer,0502221002'))
    const done = await both(
      lines('Full name,National ID,Father name,Father phone', 'Ziad Amer,24,Karim Amer,0502221002'),
    )
    expect(countsOf(done)).toMatchObject({ updated: 1, refused: 0 })
    expect(await guardiansOf('Ziad')).toEqual(['father Karim Amer null', 'mother Mona Amer +972502221002 *'])
  })

  test('gets a phone of their own later', async () => {
    const [father] = (await school.owner.get('/guardians?q=Karim')).body.data
    expect((await school.owner.patch(`/guardians/${father.id}`, { phone: '0502221002' })).status).toBe(409)
    const { body } = await school.owner.patch(`/guardians/${father.id}`, { phone: '0502221003' })
    expect(body.phone).toBe('+972502221003')
  })
})

describe('a guardian’s phone alone', () => {
  test('makes the guardian with the child’s last name, called by the child', async () => {
    const done = await both(lines('Full name,National ID,Guardian phone', 'Yara Saleh,31,0502222001'))
    expect(countsOf(done)).toMatchObject({ created: 1, refused: 0 })
    const [guardian = ''] = await guardiansOf('Yara')
    expect(guardian).toBe('guardian Guardian of Yara Saleh +972502222001 *')
  })

  test('is theirs too once a list says the name', async () => {
    const done = await both(
      lines('Full name,National ID,Guardian name,Guardian phone', 'Yara Saleh,31,Mona Saleh,0502222001'),
    )
    expect(countsOf(done)).toMatchObject({ unchanged: 1, refused: 0 })
  })
})
