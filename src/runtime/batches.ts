/** Rows of one statement; the engines limit how many parameters it takes. */
export const ROWS_AT_ONCE = 500

/** Hands `rows` over a batch at a time, in their order; never an empty one. */
export const inBatches = async <T>(rows: readonly T[], write: (batch: T[]) => Promise<unknown>): Promise<void> => {
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) await write(rows.slice(start, start + ROWS_AT_ONCE))
}

/**
 * Repeats a sweep that takes at most so many rows at once, each time in a change of its own, until it finds fewer: a long
 * one never holds up the changes of others.
 */
export const sweepInBatches = async (sweep: (limit: number) => Promise<number>): Promise<void> => {
  let swept: number
  do {
    swept = await sweep(ROWS_AT_ONCE)
  } while (swept === ROWS_AT_ONCE)
}
