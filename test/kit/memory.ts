/** Watches how much more memory this process holds than now. */
export const watchMemory = () => {
  const before = process.memoryUsage.rss()
  let most = before
  const look = () => (most = Math.max(most, process.memoryUsage.rss()))
  const timer = setInterval(look, 10)
  return {
    /** @returns the most bytes that were added at any time */
    end: (): number => {
      clearInterval(timer)
      return look() - before
    },
  }
}
