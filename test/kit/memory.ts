/** Measures how much memory the process adds from now on. */
export const watchMemory = () => {
  const before = process.memoryUsage.rss()
  let most = before
  const look = () => (most = Math.max(most, process.memoryUsage.rss()))
  const timer = setInterval(look, 10)
  return {
    /** @returns the largest number of bytes that were added at any time */
    end: (): number => {
      clearInterval(timer)
      return look() - before
    },
  }
}
