import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ServiceManager, whenHostStops, writesToJournal } from '#app/process/service-manager.ts'

test('the host of a service finds a file once the program serves', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'institute-host-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'ready')
  const manager = new ServiceManager(pino({ enabled: false }), async () => {}, { SERVICE_READY_FILE: file })
  expect(existsSync(file)).toBe(false)
  await manager.ready('Listening')
  expect(existsSync(file)).toBe(true)
})

test('the end of standard input stops the program of a host, and no other', async () => {
  const [stop, not] = [vi.fn<() => void>(), vi.fn<() => void>()]
  const [input, other] = [new PassThrough(), new PassThrough()]
  whenHostStops(stop, { SERVICE_READY_FILE: 'ready' }, input)
  whenHostStops(not, {}, other)
  input.write('nothing that anybody reads')
  expect(stop).not.toHaveBeenCalled()
  input.end()
  other.end()
  await vi.waitFor(() => expect(stop).toHaveBeenCalledOnce())
  expect(not).not.toHaveBeenCalled()
})

test('a system without a journal is not asked what standard error is', () => {
  expect(writesToJournal({})).toBe(false)
})
