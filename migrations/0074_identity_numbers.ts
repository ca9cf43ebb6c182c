import { sql } from 'kysely'
import type { Migration } from '#db/schema-kit.ts'

/** Identity numbers have Western digits, whichever were typed or stood in a list: they are found under either. */
export const identityNumbers: Migration = {
  async up(db) {
    for (const table of ['student', 'guardian'] as const) {
      const western = FOREIGN_DIGITS.reduce(
        (written, [digit, plain]) => sql<string>`replace(${written}, ${sql.lit(digit)}, ${sql.lit(plain)})`,
        sql<string>`national_id`,
      )
      await sql`update ${sql.table(table)} set national_id = ${western} where national_id <> ${western}`.execute(db)
    }
  },
}

/** Arabic and Persian digits. */
const FOREIGN_DIGITS = [0x660, 0x6f0].flatMap((zero) =>
  Array.from({ length: 10 }, (_, value) => [String.fromCodePoint(zero + value), String(value)] as const),
)
