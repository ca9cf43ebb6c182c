import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { worldOf, type World } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { pdf } from '#kit/paper.ts'
import { issuedInvoice, newReceipt } from '../api/examples/billing.ts'
import { newReport } from '../api/examples/progress-reports.ts'
import { newGroup, newPupil } from '../api/examples/sessions.ts'
import { copyOf } from './backup-kit.ts'
import { command } from './command.ts'
import { contentOf, makeFolder } from './folder.ts'
import { institute } from './institute.ts'

let app: TestApp
let school: TestInstitute
let world: World
beforeAll(async () => {
  app = await startApp()
  school = await makeInstitute(app)
  world = worldOf(app, school)
})
afterAll(() => app.close())

const paper = (...args: string[]) => command(['paper', ...args, '--data-dir', app.dataDir])

describe('institute paper', () => {
  test('writes the bytes that the API gives, beside the running program, for its owner alone', async () => {
    const { id, number } = await issuedInvoice(world)
    const before = contentOf(app.dataDir)
    const file = path.join(makeFolder(), 'invoice.pdf')
    expect(await paper('invoice', number, '--to', file, '--locale', 'ar', '--copy')).toEqual({
      code: 0,
      stdout: `${file}\n`,
      stderr: '',
    })
    expect(contentOf(app.dataDir)).toEqual(before)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(path.dirname(file))).toEqual(['invoice.pdf'])
    const { bytes } = await pdf(app, school.owner, `/invoices/${id}/pdf?locale=ar&copy=true`)
    expect(readFileSync(file).equals(bytes)).toBe(true)
    expect(await paper('invoice', number, '--to', file)).toEqual({
      code: 1,
      stdout: '',
      stderr: `${file} is there already, and was left as it is: name another file, or overwrite it with --force.\n`,
    })
    expect((await paper('invoice', id, '--to', file, '--force', '--tenant', school.tenant.slug)).code).toBe(0)
    expect(readFileSync(file).equals((await pdf(app, school.owner, `/invoices/${id}/pdf`)).bytes)).toBe(true)
  })

  test('knows each paper by the name of its record, and names the file by it in a folder', async () => {
    const groupId = await newGroup(world)
    const studentId = await newPupil(world, groupId)
    const { body: student } = await school.owner.get(`/students/${studentId}`)
    const { body: group } = await school.owner.get(`/groups/${groupId}`)
    const { body: enrollments } = await school.owner.get(`/enrollments?studentId=${studentId}`)
    const receipt = await newReceipt(world)
    const reportId = await newReport(world, { studentId, groupId })
    const folder = makeFolder()
    const asked: string[][] = [
      ['receipt', receipt.number, '--size', '80mm'],
      ['statement', student.studentNumber],
      ['report', reportId],
      ['roster', group.name],
      ['certificate', enrollments.data[0].id],
    ]
    for (const words of asked) {
      expect({ words, ...(await paper(...words, '--to', folder)) }).toMatchObject({ words, code: 0, stderr: '' })
    }
    const files = readdirSync(folder)
    expect(files).toHaveLength(asked.length)
    expect(files).toContain(`${receipt.number}.pdf`)
    expect(files).toContain(`Statement of account ${student.studentNumber}.pdf`)
    for (const file of files) expect(readFileSync(path.join(folder, file), 'latin1').slice(0, 5)).toBe('%PDF-')
  })

  test('writes one of an install that is stopped, and ends: nothing that it started keeps it', async () => {
    const { number } = await issuedInvoice(world)
    const stopped = copyOf(app.dataDir)
    const file = path.join(makeFolder(), 'invoice.pdf')
    const ended = await institute(['paper', 'invoice', number, '--to', file, '--data-dir', stopped])
    expect(ended).toEqual({ code: 0, stdout: `${file}\n`, stderr: '' })
    expect(readFileSync(file, 'latin1').slice(0, 5)).toBe('%PDF-')
  })

  test('says in one line what is wrong, and leaves nothing', async () => {
    const folder = makeFolder()
    const nobody = '01890000-0000-7000-8000-000000000000'
    const [one, other] = [await newGroup(world), await newGroup(world)]
    const name = `Twice ${one.slice(-6)}`
    for (const id of [one, other]) expect((await school.owner.patch(`/groups/${id}`, { name })).status).toBe(200)
    const refused: [string[], code: number, says: RegExp][] = [
      [
        ['invoice', 'INV-1999-000001'],
        1,
        /^There is no invoice "INV-1999-000001": name it by its number, or its id\.$/,
      ],
      [['receipt', nobody], 1, /^There is no receipt "01890000-[^"]+": name it by its number, or its id\.$/],
      [
        ['statement', 'S-999999'],
        1,
        /^There is no statement "S-999999": name it by its number of the student, or its id\.$/,
      ],
      [['certificate', 'x'], 1, /^There is no certificate "x": name it by its id\.$/],
      [
        ['roster', name],
        1,
        new RegExp(`^Several have the name "${name}": name one by its id, of [-\\w]{36}, [-\\w]{36}\\.$`),
      ],
      [['invoice', 'x', '--tenant', 'nobody'], 1, /^There is no institute with the slug "nobody"\. There is /],
    ]
    for (const [words, code, says] of refused) {
      const ended = await paper(...words, '--to', folder)
      expect({ words, ...ended }).toMatchObject({ words, code, stdout: '' })
      expect(ended.stderr.trimEnd()).toMatch(says)
    }
    const { number } = await issuedInvoice(world)
    expect(await paper('invoice', number, '--to', path.join(folder, 'nowhere/x.pdf'))).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^There is no folder \S+\/nowhere for the paper: make it \(mkdir -p [^\n]*\n$/),
    })
    expect(readdirSync(folder)).toEqual([])
  })

  test.each([
    [
      ['letter', 'x'],
      'A paper is one of invoice, receipt, statement, credit-note, refund, account, report, roster, certificate, not letter.',
    ],
    [['invoice', 'x', '--locale', 'fr'], 'A locale is one of ar, he, en, not fr.'],
    [['invoice', 'x', '--size', '80mm'], 'Only a receipt has a size.'],
    [['receipt', 'x', '--size', 'a5'], 'A size is one of a4, 80mm, not a5.'],
    [['roster', 'x', '--copy'], 'Only an invoice or a receipt has copies.'],
  ])('%j is wrong usage', async (words, line) => {
    const folder = makeFolder()
    writeFileSync(path.join(folder, 'kept'), '')
    expect(await command(['paper', ...words, '--to', folder], { INSTITUTE_DATA_DIR: folder })).toEqual({
      code: 2,
      stdout: '',
      stderr: `${line}\n`,
    })
    expect(readdirSync(folder)).toEqual(['kept'])
  })
})
