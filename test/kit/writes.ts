import { CompiledQuery } from 'kysely'
import type { TestApp } from './app.ts'
import { runSql } from './fill.ts'
import { readCatalogue } from './pairs/records.ts'

/** A committed insert, update or delete of a row. */
export interface Write {
  table: string
  how: 'insert' | 'update' | 'delete'
  /** Its columns by name and value, as text: as written, or as deleted. */
  row: string
}

const HOW = ['insert', 'update', 'delete'] as const

/** Columns that requests set in passing; such an update does not count as a write. */
export const SET_IN_PASSING: Readonly<Record<string, string>> = { api_key: 'last_used_at' }

/** A trigger on a table, for either engine. */
interface Noted {
  table: string
  how: Write['how']
  columns: readonly string[]
}

/** The event of the trigger: an update counts when it sets any other column than those set in passing. */
const occasion = ({ table, how, columns }: Noted): string => {
  const seen = columns.filter((name) => name !== SET_IN_PASSING[table])
  return how === 'update' ? `update of ${seen.map((name) => `"${name}"`).join(', ')}` : how
}

const words = {
  sqlite: {
    notes: 'create table noted_write (id integer primary key, name text, how text, content text)',
    begin: [],
    trigger: (noted: Noted): string => {
      const { table, how, columns } = noted
      const of = how === 'delete' ? 'old' : 'new'
      const content = columns.map((name) => `'${name}=' || quote(${of}."${name}")`).join(` || ' ' || `)
      return `create trigger "noted_${table}_${how}" after ${occasion(noted)} on "${table}" begin
        insert into noted_write (name, how, content) values ('${table}', '${how}', ${content}); end`
    },
  },
  postgres: {
    notes: 'create table noted_write (id bigserial primary key, name text, how text, content text)',
    begin: [
      `create function note_write() returns trigger language plpgsql as $$
       declare pair record; content text := '';
       begin
         for pair in select * from jsonb_each_text(to_jsonb(case when tg_op = 'DELETE' then old else new end)) loop
           content := content || pair.key || '=' || quote_nullable(pair.value) || ' ';
         end loop;
         insert into noted_write (name, how, content) values (tg_table_name, lower(tg_op), content);
         return null;
       end $$`,
    ],
    trigger: (noted: Noted): string => {
      const { table, how } = noted
      return `create trigger "noted_${table}_${how}" after ${occasion(noted)} on "${table}"
        for each row execute function note_write()`
    },
  },
}

/**
 * Notes every row that is written from now on, with triggers: to ask what a request wrote then costs by what it wrote,
 * not by the size of the database.
 * @returns a function that returns the committed writes since its last call
 */
export const watchWrites = async (app: TestApp): Promise<() => Promise<Write[]>> => {
  const { notes, begin, trigger } = words[app.app.database.engine]
  for (const statement of [notes, ...begin]) await runSql(app, statement)
  const columns = Map.groupBy((await readCatalogue(app)).columns, ({ table }) => table)
  for (const table of Object.keys(app.app.runtime.rules)) {
    const names = columns.get(table)?.map(({ column }) => column)
    if (!names) throw new Error(`The database has no table ${table}.`)
    for (const how of HOW) await runSql(app, trigger({ table, how, columns: names }))
  }
  let seen = 0
  return async () => {
    const { rows } = await app.app.database.schema.executeQuery<Write & { id: number }>(
      CompiledQuery.raw(
        `select id, name as "table", how, content as "row" from noted_write where id > ${seen} order by id`,
      ),
    )
    seen = rows.at(-1)?.id ?? seen
    return rows.map(({ table, how, row }) => ({ table, how, row }))
  }
}
