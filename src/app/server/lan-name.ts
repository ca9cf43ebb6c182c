import * as v from 'valibot'
import { change, read, type Endpoint } from '#kernel/contract/endpoint.ts'
import { failure, NotFound } from '#kernel/values/errors.ts'
import { explained, named } from '#kernel/values/named.ts'
import { date, list, orNull } from '#kernel/values/schema.ts'
import { followHost } from '#modules/settings/index.ts'
import { isLanLabel, LONGEST_LAN_NAME } from '#app/config/lan-name-settings.ts'
import { FORMER_DAYS, type ChosenName } from '#app/process/chosen-name.ts'

const LOCAL = '.local'

const words = {
  name: 'The name by which its network finds the server now, such as institute.local, or institute-2.local where another machine has that; null: none, or not yet.',
  wanted: 'The name that it should have; null: none.',
  isFixed: 'Whether a flag or the environment gives the name (INSTITUTE_LAN_NAME), so that none is chosen here.',
  isPossible: 'Whether the network can find the server by a name; not in a container, which has a network of its own.',
  former: `Names of before that still lead here: each for ${FORMER_DAYS} days.`,
  until: 'The last day on which it does.',
}

const ServerLanName = named(
  'ServerLanName',
  v.object({
    name: orNull(v.string()),
    wanted: orNull(v.string()),
    isFixed: v.boolean(),
    isPossible: v.boolean(),
    former: list(named('FormerLanName', v.object({ name: v.string(), until: date }), { ...words, name: 'The name.' })),
  }),
  words,
)

/** People type it as they read it. */
const labelOf = (name: string): string => (name.endsWith(LOCAL) ? name.slice(0, -LOCAL.length) : name)

const Choice = named(
  'ServerLanNameChoice',
  v.object({
    name: v.pipe(
      v.string(),
      v.trim(),
      v.toLowerCase(),
      v.maxLength(LONGEST_LAN_NAME + LOCAL.length),
      v.check(
        (name) => isLanLabel(labelOf(name)),
        'must be letters from a to z, digits and hyphens, such as school-nablus, and none that machines use among themselves',
      ),
    ),
  }),
  { name: 'The name, such as school-nablus; `.local` may stand behind it.' },
)

const LanNameTaken = failure(
  'CONFLICT',
  'lan_name_taken',
  'Another machine of the network has this name: nothing was changed. `free` is one like it.',
  {
    details: {
      schema: explained(v.object({ free: orNull(v.string()) }), {
        free: 'One like it that nobody has; null: none was found.',
      }),
      example: { free: 'school-nablus-2' },
    },
  },
)

const LanNameUnheard = failure(
  'CONFLICT',
  'lan_name_unheard',
  'The name could not be announced, because the server is in no network or the network takes no multicast: nothing was changed.',
)

const shown = (lanName: ChosenName): v.InferOutput<typeof ServerLanName> => ({
  name: lanName.current() ?? null,
  wanted: lanName.wanted() ?? null,
  isFixed: lanName.isFixed,
  isPossible: lanName.isPossible,
  former: lanName.former(),
})

/** The name by which the local network finds a self-hosted server, for its owner. */
export const lanNameEndpoints = (lanName: ChosenName, isCloud: boolean): readonly Endpoint[] => {
  const closed = isCloud ? NotFound : undefined
  return [
    read({
      id: 'server.read-lan-name',
      path: '/server/lan-name',
      summary: 'By which name the local network finds the server',
      description: 'In cloud mode 404.',
      access: 'owner',
      closed,
      reply: ServerLanName,
      fails: [NotFound],
      handle: async () => shown(lanName),
    }),
    change({
      id: 'server.choose-lan-name',
      method: 'PUT',
      path: '/server/lan-name',
      summary: 'Choose the name by which the local network finds the server',
      description: `Asks the network whether somebody has it, which takes some seconds, announces it, and keeps it in institute.conf. From then on certificates of the server’s own authority are for it too, and \`baseUrl\` of the settings follows where it had the name of before, which still leads here for ${FORMER_DAYS} days. What is refused changes nothing. In cloud mode, and where \`isFixed\` or not \`isPossible\`, 404.`,
      access: 'owner',
      closed: lanName.isPossible && !lanName.isFixed ? closed : NotFound,
      limits: [{ per: 'caller', requests: 20, seconds: 600 }],
      body: Choice,
      reply: ServerLanName,
      fails: [NotFound, LanNameTaken, LanNameUnheard],
      prepare: async ({ body }) => {
        const before = lanName.current() ?? lanName.wanted()
        const chosen = await lanName.choose(labelOf(body.name))
        if (chosen.result === 'taken') throw LanNameTaken({ free: chosen.free ?? null })
        if (chosen.result !== 'named') throw LanNameUnheard()
        return before
      },
      handle: async ({ tx, body, prepared: before }) => {
        const name = labelOf(body.name) + LOCAL
        if (before !== undefined) await followHost(tx, before, name)
        tx.audit({ entityType: 'program', entityId: null, metadata: { name, before: before ?? null } })
        return shown(lanName)
      },
    }),
  ]
}
