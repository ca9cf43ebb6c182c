import type { Words } from '../../words/words.ts'

/** Names of browsers in what they call themselves; the first that fits, because many name others too. */
const BROWSERS: readonly [RegExp, string][] = [
  [/Edg/, 'Edge'],
  [/OPR/, 'Opera'],
  [/SamsungBrowser/, 'Samsung Internet'],
  [/Firefox|FxiOS/, 'Firefox'],
  [/Chrome|CriOS/, 'Chrome'],
  [/Safari/, 'Safari'],
]

const SYSTEMS: readonly [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS/, 'Mac'],
  [/CrOS/, 'Chromebook'],
  [/Linux/, 'Linux'],
]

const nameIn = (names: readonly [RegExp, string][], text: string): string | undefined =>
  names.find(([pattern]) => pattern.test(text))?.[1]

/** What this device is called that a passkey is for: one word, which reads well among letters of any direction. */
export const thisSystem = (): string => nameIn(SYSTEMS, navigator.userAgent) ?? ''

/** What a person would call the device of a session. */
export const deviceOf = (
  { account }: Words,
  { client, userAgent }: { client: 'web' | 'mobile'; userAgent: string | null },
): string => {
  const browser = nameIn(BROWSERS, userAgent ?? '')
  const system = nameIn(SYSTEMS, userAgent ?? '')
  if (browser !== undefined && system !== undefined) return account.browser(browser, system)
  return browser ?? system ?? (client === 'mobile' ? account.app : account.unknownDevice)
}
