import { describe, expect, test } from 'vitest'
import { Intents, isAnswered, stepOf, type IntentHeader } from '../../../src/console/api/intents/intent.ts'
import { Problem } from '../../../src/console/api/problem.ts'

const lost = () => new Problem(0)
const refused = () => new Problem(409, { code: 'CONFLICT', message: '' })

/** Sends inputs by one `Intents`, and has the names under which they went. */
const sender = () => {
  const intents = new Intents()
  const names: string[] = []
  const send = (input: unknown, error?: Error, by = intents) =>
    by
      .once(input, async (header) => {
        names.push(header['Idempotency-Key'])
        if (error) throw error
        return input
      })
      .catch((problem: unknown) => problem)
  return { intents, names, send }
}

const distinct = (names: readonly string[]) => names.map((name) => names.indexOf(name))

describe('an intent', () => {
  test('whose answer was lost goes under the same name until it is answered', async () => {
    const { names, send } = sender()
    await send({ a: 1 }, lost())
    await send({ a: 1 }, new Problem(503))
    await send({ a: 1 })
    await send({ a: 1 })
    expect(distinct(names)).toEqual([0, 0, 0, 3])
    expect(names[0]).toMatch(/^[0-9a-f]{32}$/)
  })

  test('that was refused, or has another input, is a new one', async () => {
    const { names, send } = sender()
    await send('a', refused())
    await send('a', lost())
    await send('b')
    // What was lost before something else was sent is not taken for it: the server would answer as it did then.
    await send('a')
    expect(distinct(names)).toEqual([0, 1, 2, 3])
  })

  test('that met the end of the session goes on under the same name once its owner has signed in again', async () => {
    const names: string[] = []
    const asked: boolean[] = []
    const once = (isBack: boolean) =>
      new Intents(async () => {
        asked.push(isBack)
        return isBack
      })
        .of('step')
        .once('a', async (header) => {
          names.push(header['Idempotency-Key'])
          if (names.length === 1 || !isBack) throw new Problem(401)
          return 'done'
        })
    expect(await once(true)).toBe('done')
    expect(distinct(names)).toEqual([0, 0])
    await expect(once(false)).rejects.toMatchObject({ status: 401 })
    expect(names).toHaveLength(3)
    expect(asked).toEqual([true, false])
  })

  test('is not sent a second time while it is on its way', async () => {
    const intents = new Intents()
    const sent: IntentHeader[] = []
    let reply: (value: string) => void = () => {}
    const send = (input: string) =>
      intents.once(input, (header) => {
        sent.push(header)
        return new Promise<string>((resolve) => {
          reply = resolve
        })
      })
    const [first, second] = [send('a'), send('a')]
    reply('done')
    expect(await Promise.all([first, second])).toEqual(['done', 'done'])
    expect(sent).toHaveLength(1)
    // On, off, and on again: the last one counts.
    void send('on')
    void send('off')
    void send('on')
    expect(sent).toHaveLength(4)
  })

  test('of a name is known again by it, whatever else was sent', async () => {
    const { intents, names, send } = sender()
    await send('x', lost(), intents.of('Ali'))
    await send('x', lost(), intents.of('Dana'))
    await send('x', undefined, intents.of('Ali'))
    await send('x', undefined, intents.of('Dana'))
    expect(distinct(names)).toEqual([0, 1, 0, 1])
  })

  test('with a file is that of this file', async () => {
    const { names, send } = sender()
    const file = (name: string) => new File(['x'], name, { lastModified: 1 })
    await send(file('a.csv'), lost())
    await send(file('a.csv'), lost())
    await send(file('b.csv'), lost())
    expect(distinct(names)).toEqual([0, 0, 2])
  })

  test('has a name of its own for each step', () => {
    expect(stepOf({ 'Idempotency-Key': 'a' }, 'complete')).toEqual({ 'Idempotency-Key': 'a.complete' })
  })
})

test.each([
  ['no reply', new Problem(0), false],
  ['a page of a proxy', new Problem(403, {}, new Headers(), true), false],
  ['the session has ended', new Problem(401), false],
  ['too many requests', new Problem(429), false],
  ['a fault of the server', new Problem(500), false],
  ['the first is running still', new Problem(409, { details: { reason: 'still_running' } }), false],
  ['an error of the page', new TypeError('x'), false],
  ['a conflict', refused(), true],
  ['a wrong field', new Problem(422), true],
])('%s: is it answered?', (_, error, expected) => expect(isAnswered(error)).toBe(expected))
