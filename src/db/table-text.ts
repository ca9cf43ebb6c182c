/** What SQLite keeps of a table is the text that made it: here it is taken apart, as far as Kysely writes such texts. */

const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"/.source
const TOKENS = new RegExp(`${QUOTED}|[(),]|[^'"(),]+`, 'g')

/** The columns and rules of a `create table`, each as it stands there, and what follows the last of them. */
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

/** The column that a definition is of; undefined: it is a rule. */
export const columnNameOf = (definition: string): string | undefined => /^"([^"]+)"/.exec(definition)?.[1]

/** The name of a rule; undefined: it has none, or it is a column. */
export const ruleOf = (definition: string): string | undefined => /^constraint "([^"]+)"/i.exec(definition)?.[1]

/** Whether a rule, an index or a trigger names a column of its own table. */
export const namesColumn = (text: string, column: string): boolean => {
  const own = text.replaceAll(/'(?:[^']|'')*'/g, '').replace(/\breferences\b.*$/is, '')
  return new RegExp(String.raw`(?<![\w"])("?)${column}\1(?![\w"])`).test(own)
}

/** The text of the same length, in which nothing is left of what stands in quotes or parentheses. */
const outermost = (text: string): string => {
  let depth = 0
  return text.replaceAll(TOKENS, (token) => {
    if (token === ')') depth -= 1
    const isWord = depth === 0 && !/^['"()]/.test(token)
    if (token === '(') depth += 1
    return isWord ? token : '.'.repeat(token.length)
  })
}

/** A column that takes nulls, or none, from now on. */
export const withNulls = (definition: string, takesNull: boolean): string => {
  const words = outermost(definition)
  const found = / not null\b/i.exec(words)
  if (found && takesNull) return definition.slice(0, found.index) + definition.slice(found.index + found[0].length)
  if (found || takesNull) return definition
  // Where Kysely writes it.
  const at = / (?:unique|primary key|references|check|constraint)\b/i.exec(words)?.index ?? definition.length
  return `${definition.slice(0, at)} not null${definition.slice(at)}`
}
