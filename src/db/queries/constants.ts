import type { CompiledQuery } from 'kysely'

interface Texts {
  /** What stands in the text for each parameter, in the order of the parameters. */
  placeholder: string | RegExp
  /** The text of a constant; undefined: it stays a parameter. */
  literal: (value: unknown) => string | undefined
  /** The text of a parameter that stays. @param position from 1 */
  parameter: (position: number) => string
}

/** The text of a constant that all engines read alike; undefined: there is none. */
export const commonLiteral = (value: unknown): string | undefined => {
  if (value === null) return 'null'
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : undefined
}

/**
 * Puts the constants of a query into its text, so that a plan that is made once for all values matches partial indexes.
 * @param varies whether a parameter has another value on each run
 */
export const withConstants = <Row>(
  query: CompiledQuery<Row>,
  varies: (parameter: unknown) => boolean,
  { placeholder, literal, parameter }: Texts,
): CompiledQuery<Row> => {
  const [first = '', ...rest] = query.sql.split(placeholder)
  if (rest.length !== query.parameters.length) throw new Error('a query holds the sign of a parameter that is none')
  const parameters: unknown[] = []
  let text = first
  for (const [index, part] of rest.entries()) {
    const value = query.parameters[index]
    const fixed = varies(value) ? undefined : literal(value)
    if (fixed === undefined) parameters.push(value)
    text += (fixed ?? parameter(parameters.length)) + part
  }
  return { ...query, sql: text, parameters }
}
