import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { once } from '#kernel/basics/once.ts'
import { Amount, Day, Moment, type Cell } from '#http/list-files/cells.ts'
import { asXlsx } from '#http/list-files/xlsx.ts'
import { unzip } from '#kit/archive.ts'
import { SHEET_READERS } from '#kit/sheet-readers.ts'

/** That a list as a workbook is the same list in the programs that people open it with. */

/** More columns than the alphabet has letters. */
const MORE = 26
const HEADS = ['שם', 'סכום', 'יום', 'מועד', 'מספר', 'הערה', ...Array.from({ length: MORE }, (_, at) => `ראש ${at}`)]
const LONG = 'מחרוזת ארוכה & <מיוחדת> שצריכה מקום'

const rowOf = (first: Cell[]): Cell[] => [...first, ...Array.from({ length: MORE - 1 }, () => null), 'סוף']

async function* pages(): AsyncGenerator<Cell[][]> {
  yield [
    rowOf(['דנה כהן', new Amount(45_050), new Day('2026-07-01'), new Moment('2026-07-01T09:30:00Z', 'UTC'), 7, LONG]),
  ]
  yield [rowOf(['سامي خوري', new Amount(-1205), null, null, 0, '=1+1'])]
}

const workbook = once(async () =>
  buffer(
    Readable.from(
      asXlsx({ heads: HEADS, pages: pages() }, { title: 'list', rightToLeft: true, at: '2026-07-01T00:00:00Z' }),
    ),
  ),
)

/** As each shows numbers and moments: 450.5 and 450.50 are one amount. */
const bare = (text: string): string => text.replace(/^(-?\d[\d,]*\.\d*?)0+$/, '$1').replace(/\.$/, '')

const wanted = [
  HEADS,
  ['דנה כהן', '450.5', '2026-07-01', '2026-07-01 09:30', '7', LONG, ...Array<string>(MORE - 1).fill(''), 'סוף'],
  ['سامي خوري', '-12.05', '', '', '0', '=1+1', ...Array<string>(MORE - 1).fill(''), 'סוף'],
]

describe('a list as a workbook is read by', () => {
  test.for(SHEET_READERS)('$name', async ({ missing, read }, { skip }) => {
    const why = missing()
    if (why !== undefined) skip(why)
    expect((await read(await workbook())).map((row) => row.map(bare))).toEqual(wanted)
  })
})

test('its columns are as wide as what stands in them, within bounds', async () => {
  const parts = await unzip(await workbook())
  const sheet = parts.get('xl/worksheets/sheet1.xml')?.toString() ?? ''
  const widths = [...sheet.matchAll(/<col [^>]*width="(\d+)"/g)].map(([, width]) => Number(width))
  expect(widths.slice(0, 6)).toEqual([11, 8, 12, 18, 8, LONG.length + 2])
  expect(sheet).toContain('<row r="3"><c r="A3"')
  expect(sheet).toContain('<c r="AF3"')
  // An empty cell takes no room.
  expect(sheet).not.toContain('<c r="C3"')
})

test('nobody who stops early leaves the list open', async () => {
  let isClosed = false
  const endless = async function* (): AsyncGenerator<Cell[][]> {
    try {
      for (;;) yield Array.from({ length: 1000 }, () => [randomUUID()])
    } finally {
      isClosed = true
    }
  }
  const stream = Readable.from(
    asXlsx({ heads: ['a'], pages: endless() }, { title: 'list', rightToLeft: false, at: '2026-07-01T00:00:00Z' }),
  )
  let bytes = 0
  for await (const part of stream as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > 100_000) break
  }
  await expect.poll(() => isClosed).toBe(true)
})
