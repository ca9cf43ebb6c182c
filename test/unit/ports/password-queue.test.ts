import { expect, test } from 'vitest'
import { PasswordQueue } from '#ports/passwords/queue.ts'
import { Busy } from '#ports/passwords/port.ts'

/** A queue that runs one call at a time. A call ends when the test says so. */
const startQueue = (maxWaiting: number) => {
  const queue = new PasswordQueue({ concurrency: 1, maxWaiting })
  const began: string[] = []
  const refused: string[] = []
  let end = (): void => {}
  const enter = (name: string, key: string, known = false): void => {
    queue
      .run({ key, known }, () => {
        began.push(name)
        return new Promise<void>((resolve) => {
          end = resolve
        })
      })
      .catch((error: unknown) => {
        expect(error).toBeInstanceOf(Busy)
        refused.push(name)
      })
  }
  /** Ends the running call until no call is left. */
  const drain = async () => {
    let count = 0
    while (count < began.length) {
      count = began.length
      end()
      await new Promise(setImmediate)
    }
  }
  return { enter, drain, began, refused, settle: () => new Promise(setImmediate) }
}

test('known clients come before strangers, and have places when strangers have none left', async () => {
  const { enter, drain, began, refused } = startQueue(2)
  for (const name of ['s1', 's2', 's3', 's4']) enter(name, name)
  enter('k1', 'owner', true)
  enter('k2', 'teacher', true)
  enter('k3', 'another', true)
  await drain()
  expect(refused).toEqual(['s4', 'k3'])
  expect(began).toEqual(['s1', 'k1', 'k2', 's2', 's3'])
})

test('waiting clients take turns, no matter how many calls each has made', async () => {
  const { enter, drain, began } = startQueue(10)
  enter('first', 'x')
  for (const name of ['a1', 'a2', 'a3']) enter(name, 'a')
  enter('b1', 'b')
  enter('c1', 'c')
  enter('b2', 'b')
  await drain()
  expect(began).toEqual(['first', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

test('in a full queue, the client with the most places loses its newest ones, until all have an equal share', async () => {
  const { enter, drain, began, refused, settle } = startQueue(4)
  enter('first', 'x')
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) enter(name, 'a')
  enter('b1', 'b')
  enter('b2', 'b')
  await settle()
  expect(refused).toEqual(['a5', 'a4', 'a3'])
  // Each client has two places. A third place for one of them would only be swapped; a new client still gets one.
  enter('b3', 'b')
  enter('c1', 'c')
  await settle()
  expect(refused).toEqual(['a5', 'a4', 'a3', 'b3', 'a2'])
  await drain()
  expect(began).toEqual(['first', 'a1', 'b1', 'c1', 'b2'])
})

test('when every client has one place, nobody loses it to another', async () => {
  const { enter, settle, refused } = startQueue(3)
  for (const name of ['first', 'a', 'b', 'c', 'd']) enter(name, name)
  await settle()
  expect(refused).toEqual(['d'])
})

test('work that fails leaves its place to the next', async () => {
  const queue = new PasswordQueue({ concurrency: 1, maxWaiting: 1 })
  const place = { key: 'x', known: false }
  const failing = queue.run(place, () => Promise.reject(new Error('no')))
  const next = queue.run(place, async () => 'done')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
  expect(await queue.run(place, async () => 'again')).toBe('again')
})
