import type { Done, UpdateState } from './state-file.ts'

/** As the protocol takes it. */
const LONGEST_REASON = 1000

/** Of a full disk the vendor hears too which one, and what it lacks: whoever asks them for help has to be told that. */
const reasonOf = ({ reason, detail }: Done): string | null =>
  reason === 'disk_full' && detail !== '' ? `${reason}: ${detail}`.slice(0, LONGEST_REASON) : reason

/** What the vendor hears of updates with a heartbeat. */
export const reportOf = ({ settings, check, install }: Pick<UpdateState, 'settings' | 'check' | 'install'>) => {
  const last = install && (!check || install.at >= check.at) ? install : check
  const isOff = settings.mode === 'off'
  return {
    channel: settings.channel,
    lastCheckAt: check?.at ?? null,
    lastResult: isOff ? ('skipped' as const) : (last?.result ?? null),
    lastReason: isOff ? 'switched_off' : last && reasonOf(last),
    targetVersion: last?.version ?? null,
  }
}
