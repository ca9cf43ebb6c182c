import { exportInstitute } from '#app/operator/export-command.ts'
import { result, tell, type Command } from './command.ts'
import { openConfig } from './open.ts'
import { sayTenths } from './tenths.ts'

export const exportCommand: Command = {
  about: 'Write everything of an institute into one ZIP of CSV, JSON and its files, also while it is running',
  usage: '--tenant SLUG --to FILE [--force]',
  options: {
    tenant: { value: 'SLUG', required: true, about: 'The institute, by its short name' },
    to: {
      value: 'FILE',
      isPath: true,
      required: true,
      about: 'Where to; a folder gets a file named by the institute and the time',
    },
    force: { about: 'Overwrites a file that is there already' },
  },
  run: async (invocation) => {
    const { tenant = '', to = '' } = invocation.options
    const wanted = { slug: tenant, to, force: invocation.switches.has('force') }
    const file = await exportInstitute(openConfig(invocation), wanted, sayTenths())
    tell('The archive holds everybody’s records, without passwords and keys. Keep it where only you can read it:')
    result(file)
    return 0
  },
}
