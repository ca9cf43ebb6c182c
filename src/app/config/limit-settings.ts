import { DEFAULTS, type Config } from './config.ts'
import { wholeNumber, type Setting } from './setting.ts'

const perMinute = 'requests a minute, 1 to 1000000'

export const limit = (name: keyof Config['limits'], about: string): Setting => ({
  allowed: perMinute,
  isRare: true,
  default: String(DEFAULTS.limits[name]),
  about,
  read: (text, { limits }) => wholeNumber(1, 1_000_000, (value) => ({ limits: { ...limits, [name]: value } }))(text),
})

export const mailLimit = (name: keyof Config['mailLimits'], about: string): Setting => ({
  allowed: 'mails, 1 to 1000000',
  isRare: true,
  default: String(DEFAULTS.mailLimits[name]),
  about,
  read: (text, { mailLimits }) =>
    wholeNumber(1, 1_000_000, (value) => ({ mailLimits: { ...mailLimits, [name]: value } }))(text),
})

export const publicLimit = (name: keyof Config['publicLimits'], about: string): Setting => ({
  allowed: 'requests, 1 to 1000000',
  isRare: true,
  default: String(DEFAULTS.publicLimits[name]),
  about,
  read: (text, { publicLimits }) =>
    wholeNumber(1, 1_000_000, (value) => ({ publicLimits: { ...publicLimits, [name]: value } }))(text),
})
