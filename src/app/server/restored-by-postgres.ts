import { failure } from '#kernel/values/errors.ts'

export const RestoredByPostgres = failure(
  'CONFLICT',
  'restored_by_postgres',
  'The database of this server is in Postgres, which brings it back by its own tools: stop the program, restore the database with pg_restore and the data directory from its copy, and start it again.',
)
