import { migrateDatabase } from '#app/program.ts'
import { result, tell, type Command } from './command.ts'
import { openConfig } from './open.ts'

export const migrate: Command = {
  about: 'Bring the database to the newest schema (serve does it by itself)',
  usage: '[--alone]',
  options: {
    alone: {
      about: 'No other process uses the database: take the steps too after which the version before cannot work on it',
    },
  },
  run: async (invocation) => {
    const config = openConfig(invocation, { mayBegin: true })
    const { taken, backup } = await migrateDatabase(config, invocation.switches.has('alone'))
    if (backup !== undefined) tell(`A backup from before it lies in ${backup}.`)
    result(taken.length === 0 ? 'The database is up to date.' : `Took ${taken.join(', ')}.`)
    return 0
  },
}
