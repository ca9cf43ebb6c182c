import { readdirSync, readFileSync } from 'node:fs'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startPrinter } from '#ports/papers/typst/printer.ts'
import { requester } from '#runtime/change/requester.ts'
import type { Paper, Papers } from '#ports/papers/port.ts'

let printer: Papers
let log: string
const logger = pino({ level: 'warn' }, { write: (line) => void (log += line) })

beforeEach(() => {
  log = ''
  printer = startPrinter({ log: logger, requester })
})
afterEach(() => printer.close())

const paper: Paper = {
  locale: 'en',
  size: 'a4',
  isWide: false,
  title: 'Certificate',
  number: 'C-1',
  date: null,
  mark: null,
  note: null,
  letterhead: { name: 'Institute', lines: [], color: null },
  blocks: [{ kind: 'words', text: 'It is so.' }],
  footer: null,
  pageWords: ['Page ', ' of ', ''],
}
const print = async () => (await printer.print(paper, null)).toString('latin1', 0, 5)

const contents = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // The process is gone since it was listed.
    return ''
  }
}
/** The processes that this one started for papers. */
const helpers = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => contents(`/proc/${pid}/status`).includes(`PPid:\t${process.pid}\n`))
    .filter((pid) => contents(`/proc/${pid}/cmdline`).includes('paper.process.ts'))
    .map(Number)

test('papers are made in one process, which goes first when memory runs out and is told no secret', async () => {
  vi.stubEnv('INSTITUTE_VENDOR_KEY', 'secret')
  expect(await Promise.all([print(), print()])).toEqual(['%PDF-', '%PDF-'])
  const [pid, ...others] = helpers()
  expect(others).toEqual([])
  expect(contents(`/proc/${pid}/oom_score_adj`).trim()).toBe('500')
  expect(contents(`/proc/${pid}/environ`)).not.toContain('INSTITUTE_')
})

test('a process that dies fails the paper that it made, and the next paper starts another', async () => {
  await print()
  const [first = 0] = helpers()
  const asked = [print(), print()].map((made) => made.catch(String))
  process.kill(first, 'SIGKILL')
  // On a busy machine it may have made the first before it is killed: then it dies with the second.
  expect((await Promise.all(asked)).toSorted()).toEqual(['%PDF-', 'Error: the helper for papers ended'])
  expect(helpers()).not.toContain(first)
  expect(log).toContain('"signal":"SIGKILL"')
})

test('a process that dies while nothing is asked is replaced by the next paper', async () => {
  await print()
  const [first = 0] = helpers()
  process.kill(first, 'SIGKILL')
  await vi.waitFor(() => expect(log).toContain('ended unasked'))
  expect(await print()).toBe('%PDF-')
})

test('a paper whose process ends by its machine code is made by another, which compiles as all after it do', async () => {
  await print()
  const [first = 0] = helpers()
  // It cannot answer before the signal comes.
  process.kill(first, 'SIGSTOP')
  const asked = print()
  process.kill(first, 'SIGILL')
  process.kill(first, 'SIGCONT')
  expect(await asked).toBe('%PDF-')
  const [second = 0] = helpers()
  expect(contents(`/proc/${second}/cmdline`)).toContain('compiles')
  process.kill(second, 'SIGKILL')
  await vi.waitFor(() => expect(log).toContain('"signal":"SIGKILL"'))
  expect(await print()).toBe('%PDF-')
  expect(contents(`/proc/${helpers()[0] ?? 0}/cmdline`)).toContain('compiles')
})

test('a paper that takes too long fails alone, and its process is ended', async () => {
  await printer.close()
  printer = startPrinter({ log: logger, requester, bounds: { runMillis: 5000 } })
  await print()
  const [first = 0] = helpers()
  process.kill(first, 'SIGSTOP')
  await expect(print()).rejects.toThrow('took too long')
  expect(await print()).toBe('%PDF-')
  expect(helpers()).not.toContain(first)
})

test('more than may wait are refused with 429 and when to come again', async () => {
  await printer.close()
  printer = startPrinter({ log: logger, requester, bounds: { waiting: { most: 2 } } })
  const made = await Promise.allSettled(Array.from({ length: 5 }, print))
  expect(made.map(({ status }) => status)).toEqual([...Array(3).fill('fulfilled'), 'rejected', 'rejected'])
  expect(made.at(-1)).toMatchObject({
    reason: { spec: { code: 'RATE_LIMITED', reason: 'papers_waiting' }, headers: { 'Retry-After': '2' } },
  })
})

test('the process ends when nothing is asked, after so many papers, and when the program closes', async () => {
  await printer.close()
  printer = startPrinter({ log: logger, requester, bounds: { idleMillis: 20, answers: 2 } })
  await print()
  await vi.waitFor(() => expect(helpers()).toEqual([]), 5000)
  expect(await Promise.all([print(), print(), print()])).toEqual(['%PDF-', '%PDF-', '%PDF-'])
  const asked = print().catch(String)
  await printer.close()
  expect(await asked).toBe('Error: the helper for papers was closed')
  await vi.waitFor(() => expect(helpers()).toEqual([]), 5000)
  expect(log).toBe('')
})
