import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { afterEach, describe, expect, test } from 'vitest'
import { ReaderEnded } from '#ports/tables/port.ts'
import { startLimited } from '#executable/limited-process.ts'
import { sheetOf, textCell, workbookOf } from '#kit/workbook.ts'
import { openTable } from '#ports/tables/open-table.ts'

/** That a file is read by a process of its own, which the system ends when it takes too much. */

const LIMITS = { heapMegabytes: 256, otherMegabytes: 256, cpuSeconds: 60 }

let close: (() => Promise<void>) | undefined
afterEach(async () => {
  await close?.()
  close = undefined
})

const open = async (bytes: Uint8Array, more: Partial<Parameters<typeof openTable>[1]> = {}) => {
  const table = await openTable(Readable.from([bytes]), {
    headsAt: () => 0,
    signal: new AbortController().signal,
    limits: LIMITS,
    ...more,
  })
  if (!('problem' in table)) close = table.close
  return table
}

const list = (cells: number): Promise<Buffer> =>
  workbookOf(
    sheetOf(
      `<row r="1">${textCell('A1', 'Name')}</row><row r="2">${textCell('A2', 'Dana')}${'<c r="B2"><v>1</v></c>'.repeat(cells)}</row>`,
    ),
  )

test('a table is read by rows, those that are asked for', async () => {
  const table = await open(Buffer.from('Name\r\nDana\r\nLiyan\r\n'))
  if ('problem' in table) throw new Error(table.problem)
  expect([table.heads, table.count]).toEqual([['Name'], 2])
  expect(await table.rows([1])).toEqual([{ line: 3, cells: ['Liyan'] }])
  expect(await table.rows([0, 1, 2])).toHaveLength(2)
})

test('what is no table is told', async () => {
  expect(await open(Buffer.from('PK\u0003\u0004'))).toEqual({ problem: 'not_a_table' })
})

describe('a process that takes too much ends, and nothing else does', () => {
  test('of memory', async () => {
    const table = Buffer.alloc(20_000_000, `${'x,'.repeat(199)}x\n`)
    const reading = open(table, { limits: { ...LIMITS, heapMegabytes: 16 } })
    await expect(reading).rejects.toThrow(ReaderEnded)
  })

  test('of the processor', async () => {
    const reading = open(await list(2_000_000), { limits: { ...LIMITS, cpuSeconds: 1 } })
    await expect(reading).rejects.toThrow(ReaderEnded)
  })

  test('for it has limits that the kernel keeps', async () => {
    const child = startLimited('ports/tables/read.process.ts', LIMITS)
    child.stdin?.end()
    expect(await once(child, 'message')).toEqual([{ problem: 'empty_file' }, undefined])
    const limits = readFileSync(`/proc/${child.pid}/limits`, 'utf8')
    expect(limits).toMatch(new RegExp(`^Max data size +${(256 + 256 + 512) * 1024 * 1024} `, 'm'))
    expect(limits).toMatch(/^Max cpu time +60 /m)
    child.disconnect()
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})

test('one that was ended in the middle says so, and one that its reader gave up says another thing', async () => {
  const halt = new AbortController()
  const reading = open(await list(2_000_000), { signal: halt.signal })
  halt.abort()
  await expect(reading).rejects.toThrow('the reading was ended')
})

test('a file that breaks off is no fault of the process', async () => {
  const broken = Readable.from(
    (function* () {
      yield Buffer.from('Name\r\n')
      throw new Error('the storage is gone')
    })(),
  )
  const how = { headsAt: () => 0, signal: new AbortController().signal, limits: LIMITS }
  await expect(openTable(broken, how)).rejects.toThrow('the storage is gone')
})
