import { EventEmitter } from 'node:events'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { WAITING, helperLine, type Helper, type HelperLine } from '#executable/helper.ts'
import { requester, workFor } from '#runtime/change/requester.ts'

/** A helper that answers when the test says so: it keeps what it was asked, in its order. */
const asked: string[] = []
let helper: Helper | undefined
let line: HelperLine<{ name: string }, string> | undefined

const startLine = (): void => {
  asked.length = 0
  line = helperLine({
    name: 'test',
    start: () => {
      const events = new EventEmitter()
      helper = {
        events,
        ask: (question) => {
          if (question === 'end') events.emit('exit', 0)
          else asked.push((question as { name: string }).name)
        },
        end: () => events.emit('exit', 0),
        ref: () => {},
      }
      return helper
    },
    result: (answer: string) => answer,
    about: (question) => question,
    requester,
    bounds: { runMillis: 60_000, idleMillis: 60_000, waiting: WAITING },
    log: pino({ level: 'silent' }),
  })
}
afterEach(() => line?.close())

const ask = (tenantId: string, id: string, { isJob = false } = {}): Promise<string> =>
  workFor({ tenantId, id, isJob }, async () => (await line?.ask({ name: `${tenantId} ${id}` })) ?? '')

const answerAll = async (promised: readonly Promise<string>[]): Promise<void> => {
  const settled = Promise.allSettled(promised)
  for (let answered = 0; answered < asked.length; answered += 1) helper?.events.emit('message', asked[answered])
  await settled
}

test('64 questions of one member keep neither another institute waiting nor another member of theirs', async () => {
  startLine()
  const flood = Array.from({ length: 64 }, () => ask('one', 'member').catch(() => 'refused'))
  const others = [ask('other', 'desk'), ask('one', 'colleague')]
  await answerAll([...flood, ...others])
  expect(asked.slice(0, 3)).toEqual(['one member', 'other desk', 'one colleague'])
  expect(await Promise.all(others)).toEqual(['other desk', 'one colleague'])
  // One runs, and sixteen wait.
  expect((await Promise.all(flood)).filter((end) => end === 'one member')).toHaveLength(17)
})

test('what somebody waits for comes before the mails of the institute', async () => {
  startLine()
  const mails = Array.from({ length: 5 }, () => ask('one', 'one:mails', { isJob: true }))
  await answerAll([...mails, ask('one', 'desk'), ask('one', 'desk')])
  expect(asked).toEqual(['one one:mails', 'one desk', 'one desk', ...Array(4).fill('one one:mails')])
})

test('whoever has too many is refused with 429, and when to come again', async () => {
  startLine()
  const flood = Array.from({ length: 18 }, () => ask('one', 'member'))
  await expect(flood.at(-1)).rejects.toMatchObject({
    spec: { code: 'RATE_LIMITED' },
    headers: { 'Retry-After': '2' },
  })
  await answerAll(flood)
})
