import { NotFound } from '#kernel/values/errors.ts'
import type { OutsideDb } from '#kernel/contract/tables.ts'
import { WrongSetupToken } from './bootstrap.ts'
import { isSetUp } from './installation.ts'
import type { SetupToken } from './setup-token.ts'

export interface AdmittingDeps {
  deploymentMode: 'cloud' | 'self_hosted'
  setupToken: SetupToken
}

/** What the endpoints of the wizard that require the setup token have in common. */
export const byToken = { access: 'anyone', forPeople: true, fails: [NotFound, WrongSetupToken] } as const

/** The limit for requests that people make by hand, and for those that reveal whether a token is right. */
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
