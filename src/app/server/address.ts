import * as v from 'valibot'
import { read, type Endpoint } from '#kernel/contract/endpoint.ts'
import { NotFound } from '#kernel/values/errors.ts'
import { named } from '#kernel/values/named.ts'
import { list } from '#kernel/values/schema.ts'
import type { Database } from '#db/database.ts'
import type { Config } from '#app/config/config.ts'
import { addressState } from '#app/process/address-state.ts'
import type { Machine } from '#app/process/own-hosts.ts'

const ServerWay = named('ServerWay', v.object({ url: v.string(), isLocal: v.boolean() }), {
  url: 'An address to open in a browser.',
  isLocal: 'Whether it opens in the server’s own network alone.',
})

const ServerAddress = named(
  'ServerAddress',
  v.object({
    url: v.string(),
    isFixed: v.boolean(),
    whose: v.picklist(['own', 'loopback', 'strange', 'unknown']),
    leadsTo: list(v.string()),
    here: list(v.string()),
    ways: list(ServerWay),
  }),
  {
    url: 'With which links in mails and the like begin.',
    isFixed:
      'Whether the server’s configuration (INSTITUTE_BASE_URL) names it, so that PATCH /settings does not change it.',
    whose:
      'own: it is one of this machine’s addresses, or its name leads to one; loopback: it opens on this machine alone; strange: it is an address of a local network that this machine does not have, as after a new lease; unknown: a name or an address that may lead here by way of a router or a proxy.',
    leadsTo: 'Where its name leads, as seen from the server; none for an address, and for a name that is not found.',
    here: 'Where others of the network reach this machine; none in a container, which does not know.',
    ways: 'Where others open the server, the surest first: `url`, unless it is known to lead elsewhere, then the addresses of `here`, then the name for which the server answers in its network by multicast DNS (INSTITUTE_LAN_NAME; another where somebody has it), which old phones do not find.',
  },
)

export interface AddressDeps {
  config: Config
  database: Pick<Database, 'read'>
  machine: Machine
}

/** Whether the address to which people are sent is still the server's, for the owner of a self-hosted one. */
export const addressEndpoint = ({ config, database, machine }: AddressDeps): Endpoint =>
  read({
    id: 'server.address',
    path: '/server/address',
    summary: 'Whether people are sent to an address that is the server’s',
    description: 'A name is looked up. PATCH /settings `baseUrl` sets another one. In cloud mode 404.',
    access: 'owner',
    closed: config.mode === 'cloud' ? NotFound : undefined,
    limits: [{ per: 'caller', requests: 60, seconds: 60 }],
    reply: ServerAddress,
    fails: [NotFound],
    handle: async () => {
      const { url, isFixed, whose, leadsTo, here, ways } = await addressState(config, database.read, machine)
      return { url, isFixed, whose, leadsTo: [...leadsTo], here: [...here], ways: [...ways] }
    },
  })
