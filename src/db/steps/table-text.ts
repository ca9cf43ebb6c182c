/** Parses the SQL text that created a table, which SQLite keeps. It understands the texts that Kysely writes. */

const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"/.source
const TOKENS = new RegExp(`${QUOTED}|[(),]|[^'"(),]+`, 'g')

/** Splits a `create table` into its column and rule definitions, and the text after the last of them. */
export const readTable = (text: string): { definitions: string[]; ending: string } => {
  const definitions = ['']
  let depth = 0
  let ending = ''
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === ')') depth -= 1
    const within = depth > 0
    if (within && token === ',' && depth === 1) definitions.push('')
    else if (within) definitions.push(`${definitions.pop()}${token}`)
    if (token === '(') depth += 1
    if (depth === 0) ending = token === ')' ? '' : ending + token
  }
  return { definitions: definitions.map((one) => one.trim()).filter((one) => one !== ''), ending }
}

/** The name of the column that a definition defines; undefined: it defines a rule. */
export const columnNameOf = (definition: string): string | undefined => /^"([^"]+)"/.exec(definition)?.[1]

/** The name of a rule; undefined: it has no name, or it is a column. */
export const ruleOf = (definition: string): string | undefined => /^constraint "([^"]+)"/i.exec(definition)?.[1]

/** Whether a rule, index or trigger mentions a column of its own table. */
export const namesColumn = (text: string, column: string): boolean => {
  const own = text.replaceAll(/'(?:[^']|'')*'/g, '').replace(/\breferences\b.*$/is, '')
  return new RegExp(String.raw`(?<![\w"])("?)${column}\1(?![\w"])`).test(own)
}

/** A text of the same length in which everything in quotes or parentheses is replaced by dots. */
const outermost = (text: string): string => {
  let depth = 0
  return text.replaceAll(TOKENS, (token) => {
    if (token === ')') depth -= 1
    const isWord = depth === 0 && !/^['"()]/.test(token)
    if (token === '(') depth += 1
    return isWord ? token : '.'.repeat(token.length)
  })
}

/** The definition of a column, made nullable or NOT NULL. */
export const withNulls = (definition: string, takesNull: boolean): string => {
  const words = outermost(definition)
  const found = / not null\b/i.exec(words)
  if (found && takesNull) return definition.slice(0, found.index) + definition.slice(found.index + found[0].length)
  if (found || takesNull) return definition
  // The place where Kysely writes NOT NULL.
  const at = / (?:unique|primary key|references|check|constraint)\b/i.exec(words)?.index ?? definition.length
  return `${definition.slice(0, at)} not null${definition.slice(at)}`
}
