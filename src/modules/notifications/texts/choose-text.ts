import { compiledByIds } from '#db/queries/compiled.ts'
import { LOCALES, type Locale } from '#shared/locale.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { ChannelName } from '../tables.ts'
import { defaultTemplate } from './defaults.ts'

/** The text of a message, before its variables are filled in. */
export interface ChosenText {
  subject: string | null
  body: string
  providerTemplateName: string | null
  isActive: boolean
}

/** Chooses texts: the institute's own, else the platform's. */
export interface TextsOf {
  /**
   * In the reader's language, else in the institute's, else in any; in each the institute's own text before the platform's.
   * @returns undefined: the channel has no text of this key
   */
  choose(key: string, channel: ChannelName, locale: Locale): { text: ChosenText; locale: Locale } | undefined
}

const ownTexts = compiledByIds((whole, keys) =>
  whole
    .selectFrom('notification_template')
    .select(['key', 'channel', 'locale', 'subject', 'body', 'provider_template_name', 'is_active'])
    .where('key', 'in', keys),
)

/** Reads the institute's own texts for some keys. */
export const textsOf = async (whole: ScopedDb, keys: readonly string[], defaultLocale: Locale): Promise<TextsOf> => {
  const rows = await ownTexts(whole, keys)
  const own = new Map(rows.map((row) => [`${row.key} ${row.channel} ${row.locale}`, row]))
  const find = (key: string, channel: ChannelName, locale: Locale): ChosenText | undefined => {
    const platform = defaultTemplate(key, channel, locale)
    const row = own.get(`${key} ${channel} ${locale}`)
    if (row) {
      return {
        subject: row.subject ?? platform?.subject ?? null,
        body: row.body,
        providerTemplateName: row.provider_template_name,
        isActive: row.is_active,
      }
    }
    return platform && { ...platform, providerTemplateName: null, isActive: true }
  }
  return {
    choose: (key, channel, locale) => {
      for (const one of new Set([locale, defaultLocale, ...LOCALES])) {
        const text = find(key, channel, one)
        if (text) return { text, locale: one }
      }
      return undefined
    },
  }
}
