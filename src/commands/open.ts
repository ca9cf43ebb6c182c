import type { Config } from '#app/config/config.ts'
import { assertInstitute, assertOwn, ensureDataDir } from '#app/data-dir/data-dir.ts'
import { actAsOwner } from '#app/data-dir/owner.ts'
import { loadNative } from '#app/data-dir/native.ts'
import { readConfig } from '#app/config/read-config.ts'
import { tell, type Invocation } from './command.ts'

/**
 * Reads only the configuration, for a command that does not use the data directory.
 * @param say says what is odd about it, in one line
 * @throws WrongSetting, or a Mistake
 */
export const settingsOf = ({ flags }: Invocation, say: (line: string) => void = tell): Config => {
  const { config, unknownKeys } = readConfig(flags)
  for (const key of unknownKeys) say(`${key} is no setting of this program; it is ignored.`)
  return config
}

/**
 * Reads the configuration for a command that examines an institute, which may be broken; acts as its owner.
 * @throws WrongSetting, or an Error where there is no institute
 */
export const openToLook = (invocation: Invocation): Config => {
  const config = settingsOf(invocation)
  assertInstitute(config.dataDir)
  actAsOwner(config.dataDir)
  assertOwn(config.dataDir)
  return config
}

/**
 * Reads the configuration and prepares the data directory and the native addons.
 * @param mayBegin makes a data directory where there is none
 * @param say as settingsOf
 * @throws WrongSetting, or an Error where there is no institute; then nothing was made or changed
 */
export const openConfig = (
  invocation: Invocation,
  { mayBegin = false, say = tell }: { mayBegin?: boolean; say?: (line: string) => void } = {},
): Config => {
  const config = settingsOf(invocation, say)
  // Only the user of this program may read its files: they hold keys and people's records.
  process.umask(0o077)
  if (mayBegin) ensureDataDir(config.dataDir)
  else assertInstitute(config.dataDir)
  actAsOwner(config.dataDir)
  assertOwn(config.dataDir)
  loadNative(config.dataDir)
  return config
}
