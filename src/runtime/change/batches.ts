/** Rows per statement. Both databases limit the number of parameters of a statement. */
export const ROWS_AT_ONCE = 500

/** Calls `write` with batches of `rows`, in order; never with an empty batch. */
export const inBatches = async <T>(rows: readonly T[], write: (batch: T[]) => Promise<unknown>): Promise<void> => {
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) await write(rows.slice(start, start + ROWS_AT_ONCE))
}

/**
 * Repeats a sweep until it finds fewer rows than its limit. Each repetition is a transaction of its own, so that a long
 * sweep does not block other changes.
 */
export const sweepInBatches = async (sweep: (limit: number) => Promise<number>): Promise<void> => {
  let swept: number
  do {
    swept = await sweep(ROWS_AT_ONCE)
  } while (swept === ROWS_AT_ONCE)
}
