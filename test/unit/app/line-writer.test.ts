import { expect, test } from 'vitest'
import { LineWriter } from '#app/process/line-writer.ts'

/** A disk with room for so many bytes, or a pipe that fails. */
const target = () => {
  const state = { room: Infinity, code: 'ENOSPC', text: '', tries: 0 }
  const writer = new LineWriter({
    write: (bytes) => {
      state.tries += 1
      const taken = bytes.subarray(0, state.room)
      if (taken.length === 0) throw Object.assign(new Error('no'), { code: state.code })
      state.room -= taken.length
      state.text += taken.toString()
      return taken.length
    },
    notice: (lost, reason) => `lost ${lost}: ${reason}\n`,
  })
  return { state, writer }
}

test('lines are written as they come', () => {
  const { state, writer } = target()
  writer.write('one\n')
  writer.write('two\nthree\n')
  expect(state.text).toBe('one\ntwo\nthree\n')
  expect(writer.lost).toBe(0)
})

test.each(['ENOSPC', 'EPIPE', 'EIO', 'EAGAIN'])(
  'after %s lines are counted, and a line says how many once there is room',
  (code) => {
    const { state, writer } = target()
    writer.write('one\n')
    Object.assign(state, { room: 0, code })
    writer.write('two\nthree\n')
    writer.write('four\n')
    expect([state.text, writer.lost]).toEqual(['one\n', 3])
    state.room = Infinity
    writer.write('five\n')
    writer.write('six\n')
    expect([state.text, writer.lost]).toEqual([`one\nlost 3: ${code}\nfive\nsix\n`, 3])
    state.room = 0
    writer.write('seven\n')
    state.room = Infinity
    writer.write('eight\n')
    expect(state.text).toBe(`one\nlost 3: ${code}\nfive\nsix\nlost 1: ${code}\neight\n`)
    expect(writer.lost).toBe(4)
  },
)

test('a line that was cut off is ended before the next, and counts as lost', () => {
  const { state, writer } = target()
  state.room = 6
  writer.write('one\ntwo\nthree\n')
  expect([state.text, writer.lost]).toEqual(['one\ntw', 2])
  // Not enough room for the line that says so either.
  state.room = 3
  writer.write('four\n')
  expect([state.text, writer.lost]).toEqual(['one\ntw\nlo', 3])
  state.room = Infinity
  writer.write('five\n')
  expect(state.text).toBe('one\ntw\nlo\nlost 3: ENOSPC\nfive\n')
})

test('a reader that is behind is waited for a little, and no longer once lines were lost', () => {
  const { state, writer } = target()
  Object.assign(state, { room: 0, code: 'EAGAIN' })
  writer.write('one\n')
  const waited = state.tries
  expect(waited).toBeGreaterThan(1)
  writer.write('two\n')
  expect(state.tries).toBe(waited + 1)
  expect(writer.lost).toBe(2)
})
