import { deepEqual } from 'node:assert/strict'
import type { Reply } from '#kit/client.ts'
import type { TestInstitute } from '#kit/institute.ts'

/** The numbers of the receipts, credit notes and refunds of an institute follow each other without a gap. */
export const checkNumbers = async ({ owner }: Pick<TestInstitute, 'owner'>): Promise<void> => {
  for (const list of ['receipts', 'credit-notes', 'refunds']) {
    const numbers: number[] = []
    let cursor: string | null = null
    do {
      const { body }: Reply = await owner.get(`/${list}?limit=100${cursor === null ? '' : `&cursor=${cursor}`}`)
      numbers.push(...body.data.map(({ number }: { number: string }) => Number(/\d+$/.exec(number)?.[0])))
      cursor = body.nextCursor
    } while (cursor !== null)
    const sorted = numbers.toSorted((one, other) => one - other)
    deepEqual([list, sorted], [list, sorted.map((_number, index) => index + 1)])
  }
}
