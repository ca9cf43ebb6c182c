import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client, Reply } from '#kit/client.ts'
import { makeInstitute } from '#kit/institute.ts'
import { volume } from '#kit/volume.ts'
import { isCheckedIdentity } from '#shared/identity-number.ts'
import { countsOf, errorsOf, imported } from './importing.ts'

/** The lists of a whole school with which a year begins, as the programs of schools here give them and as offices keep them. */

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const PUPILS = volume(90, 300)

/** The `nth` identity number with its check digit. */
const identity = (nth: number): string => {
  const front = String(nth * 7 + 1_234_567).padStart(8, '0')
  const last = Array.from({ length: 10 }, (_, digit) => digit).find((digit) => isCheckedIdentity(`${front}${digit}`))
  return `${front}${last}`
}

const phone = (nth: number): string => `05${nth % 10 === 7 ? 8 : nth % 5}${String(1_000_000 + nth * 13)}`

/** One phone in the ways that people write it. */
const written = (number: string, how: number): string =>
  [
    number,
    `${number.slice(0, 3)}-${number.slice(3)}`,
    // A spreadsheet takes it for a number.
    number.slice(1),
    `+972 ${number.slice(1, 3)} ${number.slice(3)}`,
    `00972${number.slice(1)}`,
    `${number.slice(0, 3)} ${number.slice(3, 6)} ${number.slice(6)}`,
  ][how % 6] as string

const day = (nth: number): [year: string, month: string, day: string] => [
  String(2008 + (nth % 11)),
  String((nth % 12) + 1).padStart(2, '0'),
  String((nth % 28) + 1).padStart(2, '0'),
]

const allOf = async (client: Client, path: string): Promise<Reply['body'][]> => {
  const all: Reply['body'][] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { body }: Reply = await client.get(`${path}?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`)
    all.push(...body.data)
    cursor = body.nextCursor
  }
  return all
}

const pupilWith = async (client: Client, nationalId: string): Promise<Reply['body']> => {
  const [one, ...others] = (await client.get(`/students?nationalId=${nationalId}`)).body.data
  expect(others).toEqual([])
  return (await client.get(`/students/${one.id}`)).body
}

const range = Array.from({ length: PUPILS }, (_, nth) => nth)

test('an Israeli school’s list, as a page that is called .xls', async () => {
  const { owner } = await makeInstitute(app)
  const LAST = ['כהן', 'לוי', 'בר-אור', 'אבו חסן', "ג'בארין", 'בן דוד', 'מזרחי', 'פרץ']
  const FIRST = ['נועה', 'יוסף', 'אדם', 'מאיה', 'לאה רחל', "ג'ורג'", 'עומר', 'שירה', 'תמר']
  const heads = [
    'מס"ד',
    'ת.ז. תלמיד/ה',
    'שם משפחה',
    'שם פרטי',
    'כיתה',
    'מקבילה',
    'מין',
    'תאריך לידה',
    'כתובת מגורים',
    'יישוב',
    'טלפון בבית',
    'נייד תלמיד',
    'שם אם',
    'נייד אם',
    'דוא"ל אם',
    'שם אב',
    "טל' נייד אב",
    'הערות',
  ]
  // Three children a family. The father of every tenth family has the phone of the mother.
  const row = (nth: number): string[] => {
    const family = Math.floor(nth / 3)
    const last = LAST[family % LAST.length] as string
    const [year, month, date] = day(nth)
    const mother = phone(family)
    const father = family % 10 === 0 ? mother : phone(family + 500)
    return [
      String(nth + 1),
      nth % 3 === 0
        ? identity(nth).replace(/^0+/, '')
        : nth % 3 === 1
          ? identity(nth)
          : identity(nth).replace(/.$/, '-$&'),
      nth % 2 === 0 ? last : last.replace('-', ' '),
      `${FIRST[nth % FIRST.length]}`,
      'ז',
      String((nth % 3) + 1),
      nth % 2 === 0 ? 'ז' : 'נ',
      nth === 40
        ? '31/02/2012'
        : nth % 4 === 0
          ? `${Number(date)}.${Number(month)}.${year}`
          : `${date}/${month}/${year}`,
      `הגפן ${nth % 90}`,
      'חיפה',
      '04-8123456',
      nth === 50 ? '050-1234567 / 052-7654321' : nth % 5 === 0 ? written(phone(nth + 1000), nth) : '-',
      `${FIRST[family % 4]} ${last}`,
      written(mother, nth),
      nth % 7 === 0 ? `parent${family}@example.org` : 'אין',
      `${FIRST[(family % 4) + 4]} ${last}`,
      written(father, nth + 1),
      nth % 20 === 0 ? 'אלרגיה לבוטנים' : '',
    ]
  }
  const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const lineOf = (cells: string[]): string => `<tr>${cells.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`
  const page = `<html><head><meta charset="utf-8"></head><body><table><tr><td colspan=18>רשימת תלמידים תשפ"ז</td></tr>${lineOf(heads)}${range.map((nth) => lineOf(row(nth))).join('')}<tr></tr><tr><td>סה"כ 300</td></tr></table></body></html>`
  const run = (dryRun: boolean) =>
    imported(app, owner, page, { kind: 'students', type: 'application/vnd.ms-excel', dryRun })

  const tried = await run(true)
  expect(tried.unknown).toEqual(['מס"ד', 'כיתה', 'מקבילה', 'טלפון בבית'])
  expect(errorsOf(tried)).toEqual(['43 תאריך לידה not_a_date', '53 נייד תלמיד not_a_phone'])
  const done = await run(false)
  expect(countsOf(done)).toEqual({ rows: PUPILS, created: PUPILS - 2, updated: 0, unchanged: 0, refused: 2 })
  expect([countsOf(tried), errorsOf(tried)]).toEqual([countsOf(done), errorsOf(done)])
  expect(done.told[0]).toMatchObject({ reason: 'totals', value: 'סה"כ 300' })
  // One for each child whose parents have one phone.
  expect(done.told.slice(1).map(({ reason }: { reason: string }) => reason)).toEqual(
    Array.from({ length: Math.ceil(PUPILS / 30) * 3 }, () => 'guardian_without_phone'),
  )
  expect(await allOf(owner, '/guardians')).toHaveLength((PUPILS / 3) * 2)
  expect(await allOf(owner, '/students')).toHaveLength(PUPILS - 2)
  for (const nth of [0, 1, 2]) expect(await pupilWith(owner, identity(nth))).toMatchObject({ lastName: 'כהן' })
  expect(await pupilWith(owner, identity(3))).toMatchObject({
    firstName: 'מאיה',
    lastName: 'לוי',
    gender: 'female',
    birthDate: day(3).join('-'),
    phone: null,
  })
  expect(countsOf(await run(false))).toEqual({
    rows: PUPILS,
    created: 0,
    updated: 0,
    unchanged: PUPILS - 2,
    refused: 2,
  })
}, 120_000)

test('a Palestinian school’s list, as Unicode text of Excel', async () => {
  const { owner } = await makeInstitute(app)
  expect((await owner.patch('/settings', { timezone: 'Asia/Hebron' })).status).toBe(200)
  const LAST = ['خوري', 'عبد الرحمن', 'أبو حسن', 'النتشة', 'طه', 'عودة', 'زين الدين']
  const FIRST = ['ليان', 'محمد', 'أحمد', 'سامي', 'نور', 'آية', 'يزن', 'رؤى', 'إسراء']
  const heads = [
    'الرقم التسلسلي',
    'رقم الهوية',
    'الاسم الأول',
    'اسم الأب',
    'اسم الجد',
    'اسم العائلة',
    'الجنس',
    'تاريخ الميلاد (يوم/شهر/سنة)',
    'الصف',
    'الشعبة',
    'مكان السكن',
    'اسم ولي الأمر',
    'رقم الموبايل',
    'صلة القرابة',
    'ملاحظات',
  ]
  const eastern = (text: string): string =>
    text.replaceAll(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)))
  const row = (nth: number): string[] => {
    const family = Math.floor(nth / 2)
    const last = LAST[family % LAST.length] as string
    const [year, month, date] = day(nth)
    const number = `059${String(1_000_000 + family * 11)}`
    return [
      String(nth + 1),
      nth % 2 === 0 ? identity(nth) : eastern(identity(nth)),
      FIRST[nth % FIRST.length] as string,
      FIRST[(family % 3) + 1] as string,
      'خليل',
      nth % 2 === 0 ? last : last.replace(' ', ''),
      nth % 2 === 0 ? 'انثى' : 'ذكر',
      nth % 3 === 0 ? eastern(`${date}/${month}/${year}`) : `${date}/${month}/${year}`,
      'السابع',
      'أ',
      'رام الله – البيرة',
      `${FIRST[(family % 3) + 1]} خليل ${last}`,
      nth % 3 === 0
        ? eastern(number)
        : nth % 3 === 1
          ? `+970 ${number.slice(1)}`
          : `${number.slice(0, 4)}-${number.slice(4)}`,
      nth % 2 === 0 ? 'أب' : 'الأب',
      nth % 4 === 0 ? 'لا يوجد' : '',
    ]
  }
  const list = [['كشف بأسماء الطلبة ٢٠٢٦/٢٠٢٧'], heads, ...range.map(row)].map((cells) => cells.join('\t')).join('\r\n')
  const text = Buffer.from(`\uFEFF${list}\r\n`, 'utf16le')
  const run = (dryRun: boolean) =>
    imported(app, owner, text, { kind: 'students', type: 'text/tab-separated-values', dryRun })
  const tried = await run(true)
  expect(tried.mapping).toMatchObject({ 'رقم الموبايل': 'guardianPhone', 'اسم ولي الأمر': 'guardianName' })
  expect(tried.unknown).toEqual(['الرقم التسلسلي', 'اسم الجد', 'الصف', 'الشعبة'])
  expect(errorsOf(tried)).toEqual([])
  const done = await run(false)
  expect(countsOf(done)).toEqual({ rows: PUPILS, created: PUPILS, updated: 0, unchanged: 0, refused: 0 })
  expect(await allOf(owner, '/guardians')).toHaveLength(PUPILS / 2)
  expect(await pupilWith(owner, identity(3))).toMatchObject({
    firstName: 'سامي',
    gender: 'male',
    birthDate: day(3).join('-'),
    phone: null,
  })
  expect(countsOf(await run(false))).toMatchObject({ unchanged: PUPILS, refused: 0 })
}, 120_000)
