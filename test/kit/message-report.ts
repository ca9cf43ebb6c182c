import { directionOf, LOCALES, type Locale } from '#shared/locale.ts'
import { CHANNELS } from '#modules/notifications/tables.ts'
import { reachOf, type Arrived, type Recipient } from './audience.ts'

/** What happened, who was to get a message, and what arrived. */
export interface SentMessages {
  event: string
  what: string
  recipients: readonly Recipient[]
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

/** Tokens, ids and the ports of test servers are others in every run. */
const stable = (text: string): string =>
  text
    .replaceAll(/(?<=[?&]token=)[\w%.-]+/g, '…')
    .replaceAll(/(?<=Id=)[0-9a-f-]{36}/g, '…')
    .replaceAll(/(?<=\u2060:\u2060)\d+/g, '…')

const tableOf = (sent: readonly SentMessages[]): string[] => [
  `| Event | What happens | Who hears of it | Language | ${CHANNELS.join(' | ')} |`,
  `| --- | --- | --- | --- |${' :-: |'.repeat(CHANNELS.length)}`,
  ...sent.flatMap(({ event, what, recipients, messages }) =>
    recipients.map((recipient, index) => {
      const cells = CHANNELS.map((channel) =>
        messages.some((one) => one.recipient === recipient && one.channel === channel) ? '✓' : '–',
      )
      const [first, second] = index === 0 ? [event, what] : ['', '']
      return `| ${first} | ${second} | ${recipient.label} | ${recipient.locale} | ${cells.join(' | ')} |`
    }),
  ),
]

/** The texts in a language, of the recipient with the most channels. Channels with the same text share it. */
const textsIn = (locale: Locale, { recipients, messages }: SentMessages): string[] => {
  const reader = recipients
    .filter((recipient) => recipient.locale === locale)
    .toSorted((one, other) => reachOf(one).length - reachOf(other).length)
    .at(-1)
  const texts = CHANNELS.flatMap((channel) =>
    messages
      .filter((one) => one.recipient === reader && one.channel === channel)
      .map(({ title, body }) => ({ channel, text: [title ?? [], body.trim()].flat().join('\n\n') })),
  )
  return [...Map.groupBy(texts, ({ text }) => text)].flatMap(([text, same]) => [
    `To ${reader?.label}, ${locale}, by ${same.map(({ channel }) => channel).join(', ')}:`,
    `<pre lang="${locale}" dir="${directionOf(locale)}">\n${escaped(stable(text))}\n</pre>`,
  ])
}

/** Writes down who got which message, for people to read and to judge. */
export const messageReport = (sent: readonly SentMessages[]): string => {
  const parts = [
    '# What people are told',
    'Written from messages that really arrived, by `test/api/notifications/table.test.ts`; `npm test -- test/api/notifications/table.test.ts -u` writes it again.',
    '## Who hears of what, and how',
    '✓ arrived; – they have no address, account or browser for it, or the channel does not carry it.',
    tableOf(sent).join('\n'),
    ...sent.flatMap((one) => [
      `## ${one.event}: ${one.what}`,
      ...LOCALES.toSorted().flatMap((locale) => textsIn(locale, one)),
    ]),
  ]
  return `${parts.join('\n\n')}\n`
}
