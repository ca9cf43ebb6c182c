import { afterAll, beforeAll, expect, test } from 'vitest'
import { en } from '../../../src/console/words/en/index.ts'
import { examine } from '../screens.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

let school: School
let path: string
beforeAll(async () => {
  school = await openSchool('en')
  path = `/students/${school.studentIds[0]}`
})
afterAll(() => school.app.close())
const { open } = watched(() => school)

const { files: words } = en
const PDF = Buffer.from('%PDF-1.4 signed by both')

test('the front desk adds a contract to a student, is told what is not taken, opens it and deletes it', async () => {
  const desk = await school.member('front_desk')
  const page = await open({ as: desk, path, size: 'desk', locale: 'en' })
  const choose = async (...files: { name: string; buffer: Buffer }[]) => {
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: words.add }).click()
    await (await chooser).setFiles(files.map((file) => ({ mimeType: '', ...file })))
  }
  await choose(
    { name: 'page.html', buffer: Buffer.from('<script>alert(1)</script>') },
    { name: 'photo.png', buffer: Buffer.from('no picture at all') },
    { name: 'عقد <b>2026</b>.pdf', buffer: PDF },
  )
  await page.getByText(words.faults.type('page.html')).waitFor()
  await page.getByText(words.faults.content('photo.png')).waitFor()
  const row = page.getByRole('list', { name: words.title }).getByRole('listitem')
  await row.filter({ hasText: 'عقد <b>2026</b>.pdf' }).waitFor()
  const close = page.locator('.drop-zone').getByRole('button', { name: en.shell.close })
  await close.first().click()
  await close.click()
  await page.locator('.toast').getByRole('button', { name: en.shell.close }).click()

  const downloads = page.waitForEvent('download')
  await row.getByRole('button', { name: /عقد/ }).first().click()
  const download = await downloads
  expect(download.url()).toMatch(new RegExp(`^${school.app.url}/files/`))
  expect(page.url()).toBe(school.app.url + path)
  // Further down, the bar at the top lies over half of a button.
  await page.evaluate('scrollTo(0, 0)')
  await examine(page, 'en', 'console-files-en')

  await row.getByRole('button', { name: words.remove('عقد <b>2026</b>.pdf') }).click()
  const question = page.getByRole('dialog', { name: words.removeTitle('عقد <b>2026</b>.pdf') })
  await question.getByRole('button', { name: words.verb }).click()
  await page.getByText(words.none).waitFor()
  expect((await desk.get(`/files/of/student/${school.studentIds[0]}`)).body.data).toEqual([])
})

test('a file whose last answer was lost is one file when it is sent again', async () => {
  const desk = await school.member('front_desk')
  const page = await open({ as: desk, path, size: 'desk', locale: 'en' })
  let lost = 0
  await page.route('**/api/v1/files/complete', async (route) => {
    lost += 1
    if (lost > 1) return route.fallback()
    await route.fetch()
    return route.abort()
  })
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: words.add }).click()
  await (await chooser).setFiles({ name: 'contract.pdf', mimeType: '', buffer: PDF })
  await page.getByRole('button', { name: en.shell.retry }).click()
  await page.getByText(words.added('contract.pdf')).waitFor()
  const { data } = (await desk.get(`/files/of/student/${school.studentIds[0]}`)).body
  expect(data).toMatchObject([{ originalName: 'contract.pdf' }])
})
