import { LOCALES, type Locale } from '#kernel/locale.ts'
import { CHANNELS } from '#modules/notifications/tables.ts'
import { reachOf, type Arrived, type Hearer } from './audience.ts'

/** What happened, who was to hear of it, and what arrived. */
export interface Told {
  event: string
  what: string
  hearers: readonly Hearer[]
  messages: readonly Arrived[]
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** The words of an HTML page, without its tags; those within a line leave no trace. */
export const wordsOf = (html: string): string =>
  html
    .replaceAll(/<\/?span[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, '\n')
    .replaceAll(/&([^;]+);/g, (entity, name: string) => ENTITIES[name] ?? entity)

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Tokens and the ports of test servers are others in every run. */
const stable = (text: string): string =>
  text.replaceAll(/(?<=[?&]token=)[\w%.-]+/g, '…').replaceAll(/(?<=\u2060:\u2060)\d+/g, '…')

const tableOf = (told: readonly Told[]): string[] => [
  `| Event | What happens | Who hears of it | Language | ${CHANNELS.join(' | ')} |`,
  `| --- | --- | --- | --- |${' :-: |'.repeat(CHANNELS.length)}`,
  ...told.flatMap(({ event, what, hearers, messages }) =>
    hearers.map((hearer, index) => {
      const cells = CHANNELS.map((channel) =>
        messages.some((one) => one.hearer === hearer && one.channel === channel) ? '✓' : '–',
      )
      const [first, second] = index === 0 ? [event, what] : ['', '']
      return `| ${first} | ${second} | ${hearer.label} | ${hearer.locale} | ${cells.join(' | ')} |`
    }),
  ),
]

/** The texts that one of the hearers got in a language: who is reached most. Channels with the same text share it. */
const textsIn = (locale: Locale, { hearers, messages }: Told): string[] => {
  const reader = hearers
    .filter((hearer) => hearer.locale === locale)
    .toSorted((one, other) => reachOf(one).length - reachOf(other).length)
    .at(-1)
  const texts = CHANNELS.flatMap((channel) =>
    messages
      .filter((one) => one.hearer === reader && one.channel === channel)
      .map(({ title, body }) => ({ channel, text: [title ?? [], body.trim()].flat().join('\n\n') })),
  )
  return [...Map.groupBy(texts, ({ text }) => text)].flatMap(([text, same]) => [
    `To ${reader?.label}, ${locale}, by ${same.map(({ channel }) => channel).join(', ')}:`,
    `<pre lang="${locale}" dir="${locale === 'en' ? 'ltr' : 'rtl'}">\n${escaped(stable(text))}\n</pre>`,
  ])
}

/** Writes down who was told what, for people to read and to judge. */
export const reviewOf = (told: readonly Told[]): string => {
  const parts = [
    '# What people are told',
    'Written from messages that really arrived, by `test/api/notifications/table.test.ts`; `npm test -- test/api/notifications/table.test.ts -u` writes it again.',
    '## Who hears of what, and how',
    '✓ arrived; – they have no address, account or browser for it, or the channel does not carry it.',
    tableOf(told).join('\n'),
    ...told.flatMap((one) => [`## ${one.event}: ${one.what}`, ...LOCALES.flatMap((locale) => textsIn(locale, one))]),
  ]
  return `${parts.join('\n\n')}\n`
}
