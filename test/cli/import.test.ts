import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { client } from '#kit/client.ts'
import { newSetup, OWNER, setupTokenIn } from '#kit/setup.ts'
import { makeFolder } from './folder.ts'
import { institute, startProgram } from './institute.ts'

const STUDENTS = [
  'Name,Phone,Mother name,Mother phone',
  'Lina Khoury,0501234561,Samira Khoury,0521234561',
  'Sami Haddad,0501234562,Rana Haddad,0521234562',
  'Dana Levi,12,Ruth Levi,0521234563',
].join('\r\n')

/** A running program with an institute, its owner, and a folder for files. */
const school = async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'institute-import-'))
  const program = await startProgram(dataDir)
  const outside = client(program.url as string)
  const { body } = await outside.post('/setup/bootstrap', newSetup(setupTokenIn(dataDir)))
  const folder = makeFolder()
  const file = path.join(folder, 'students.csv')
  writeFileSync(file, STUDENTS)
  const run = (kind: string, from: string, ...args: string[]) =>
    institute(['import', kind, '--from', from, ...args, '--data-dir', dataDir])
  return { dataDir, program, owner: outside.as(body.accessToken), folder, file, run }
}

describe('institute import', () => {
  test('says what would happen, brings a list in beside the running program, and again changes nothing', async () => {
    const { owner, folder, file, run } = await school()
    const names = async () =>
      (await owner.get('/students')).body.data.map(({ fullName }: { fullName: string }) => fullName)
    expect(await run('students', file, '--dry-run')).toEqual({
      code: 1,
      stdout: 'It would be: 2 added, 0 changed, 0 as they were, 1 refused\n',
      stderr: 'row 4, Phone: is no phone number (12)\n',
    })
    expect(await names()).toEqual([])
    expect(await run('students', file, '--all')).toMatchObject({ code: 1 })
    expect(await names()).toEqual([])

    const refused = path.join(folder, 'refused.csv')
    const ran = await run('students', file, '--refused', refused)
    expect(ran).toMatchObject({ code: 1, stdout: `2 added, 0 changed, 0 as they were, 1 refused\n${refused}\n` })
    expect((await names()).toSorted()).toEqual(['Lina Khoury', 'Sami Haddad'])
    expect(readFileSync(refused, 'utf8')).toMatch(/Dana Levi,12,Ruth Levi,0521234563,4,Phone: is no phone number/)

    // The refused row is mended.
    writeFileSync(refused, readFileSync(refused, 'utf8').replace('Dana Levi,12,', 'Dana Levi,0501234563,'))
    expect(await run('students', refused)).toMatchObject({
      code: 0,
      stdout: '1 added, 0 changed, 0 as they were, 0 refused\n',
    })
    writeFileSync(file, STUDENTS.replace(',12,', ',0501234563,'))
    expect(await run('students', file)).toMatchObject({
      code: 0,
      stdout: '0 added, 0 changed, 3 as they were, 0 refused\n',
    })
    const { data } = (await owner.get('/audit?entityType=import&limit=10')).body
    expect(data[0]).toMatchObject({ channel: 'cli', action: 'imports.create' })
    const { body } = await owner.get('/audit?entityType=student&limit=10')
    expect(body.data[0]).toMatchObject({ channel: 'cli', actorType: 'user', action: 'imports.run' })
  })

  test('works in the name of the member that is named, with their rights', async () => {
    const { file, run } = await school()
    expect(await run('students', file, '--as', 'nobody@example.org')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^nobody@example\.org does not work at .*: name a member with --as EMAIL\.\n$/),
    })
    expect(await run('students', file, '--as', OWNER.email.toUpperCase(), '--dry-run')).toMatchObject({ code: 1 })
  })

  test('leaves an import that a stopped program takes up when it is started', async () => {
    const { dataDir, program, file, run } = await school()
    await program.stop('SIGTERM')
    const running = run('students', file)
    // It waits: the row is there, and nobody works on it.
    await startProgram(dataDir)
    expect(await running).toMatchObject({ code: 1, stdout: '2 added, 0 changed, 0 as they were, 1 refused\n' })
  })

  test('says what is wrong with a file before anything is stored', async () => {
    const { dataDir, folder, run } = await school()
    const stored = () =>
      readdirSync(dataDir, { recursive: true }).filter((name) => String(name).startsWith('files/')).length
    const before = stored()
    const empty = path.join(folder, 'empty.csv')
    writeFileSync(empty, '')
    expect(await run('students', path.join(folder, 'nothing.csv'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nothing.csv'),
    })
    expect(await run('students', empty)).toEqual({ code: 2, stdout: '', stderr: `${empty} is empty.\n` })
    expect(await run('students', path.join(folder, 'list.pdf'))).toEqual({
      code: 2,
      stdout: '',
      stderr: `${folder}/list.pdf is no table: it ends in none of .csv, .tsv, .xlsx, .ods, .xls.\n`,
    })
    expect(await run('pupils', empty)).toEqual({
      code: 2,
      stdout: '',
      stderr: 'What a file holds is one of students, staff, enrollments, balances, not pupils.\n',
    })
    expect(stored()).toBe(before)
    const prose = path.join(folder, 'prose.csv')
    writeFileSync(prose, 'Once upon a time\r\nthere was a list\r\n')
    expect(await run('students', prose)).toMatchObject({ code: 1, stderr: expect.stringMatching(/column|Name/) })
  })
})
