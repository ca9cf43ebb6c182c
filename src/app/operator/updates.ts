import { systemClock } from '#kernel/time/clock.ts'
import { guardedOutbound } from '#ports/outbound/guarded.ts'
import type { Config } from '#app/config/config.ts'
import { openLog } from '#app/process/log.ts'
import { THIS_MACHINE } from '#app/process/own-hosts.ts'
import { outboundPolicy } from '#app/services.ts'
import { Mistake } from '#app/trouble/mistake.ts'
import { sourceOf } from '#app/updates/source.ts'
import type { UpdateState } from '#app/updates/state-file.ts'
import { stickSource } from '#app/updates/stick.ts'
import { Updater } from '#app/updates/updater.ts'
import { version } from '#executable/version.ts'

const withUpdater = async <T>(
  config: Config,
  work: (updater: Updater, outbound: ReturnType<typeof guardedOutbound>) => Promise<T>,
): Promise<T> => {
  const outbound = guardedOutbound({ policy: outboundPolicy(config) })
  const log = openLog({ logLevel: 'silent' })
  try {
    return await work(
      new Updater({ config, clock: systemClock, log, outbound, machine: THIS_MACHINE, version }),
      outbound,
    )
  } finally {
    await outbound.close()
  }
}

/** @throws Mistake where nobody said where to look */
const whereOf = ({ updates: { from } }: Config): string => {
  if (from !== undefined) return from
  throw new Mistake('INSTITUTE_UPDATE_URL does not say where to look; see institute settings.')
}

/** Looks for a new version. */
export const lookForUpdate = (config: Config): Promise<UpdateState> => {
  whereOf(config)
  return withUpdater(config, async (updater) => {
    await updater.check()
    return updater.state()
  })
}

/**
 * Lays a new version for the updater.
 * @param folder where the vendor's files lie; undefined: where the settings say
 */
export const layUpdate = (
  config: Config,
  folder: string | undefined,
): Promise<{ version: string; isExpired: boolean }> =>
  withUpdater(config, (updater, outbound) =>
    folder === undefined
      ? updater.lay(sourceOf(whereOf(config), outbound), { mayBeExpired: false })
      : updater.lay(stickSource(folder, updater.state().settings.channel), { mayBeExpired: true }),
  )
