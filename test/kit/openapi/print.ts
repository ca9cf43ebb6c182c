/** From here on a value stands on one line: deep enough that an operation's parts and its responses have lines of their own. */
const DEPTH = 6

/** JSON in lines that a difference can be read from, and not a line for every bracket. */
export const printDocument = (value: unknown, depth = 0): string => {
  if (depth === DEPTH || typeof value !== 'object' || value === null || Array.isArray(value)) {
    return JSON.stringify(value)
  }
  const lines = Object.entries(value).map(
    ([name, inner]) => `${' '.repeat(depth + 1)}${JSON.stringify(name)}: ${printDocument(inner, depth + 1)}`,
  )
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n${' '.repeat(depth)}}`
}
