import { NotFound } from '#kernel/errors.ts'
import type { OutsideDb } from '#kernel/tables.ts'
import { WrongSetupToken } from './bootstrap.ts'
import { isSetUp } from './installation.ts'
import type { SetupToken } from './setup-token.ts'

export interface AdmittingDeps {
  deploymentMode: 'cloud' | 'self_hosted'
  setupToken: SetupToken
}

/** What endpoints of the wizard have in common that want the setup token. */
export const byToken = { access: 'anyone', forPeople: true, fails: [NotFound, WrongSetupToken] } as const

/** How often one may ask in a minute: what is asked for by hand, or tells whether a token is right. */
export const TRIALS = [{ per: 'network', requests: 20, seconds: 60 }] as const

/**
 * Lets nobody pass without the setup token, and nobody once the institute is set up. The token stays good.
 * @throws NotFound, WrongSetupToken
 */
export const admitting =
  ({ deploymentMode, setupToken }: AdmittingDeps) =>
  async (token: string | undefined, db: OutsideDb): Promise<void> => {
    if (deploymentMode === 'cloud' || (await isSetUp(db))) throw NotFound()
    if (!setupToken.matches(token ?? '')) throw WrongSetupToken()
  }
