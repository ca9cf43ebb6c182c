import * as v from 'valibot'
import { read, type Endpoint } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { count, orNull } from '#kernel/values/schema.ts'
import type { MailSettings } from '#modules/mail/index.ts'
import { countMembersAndInvited } from '#modules/members/index.ts'

/** The paths and commands of an install. */
export interface Installation {
  dataDir: string
  /** The folder of the backups. */
  backups: string
  /** Whether the server makes one every night. */
  makesNightly: boolean
  database: 'sqlite' | 'postgres'
  /** Where other machines of the network may reach the server, such as http://192.168.1.20:8080; [] where none can. */
  addresses(): readonly string[]
  /** The full command line, on this machine, of a command such as `backup`. */
  commandLine(words: string): string
  /** Where staff sign in; undefined: not configured. */
  signInUrl: string | undefined
}

const NextSteps = v.object({
  dataDir: v.string(),
  database: v.picklist(['sqlite', 'postgres']),
  backups: v.string(),
  nightly: v.boolean(),
  signInUrl: orNull(v.string()),
  mail: v.object({ server: orNull(v.string()), sender: orNull(v.string()) }),
  invited: count,
  commands: v.object({ backup: v.string(), restore: v.string(), mailSetup: v.string(), mailTest: v.string() }),
})

export interface NextStepsDeps {
  deploymentMode: 'cloud' | 'self_hosted'
  installation: Installation
  mail: MailSettings
}

/** The wizard's last page: what the owner should do next, and the state of each. */
export const nextStepsEndpoint = ({ deploymentMode, installation, mail }: NextStepsDeps): Endpoint =>
  read({
    id: 'setup.next-steps',
    path: '//setup/next-steps',
    summary: 'What the owner of an install should do next',
    forPeople: true,
    access: 'owner',
    reply: NextSteps,
    fails: [NotFound],
    handle: async ({ db }) => {
      if (deploymentMode === 'cloud') throw NotFound()
      const { dataDir, database, backups, makesNightly, commandLine, signInUrl = null } = installation
      const { server, sender } = mail.state()
      const members = await countMembersAndInvited(db)
      return {
        dataDir,
        database,
        backups,
        nightly: makesNightly,
        signInUrl,
        mail: { server: server && `${server.host}:${server.port}`, sender },
        // Without the owner.
        invited: Math.max(0, members - 1),
        commands: {
          backup: commandLine('backup'),
          restore: commandLine('restore FILE'),
          mailSetup: commandLine('mail-setup'),
          mailTest: commandLine('mail-test ADDRESS'),
        },
      }
    },
  })
