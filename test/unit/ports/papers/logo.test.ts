import { crc32, deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { isPrintable } from '#ports/papers/typst/logo.ts'

/** Which pictures papers hold: a small file may be a picture, or say something of one, that fills the memory. */

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

const png = ([width, height]: readonly [number, number], ...more: Buffer[]): Buffer => {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  const pixels = chunk('IDAT', deflateSync(Buffer.alloc(64)))
  const parts = [Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', head), ...more, pixels]
  return Buffer.concat([...parts, chunk('IEND', Buffer.alloc(0))])
}
const profile = (bytes: number): Buffer =>
  chunk('iCCP', Buffer.concat([Buffer.from('colours\0\0', 'latin1'), deflateSync(Buffer.alloc(bytes))]))

test.each([
  ['a small one', png([200, 100]), true],
  ['one with the colours of a screen', png([200, 100], profile(3000)), true],
  ['one whose colours are 100 MB when they are unpacked', png([200, 100], profile(100_000_000)), false],
  ['one of many millions of pixels', png([20_000, 20_000]), false],
  ['one that ends in the middle of a part', png([200, 100], profile(3000)).subarray(0, 50), true],
  ['no picture', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), false],
])('a logo: %s', (_, logo, printable) => expect(isPrintable(logo)).toBe(printable))
