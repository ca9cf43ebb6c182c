import { migrateDatabase } from '#app/program.ts'
import { result, tell, type Command } from './command.ts'
import { openConfig } from './open.ts'

export const migrate: Command = {
  about: 'Bring the database to the newest schema (serve does it by itself)',
  run: async (invocation) => {
    const { taken, backup } = await migrateDatabase(openConfig(invocation, { mayBegin: true }))
    if (backup !== undefined) tell(`A backup from before it lies in ${backup}.`)
    result(taken.length === 0 ? 'The database is up to date.' : `Took ${taken.join(', ')}.`)
    return 0
  },
}
