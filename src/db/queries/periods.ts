import { expressionBuilder, type AliasableExpression } from 'kysely'

// oxlint-disable-next-line typescript/no-explicit-any -- the columns are of any of the tables that reports read
const builder = expressionBuilder<any, any>()

/** Which of these times a column lies in: the index of the first that ends after it. Databases know no months of a zone. */
export const indexIn = (column: string, ends: readonly string[]): AliasableExpression<number> => {
  const [last, ...earlier] = ends.map((end, index) => ({ end, index })).toReversed()
  let cases = builder.case().when(builder.lit(false)).then(builder.lit<number>(-1))
  for (const { end, index } of earlier.toReversed())
    cases = cases.when(column, '<', end).then(builder.lit<number>(index))
  return cases.else(builder.lit<number>(last?.index ?? 0)).end() as AliasableExpression<number>
}
