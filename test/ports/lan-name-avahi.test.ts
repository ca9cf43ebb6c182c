import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { OfficeNetwork, whyNoAvahi } from '#kit/machines/avahi.ts'
import { openLanName } from '#ports/lan-name/multicast.ts'
import type { LanName } from '#ports/lan-name/port.ts'

/** The name of a server beside avahi, by which Linux computers and most printers have theirs. */

const why = whyNoAvahi()
if (why !== undefined) console.log(`The name beside avahi is skipped: ${why}`)

const server = (network: OfficeNetwork, wanted: string): LanName => {
  const name = openLanName({ wanted, networks: () => [network.here], log: pino({ level: 'silent' }) })
  onTestFinished(() => name.close())
  return name
}
const FOR_NAMES = { timeout: 20_000 }

test.skipIf(why !== undefined)('a name that avahi has is not taken, and one like it is proposed', async () => {
  const network = new OfficeNetwork()
  const avahi = network.startAvahi('school')
  await expect.poll(() => avahi.said(), FOR_NAMES).toMatch(/Host name is school\.local/)
  const name = server(network, 'institute')
  await expect.poll(() => name.current(), FOR_NAMES).toBe('institute.local')
  expect(await name.choose('school')).toEqual({ result: 'taken', free: 'school-2' })
  expect(await name.choose('school-2')).toEqual({ result: 'named' })
})

test.skipIf(why !== undefined)('avahi goes out of the way of a name that was chosen', async () => {
  const network = new OfficeNetwork()
  const name = server(network, 'institute')
  await expect.poll(() => name.current(), FOR_NAMES).toBe('institute.local')
  expect(await name.choose('school')).toEqual({ result: 'named' })
  const avahi = network.startAvahi('school')
  await expect.poll(() => avahi.said(), FOR_NAMES).toMatch(/Host name is school-2\.local/)
  expect(name.current()).toBe('school.local')
})
