import { rmSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { client, type Client } from '#kit/client.ts'
import { pdf } from '#kit/paper.ts'
import { newSetup, setupTokenIn } from '#kit/setup.ts'
import { EXECUTABLE } from '../school-day/program.ts'
import { makeFolder, Server } from './program.ts'
import { bodyOf } from './vendor.ts'

const folder = makeFolder()
let server: Server
let owner: Client
beforeAll(async () => {
  server = await Server.start([EXECUTABLE, 'serve', '--port', '0'], { cwd: folder })
  const anybody = client(server.url ?? '')
  const setup = newSetup(setupTokenIn(path.join(folder, 'data')))
  owner = anybody.as(bodyOf(await anybody.post('/setup/bootstrap', setup)).accessToken)
})
afterAll(async () => {
  await server.stop('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

test('the packaged program makes papers with what it carries: the compiler, the fonts and the template', async () => {
  const [{ id: branchId }] = bodyOf(await owner.get('/branches'))
  const student = bodyOf(await owner.post('/students', { branchId, firstName: 'يوسف', lastName: 'כהן' }))
  const lines = [{ description: 'שיעור פרטי 🎹 درس', unitAmountMinor: 45_000 }]
  const invoice = bodyOf(await owner.post('/invoices', { studentId: student.id, lines }))
  for (const locale of ['ar', 'he', 'en']) {
    const { status, bytes } = await pdf(
      { url: server.url ?? '' },
      owner,
      `/invoices/${invoice.id}/pdf?locale=${locale}`,
    )
    expect(status).toBe(200)
    expect(bytes.toString('latin1', 0, 5)).toBe('%PDF-')
    // Each font that the paper needs is in it.
    for (const font of ['NotoSans-', 'NotoSansArabic-', 'NotoSansHebrew-', 'NotoEmoji-']) {
      expect(bytes.toString('latin1')).toContain(font)
    }
  }
})
