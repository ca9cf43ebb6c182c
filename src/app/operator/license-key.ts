import { createLicenseKey, findLicenseKey } from '#modules/issuer/index.ts'
import type { Config } from '#app/config/config.ts'
import { changeByCommand, withProgram } from './operator.ts'

/** Makes the issuer's key for licences. @returns its public half; undefined: there is one, which stays as it is */
export const makeLicenseKey = (config: Config): Promise<string | undefined> =>
  changeByCommand(config, 'license-key.create', async (tx, { vault }) => (await createLicenseKey(tx, vault))?.text)

/** The public half of the issuer's key for licences, 32 bytes as base64url; undefined: there is none. */
export const publicLicenseKey = (config: Config): Promise<string | undefined> =>
  withProgram(config, async ({ database, vault }) => (await findLicenseKey(database.read, vault))?.key.text)
