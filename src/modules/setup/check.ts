import * as v from 'valibot'
import { openRead, type Endpoint } from '#kernel/contract/endpoint.ts'
import { admitting, byToken, TRIALS, type AdmittingDeps } from './admit.ts'
import type { Installation } from './next-steps.ts'

export interface SetupCheckDeps extends AdmittingDeps {
  installation: Installation
}

/**
 * The wizard's first page asks whether its token is right. Only whoever has it learns by which addresses others may reach
 * this server: they tell of the network that it is in.
 */
export const checkEndpoint = ({ installation, ...deps }: SetupCheckDeps): Endpoint => {
  const admit = admitting(deps)
  return openRead({
    ...byToken,
    id: 'setup.check',
    path: '//setup/check',
    summary: 'Whether the setup token is right, and where the network finds this server',
    description: 'The setup token stands in the header X-Setup-Token, and stays good.',
    limits: TRIALS,
    reply: v.object({ addresses: v.array(v.string()) }),
    handle: async ({ request, db }) => {
      await admit(request.header('x-setup-token'), db)
      return { addresses: [...installation.addresses()] }
    },
  })
}
