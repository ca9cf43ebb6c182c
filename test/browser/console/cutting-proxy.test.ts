import { afterAll, beforeAll, expect, test } from 'vitest'
import { startCuttingProxy, type CuttingProxy } from '#kit/cutting-proxy.ts'
import { loadWords } from '../../../src/console/words/index.ts'
import { openSchool, type School } from './school.ts'
import { watched } from './watch.ts'

/** Behind a proxy that ends each request after a while, in the three places where its time runs out. */

let school: School
let proxy: CuttingProxy
beforeAll(async () => {
  school = await openSchool('en')
  proxy = await startCuttingProxy(school.app.url)
})
afterAll(async () => {
  await proxy.close()
  await school.app.close()
})
const { open } = watched(() => school)

const owner = () => ({ userId: school.institute.ownerUserId })
const CONTRACT = Buffer.concat([Buffer.from('%PDF-1.4 '), Buffer.alloc(4 * 1024 * 1024, 'x')])

test.each([
  { method: 'PUT', address: /^\/files\//, where: 'sending', told: 'unreachable', student: 0 },
  { method: 'PUT', address: /^\/files\//, where: 'sending-408', told: 408, student: 1 },
  { method: 'PUT', address: /^\/files\//, where: 'waiting', told: 504, student: 2 },
  { method: 'POST', address: /\/files\/complete$/, where: 'waiting', told: 504, student: 3 },
] as const)(
  'a large file whose $method is cut while $where is told so, and is one when it is sent again',
  async (cut) => {
    const { method, address, where, told } = cut
    const { files: words, faults, shell } = await loadWords.en()
    const student = school.studentIds[cut.student]
    const page = await open({
      as: owner(),
      path: `/students/${student}`,
      size: 'desk',
      locale: 'en',
      origin: proxy.url,
    })
    const list = async () =>
      (await school.institute.owner.get(`/files/of/student/${student}`)).body.data.map(
        ({ originalName, sizeBytes }: Record<string, unknown>) => [originalName, sizeBytes],
      )
    const name = `${method}-${where}.pdf`
    const isCut = proxy.cut(method, address, where)
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: words.add }).click()
    await (await chooser).setFiles({ name, mimeType: '', buffer: CONTRACT })
    await isCut
    await page.getByText(told === 'unreachable' ? faults.unreachable : faults.inFront[told]).waitFor()
    proxy.wait()
    await page.getByRole('button', { name: shell.retry }).click()
    await page.getByText(words.added(name)).waitFor()
    expect(await list()).toEqual([[name, CONTRACT.length]])
  },
)

test('an import whose answer came too late goes on, and the same button shows what became of it', async () => {
  const { imports: words, faults } = await loadWords.en()
  const page = await open({ as: owner(), path: '/import', size: 'desk', locale: 'en', origin: proxy.url })
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: words.choose }).click()
  const asked = page.waitForResponse((one) => one.url().endsWith('/imports') && one.request().method() === 'POST')
  const buffer = Buffer.from('First name,Family name,Mobile\r\nLate,Answer,0501330031\r\nLater,Answer,0501330032')
  await (await chooser).setFiles({ name: 'late.csv', mimeType: 'text/csv', buffer })
  await asked
  await school.app.drain()
  const run = page.getByRole('button', { name: words.run(2) })
  const isCut = proxy.cut('POST', /\/imports$/, 'waiting')
  await run.click()
  await isCut
  await page.getByText(faults.inFront[504]).waitFor()
  proxy.wait()
  await school.app.drain()
  const found = async () => (await school.institute.owner.get('/students?q=Answer')).body.data.length
  expect(await found()).toBe(2)
  await run.click()
  await page.getByText(words.done).waitFor()
  await school.app.drain()
  expect(await found()).toBe(2)
  const { data } = (await school.institute.owner.get('/imports')).body
  expect(
    data.filter(({ dryRun, fileName }: Record<string, unknown>) => !dryRun && fileName === 'late.csv').length,
  ).toBe(1)
})

test('a list that is cut on its way is no file, and is one the next time', async () => {
  const { faults, shell } = await loadWords.en()
  const page = await open({ as: owner(), path: '/students', size: 'desk', locale: 'en', origin: proxy.url })
  const get = async () => {
    await page.getByRole('button', { name: shell.download }).click()
    await page.getByRole('menuitem', { name: shell.formats.csv }).click()
  }
  const kept: string[] = []
  page.on('download', (download) => kept.push(download.suggestedFilename()))
  const isCut = proxy.cut('GET', /\/students\?.*format=csv/, 'answering')
  await get()
  await isCut
  await page.getByText(faults.unreachable).waitFor()
  proxy.wait()
  expect(kept).toEqual([])
  const saved = page.waitForEvent('download')
  await get()
  await page.getByText(shell.downloaded((await saved).suggestedFilename())).waitFor()
  expect(kept).toHaveLength(1)
})
