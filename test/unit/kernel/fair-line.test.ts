import { describe, expect, test } from 'vitest'
import { FairLine, type LineBounds } from '#kernel/contract/fair-line.ts'

/** `a ann 3` is the third thing that Ann waits for in institute a. */
const lineOf = (bounds: LineBounds, ...names: string[]) => {
  const line = new FairLine<string>(bounds)
  const add = (name: string): string | undefined => {
    const [institute = '', caller = ''] = name.split(' ')
    return line.add({ clients: [institute, caller], isPatient: caller === 'mails' }, name)
  }
  const refused = names.flatMap((name) => add(name) ?? [])
  const served = (count = Infinity): string[] => {
    const all: string[] = []
    for (let name = line.next(); name !== undefined; name = line.next()) if (all.push(name) >= count) break
    return all
  }
  return { line, add, refused, served }
}

const flood = (client: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${client} ${at + 1}`)

describe('a line', () => {
  test('lets institutes take turns, however much each waits for', () => {
    const { served } = lineOf({ most: 99 }, ...flood('a ann', 3), 'b bob 1', 'b bob 2', 'c cid 1')
    expect(served()).toEqual(['a ann 1', 'b bob 1', 'c cid 1', 'a ann 2', 'b bob 2', 'a ann 3'])
  })

  test('lets the callers of an institute take turns among themselves, which is no second turn of it', () => {
    const { served } = lineOf({ most: 99 }, ...flood('a ann', 3), 'a amy 1', 'b bob 1', 'b bob 2')
    expect(served()).toEqual(['a ann 1', 'b bob 1', 'a amy 1', 'b bob 2', 'a ann 2', 'a ann 3'])
  })

  test('serves whoever comes anew before the client whose turn it was last', () => {
    const { add, served } = lineOf({ most: 99 }, ...flood('a ann', 3))
    expect(served(1)).toEqual(['a ann 1'])
    add('b bob 1')
    add('a amy 1')
    expect(served()).toEqual(['b bob 1', 'a amy 1', 'a ann 2', 'a ann 3'])
  })

  test('serves nobody for ever: those who come anew all the time come after the one who waits', () => {
    const { add, served } = lineOf({ most: 99 }, 'a ann 1', 'a ann 2', 'b bob 1')
    const all = served(1)
    for (let count = 2; count < 6; count += 1) {
      add(`b bob ${count}`)
      add(`c${count} cid 1`)
      all.push(...served(1))
    }
    expect(all.indexOf('a ann 2')).toBe(3)
  })

  test('serves people before the mails of their institute, and not before those of others', () => {
    const { served } = lineOf({ most: 99 }, ...flood('a mails', 2), 'a ann 1', 'a amy 1', 'b mails 1')
    expect(served()).toEqual(['a ann 1', 'b mails 1', 'a amy 1', 'a mails 1', 'a mails 2'])
  })

  test('has so many places for each institute and each caller', () => {
    const { add, refused, served } = lineOf({ most: 9, mostOfEach: [4, 3] }, ...flood('a ann', 5), 'a amy 1', 'a amy 2')
    expect(refused).toEqual(['a ann 4', 'a ann 5', 'a amy 2'])
    expect(add('b bob 1')).toBeUndefined()
    expect(served(2)).toEqual(['a ann 1', 'b bob 1'])
    expect(add('a ann 6')).toBeUndefined()
  })

  test('that is full takes the newest place of the institute with the most, for one with fewer', () => {
    const { add, refused, line } = lineOf({ most: 4 }, ...flood('a ann', 5))
    expect(refused).toEqual(['a ann 5'])
    expect(add('b bob 1')).toBe('a ann 4')
    expect(add('b bob 2')).toBe('a ann 3')
    // A third place of one would only be swapped.
    expect(add('b bob 3')).toBe('b bob 3')
    expect(add('a ann 6')).toBe('a ann 6')
    expect(add('c cid 1')).toBe('a ann 2')
    expect(line.clear()).toEqual(['a ann 1', 'b bob 1', 'b bob 2', 'c cid 1'])
    expect(line.next()).toBeUndefined()
    expect(add('a ann 7')).toBeUndefined()
  })
})
