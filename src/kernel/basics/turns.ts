const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const AT_ONCE = 1000

/** Each of many things, with pauses in which others have their turn. */
export async function* inTurns<T>(things: Iterable<T>): AsyncGenerator<T> {
  let count = 0
  for (const thing of things) {
    count += 1
    if (count % AT_ONCE === 0) await nextTurn()
    yield thing
  }
}
