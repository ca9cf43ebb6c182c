import type { Config, FormerLanName } from './config.ts'
import type { Setting } from './setting.ts'
import { writeSettings } from './write-settings.ts'

/** Room stays for the number of a name like it, in the 63 letters that a name may have (office-2). */
export const LONGEST_LAN_NAME = 60

const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/

/** Other machines ask for these by themselves: wpad and isatap would lead the traffic of a whole office here. */
const RESERVED = new Set(['localhost', 'local', 'broadcasthost', 'wpad', 'isatap'])

/** Whether a machine may be called so, in lower case and without `.local`. */
export const isLanLabel = (label: string): boolean =>
  label.length <= LONGEST_LAN_NAME &&
  LABEL.test(label) &&
  // Where browsers take a name for one of another script (RFC 5891).
  label.slice(2, 4) !== '--' &&
  !RESERVED.has(label)

const DAY = /^\d{4}-\d{2}-\d{2}$/

const readFormer = (text: string): FormerLanName[] | undefined => {
  const names = text.split(',').map((one) => {
    const [label = '', until = '', ...more] = one.trim().split('/')
    return { label, until, isGood: isLanLabel(label) && DAY.test(until) && more.length === 0 }
  })
  return names.every(({ isGood }) => isGood) ? names.map(({ label, until }) => ({ label, until })) : undefined
}

/** How the local network finds the server, in the order of --help. */
export const LAN_NAME_SETTINGS: Readonly<Record<string, Setting>> = {
  INSTITUTE_LAN_NAME: {
    allowed: 'letters, digits and hyphens, such as office; or off',
    about: 'The name, before .local, by which the local network finds the server',
    default: 'institute',
    read: (name) => {
      if (name === 'off') return { lanName: undefined }
      const lanName = name.toLowerCase()
      return isLanLabel(lanName) ? { lanName } : undefined
    },
  },
  INSTITUTE_FORMER_LAN_NAMES: {
    isRare: true,
    allowed:
      'names before .local, each with the last day on which it leads here, such as office/2027-01-31,school/2027-02-15',
    about: 'Names of before, which the console writes when the owner chooses another',
    without: 'none',
    read: (text) => {
      const formerLanNames = readFormer(text)
      return formerLanNames && { formerLanNames }
    },
  },
}

/** Writes the name and those of before into institute.conf at once, where they hold from the next start on too. */
export const saveLanName = (
  { dataDir }: Pick<Config, 'dataDir'>,
  { label, former }: { label: string; former: readonly FormerLanName[] },
): void =>
  writeSettings(dataDir, {
    INSTITUTE_LAN_NAME: label,
    INSTITUTE_FORMER_LAN_NAMES: former.map((one) => `${one.label}/${one.until}`).join(','),
  })
