import type { Locale } from '../shared/locale.ts'

/** In so many seconds, as people say it: "in 3 minutes". Browsers write 1 and 2 behind the Hebrew words for them. */
export const whenOf = (seconds: number, locale: Locale): string => {
  const words = new Intl.RelativeTimeFormat(locale)
  const minutes = Math.ceil(seconds / 60)
  const when = minutes < 90 ? words.format(minutes, 'minute') : words.format(Math.ceil(minutes / 60), 'hour')
  return when.replace(/ \(\d\)$/, '')
}
