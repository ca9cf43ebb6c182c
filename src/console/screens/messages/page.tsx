import { Link } from 'wouter'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Choice } from '../../parts/choose.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Page } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { CHANNELS, useLog, useUsage, type Channel, type Logged } from '../../records/message/reads.ts'
import { kindOf } from '../../records/message/texts.ts'
import { useFilters } from '../../shell/filters.ts'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { saidOf, State, STATUSES } from './state.tsx'
import { Stuck } from './stuck.tsx'

const isOneOf = <T extends string>(all: readonly T[], text: string | undefined): text is T => all.includes(text as T)

const UUID = /^[0-9a-f-]{36}$/

/** `/messages`: what went out, the newest first, and what became of it. */
export const Screen = () => {
  const all = useWords()
  const { messages: words, messageTexts } = all
  const { can, canEverywhere } = useMe()
  const isOffice = can('notifications.send')
  const { filters, set, clear } = useFilters(['status', 'channel', 'about', 'batch'])
  const status = isOneOf(STATUSES, filters.status) ? filters.status : undefined
  const channel: Channel | undefined = isOneOf(CHANNELS, filters.channel) ? filters.channel : undefined
  const about = filters.about
  const batch = filters.batch !== undefined && UUID.test(filters.batch) ? filters.batch : undefined
  const log = useLog({
    ...(status && { status }),
    ...(channel && { channel }),
    ...(about && { templateKey: about }),
    ...(batch && { sourceId: batch }),
  })
  const kinds = Object.keys(messageTexts.events)
  const isNarrowed = Object.keys(filters).length > 0
  return (
    <Page
      title={words.title}
      about={isOffice ? <Used /> : words.ownAbout}
      actions={
        <>
          {isOffice && (
            <ButtonLink to="/messages/calls" icon="phone">
              {all.calls.title}
            </ButtonLink>
          )}
          <ButtonLink to="/messages/new" look="primary" icon="plus">
            {words.write}
          </ButtonLink>
        </>
      }
    >
      {canEverywhere('notifications.send') && <Stuck />}
      <div className="filters">
        <Choice
          label={words.stateLabel}
          isLabelUnseen
          options={[{ id: 'any', label: words.anyState }, ...STATUSES.map((id) => ({ id, label: words.states[id] }))]}
          value={status ?? 'any'}
          onChange={(id) => set('status', id === 'any' ? '' : id)}
        />
        <Choice
          label={words.channelLabel}
          isLabelUnseen
          options={[
            { id: 'any', label: words.anyChannel },
            ...CHANNELS.map((id) => ({ id, label: words.channels[id] })),
          ]}
          value={channel ?? 'any'}
          onChange={(id) => set('channel', id === 'any' ? '' : id)}
        />
        {/* Teachers see what they wrote themselves. */}
        {isOffice && (
          <Choice
            label={words.kindLabel}
            isLabelUnseen
            options={[{ id: 'any', label: words.anyKind }, ...kinds.map((id) => ({ id, label: kindOf(id, all) }))]}
            value={about ?? 'any'}
            {...(about !== undefined && !kinds.includes(about) && { shown: about })}
            onChange={(id) => set('about', id === 'any' ? '' : id)}
          />
        )}
        {batch !== undefined && (
          <Button icon="cross" onPress={() => set('batch', '')}>
            {words.batch}
          </Button>
        )}
      </div>
      <Rows
        pages={log}
        label={words.title}
        keyOf={({ id }) => id}
        empty={
          isNarrowed ? (
            <>
              <p>{words.noneFound}</p>
              <Button onPress={clear}>{words.clear}</Button>
            </>
          ) : (
            <p>{isOffice ? words.none : words.ownNone}</p>
          )
        }
      >
        {(message) => <Line message={message} />}
      </Rows>
    </Page>
  )
}

/** How much of the plan is used; for who may not know, what the page is. */
const Used = () => {
  const { messages: words } = useWords()
  const { canEverywhere } = useMe()
  const usage = useUsage(!canEverywhere('notifications.manage'))
  if (!usage.data) return words.about
  const { total, limit } = usage.data
  return limit === null ? words.usedUnlimited(total) : words.used(total, limit)
}

const Line = ({ message }: { message: Logged }) => {
  const all = useWords()
  const format = useFormat()
  const { id, recipient, title, body, templateKey, channel, createdAt } = message
  const said = saidOf(message, all, format)
  return (
    <Link href={`/messages/${id}`} className="row">
      <span className="grow">
        <bdi className="name">{recipient.name}</bdi>
        <span className="about">
          <bdi>{title || body || kindOf(templateKey, all)}</bdi>
        </span>
        <span className="about">
          <Dotted>
            <span>{all.messages.channels[channel]}</span>
            <bdi>{format.moment(createdAt)}</bdi>
          </Dotted>
        </span>
        {said !== undefined && <span className="about words">{said}</span>}
      </span>
      <State message={message} />
    </Link>
  )
}
