/** From this depth on a value stands on one line; an operation's parts and its responses are above it. */
const DEPTH = 6

/** Prints JSON with a line for each part, so that diffs are readable, but not for each bracket. */
export const printDocument = (value: unknown, depth = 0): string => {
  if (depth === DEPTH || typeof value !== 'object' || value === null || Array.isArray(value)) {
    return JSON.stringify(value)
  }
  const lines = Object.entries(value).map(
    ([name, inner]) => `${' '.repeat(depth + 1)}${JSON.stringify(name)}: ${printDocument(inner, depth + 1)}`,
  )
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n${' '.repeat(depth)}}`
}
