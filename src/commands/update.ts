import { spawnSync } from 'node:child_process'
import { accessSync, constants, createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SYSTEM } from '#executable/system-words.ts'
import { systemClock } from '#kernel/time/clock.ts'
import type { Config } from '#app/config/config.ts'
import { dataDirOf } from '#app/config/read-config.ts'
import { asCaller } from '#app/data-dir/owner.ts'
import { layUpdate, lookForUpdate } from '#app/operator/updates.ts'
import { Mistake } from '#app/trouble/mistake.ts'
import { applyStaged } from '#app/updates/apply.ts'
import { UpdateRefused } from '#app/updates/refused.ts'
import { freeOn } from '#app/updates/room.ts'
import { unpackStick } from '#app/updates/stick.ts'
import { version } from '#executable/version.ts'
import { result, tell, WrongUsage, type Command, type Invocation } from './command.ts'
import { openConfig } from './open.ts'

export const updateCheck: Command = {
  about: 'Look whether there is a new version',
  run: async (invocation) => {
    const { check, offer, settings } = await lookForUpdate(openConfig(invocation))
    if (check?.result === 'failed') throw new UpdateRefused(check.reason ?? 'unreachable', check.detail)
    if (offer) {
      for (const line of offer.news.en ?? []) tell(`- ${line}`)
      tell(`This is ${version}. To put the new one in: ${SYSTEM.putIn}`)
    }
    result(offer?.version ?? `${version} is the newest (${settings.channel}).`)
    return 0
  },
}

/** @throws Mistake where the caller cannot put anything in */
const assertMayInstall = ({ updates: { programDir } }: Config): void => {
  asCaller(() => {
    try {
      accessSync(path.join(programDir, 'install.sh'))
    } catch {
      throw new Mistake(SYSTEM.notInstalled(programDir))
    }
    try {
      accessSync(programDir, constants.W_OK)
    } catch {
      throw new Mistake(SYSTEM.mayNotPutIn)
    }
  })
}

/** Runs the program once more, with all rights of the caller: this process acts as the service. */
const applyAsCaller = ({ dataDir }: Config, byHand: boolean): number =>
  asCaller(() => {
    const args = ['update', 'apply', '--data-dir', dataDir, ...(byHand ? ['--by-hand'] : [])]
    const rights = process.getuid?.() === 0 ? { uid: 0, gid: 0 } : {}
    return spawnSync(process.execPath, args, { stdio: 'inherit', ...rights }).status ?? 1
  })

/** @param folderOf where the vendor's files lie; undefined: where the settings say */
const putIn = async (invocation: Invocation, folderOf?: () => Promise<string>): Promise<number> => {
  const config = openConfig(invocation)
  assertMayInstall(config)
  const { version: next, isExpired } = await layUpdate(config, await folderOf?.())
  if (isExpired) tell('The vendor’s list has passed its end: there may be a newer version by now.')
  tell(`Version ${next} is whole and signed. It is put in now.`)
  return applyAsCaller(config, folderOf !== undefined)
}

export const updateNow: Command = {
  about: 'Fetch the new version, and put it in',
  run: (invocation) => putIn(invocation),
}

export const update: Command = {
  about: 'Put a new version in that came on a stick: the vendor’s folder, or a tar file of it',
  usage: 'FILE-OR-FOLDER',
  words: 1,
  proposed: { isPath: true },
  run: async (invocation) => {
    const given = path.resolve(invocation.words[0] as string)
    const kind = statSync(given, { throwIfNoEntry: false })
    if (!kind) throw new Mistake(`${given} is not there.`)
    if (kind.isDirectory()) return putIn(invocation, async () => given)
    let temporary: string | undefined
    try {
      return await putIn(invocation, async () => {
        // Beside the system's other temporary files, by the user that this process is by now.
        const folder = mkdtempSync(path.join(tmpdir(), 'institute-update-'))
        temporary = folder
        await unpackStick(createReadStream(given), folder, await freeOn(folder))
        return folder
      })
    } finally {
      if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true })
    }
  },
}

export const updateApply: Command = {
  about: 'Put in what the service has laid; institute-update.service runs it, as root',
  usage: '[--wait SECONDS] [--by-hand]',
  options: {
    wait: { value: 'SECONDS', about: 'How long the new version may take until it answers' },
    'by-hand': { about: 'It came by hand: that the vendor’s list has passed its end refuses nothing' },
  },
  settings: ['INSTITUTE_DATA_DIR'],
  run: async ({ flags, options: { wait }, switches }) => {
    // The settings are the service's own file, which says nothing here.
    const dataDir = dataDirOf(flags)
    if (wait !== undefined && !/^\d+$/.test(wait)) throw new WrongUsage('--wait needs a number of seconds.')
    const how = { dataDir, version, now: new Date(systemClock.millis()), wait }
    const programDir = path.dirname(process.execPath)
    return applyStaged({ ...how, programDir, mayBeExpired: switches.has('by-hand') }) === 'ok' ? 0 : 1
  },
}
