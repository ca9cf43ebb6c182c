import { Link } from 'wouter'
import { directionOf } from '../../../shared/locale.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { Problem } from '../../api/problem.ts'
import { useChange, usePages } from '../../api/queries.ts'
import { Back } from '../../parts/back.tsx'
import { Button } from '../../parts/button.tsx'
import { Choice } from '../../parts/choose.tsx'
import { Dotted } from '../../parts/dotted.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Badge } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { Phone } from '../../parts/person.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Rows } from '../../parts/rows.tsx'
import { toast } from '../../parts/toast.tsx'
import { kindOf } from '../../records/message/texts.ts'
import { useFilters } from '../../shell/filters.ts'
import { useMe } from '../../shell/me.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { AllTold } from './all-told.tsx'

type Call = Schemas['NotificationCall']
type How = Schemas['TellByHand']['how']

const STATUSES = ['open', 'told', 'not_needed'] as const satisfies readonly Call['status'][]
const ANY = 'any'
const UUID = /^[0-9a-f-]{36}$/

/** `/messages/calls`: whom no message reaches, with what to tell them, and who told them. */
export const Screen = () => {
  const { calls: words, messages } = useWords()
  const { filters, set } = useFilters(['state', 'batch'])
  const status = STATUSES.find((one) => one === filters.state) ?? (filters.state === ANY ? undefined : 'open')
  const sourceId = filters.batch !== undefined && UUID.test(filters.batch) ? filters.batch : undefined
  const query = { ...(status && { status }), ...(sourceId && { sourceId }) }
  const pages = usePages<Call>(['/notifications', 'calls', query], (cursor, signal) =>
    answer(api.GET('/notifications/calls', { params: { query: { ...query, limit: 50, cursor } }, signal })),
  )
  return (
    <>
      <Back to="/messages" label={messages.title} />
      <Page title={words.title} about={words.about}>
        <div className="filters">
          <Choice
            label={words.stateLabel}
            isLabelUnseen
            options={[...STATUSES.map((id) => ({ id, label: words.states[id] })), { id: ANY, label: words.anyState }]}
            value={status ?? ANY}
            onChange={(id) => set('state', id === 'open' ? '' : id)}
          />
          {sourceId !== undefined && (
            <>
              <Button icon="cross" onPress={() => set('batch', '')}>
                {words.ofMessage}
              </Button>
              {status === 'open' && (pages.rows?.length ?? 0) > 0 && <AllTold sourceId={sourceId} />}
            </>
          )}
        </div>
        <Rows
          pages={pages}
          label={words.title}
          keyOf={({ id }) => id}
          empty={<p>{status === 'open' ? words.none : words.noneFound}</p>}
        >
          {(call) => (
            <OneCall call={call} {...(sourceId === undefined && { onNarrow: () => set('batch', call.sourceId) })} />
          )}
        </Rows>
      </Page>
    </>
  )
}

/** Copies also on a plain http address of the local network, where the newer way is missing. */
const copy = (text: string): void => {
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'unseen'
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}

const digitsOf = (phone: string): string => phone.replaceAll(/\D/g, '')

interface OneCallProps {
  call: Call
  /** Shows only whom the same message is for. */
  onNarrow?: () => void
}

const OneCall = ({ call, onNarrow }: OneCallProps) => {
  const all = useWords()
  const { calls: words } = all
  const format = useFormat()
  const { id, recipient, phone, title, body, locale, templateKey, createdAt, status, how, toldAt, toldByName } = call
  const path = { id }
  const tell = useChange('call', (way: How, header) =>
    answer(api.POST('/notifications/calls/{id}/told', { params: { path, header }, body: { how: way } })),
  )
  const untell = useChange('call', (_: void, header) =>
    answer(api.DELETE('/notifications/calls/{id}/told', { params: { path, header } })),
  )
  const mark = (way: How) =>
    tell.mutate(way, {
      onSuccess: () =>
        toast(way === 'not_needed' ? words.leftOut(recipient.name) : words.toldOf(recipient.name), () =>
          untell.mutate(),
        ),
    })
  return (
    <div className="row call">
      <span className="grow">
        <Who recipient={recipient} />
        <span className="about">
          <Dotted>
            <bdi>{title || kindOf(templateKey, all)}</bdi>
            <bdi>{format.moment(createdAt)}</bdi>
          </Dotted>
        </span>
        <span className="about words" lang={locale} dir={directionOf(locale)}>
          {body}
        </span>
        {toldAt !== null && toldByName !== null && (
          <span className="about">
            <Badge {...(status === 'told' && { meaning: 'good' as const })}>{words.states[status]}</Badge>{' '}
            {how === null
              ? words.leftOutBy(toldByName, format.moment(toldAt))
              : words.toldBy(toldByName, words.ways[how], format.moment(toldAt))}
          </span>
        )}
        {(tell.error ?? untell.error) && <Refused problem={tell.error ?? untell.error} />}
        {status === 'open' && phone === null && <span className="about">{words.noPhone}</span>}
        <span className="chips">
          {status === 'open' && phone !== null && (
            <>
              <Phone number={phone} />
              <a
                className="button"
                href={`https://wa.me/${digitsOf(phone)}?text=${encodeURIComponent(body)}`}
                target="_blank"
                rel="noreferrer"
                onClick={() => mark('whatsapp')}
              >
                {words.whatsapp}
              </a>
              {/* Telephones of both kinds read the text so. */}
              <a className="button" href={`sms:${phone}?&body=${encodeURIComponent(body)}`} onClick={() => mark('sms')}>
                {words.sms}
              </a>
            </>
          )}
          {status === 'open' ? (
            <>
              <Button
                onPress={() => {
                  copy(body)
                  toast(words.copied)
                }}
              >
                {words.copy}
              </Button>
              <Button icon="tick" isBusy={tell.isPending} onPress={() => mark('call')}>
                {words.told}
              </Button>
              <Menu
                label={words.more(recipient.name)}
                entries={[
                  { id: 'other', label: words.otherwise, onSelect: () => mark('other') },
                  { id: 'not-needed', label: words.notNeeded, onSelect: () => mark('not_needed') },
                  ...(onNarrow ? [{ id: 'all', label: words.onlyThis, startsGroup: true, onSelect: onNarrow }] : []),
                ]}
              />
            </>
          ) : (
            <Button look="quiet" isBusy={untell.isPending} onPress={() => untell.mutate()}>
              {words.again}
            </Button>
          )}
        </span>
      </span>
    </div>
  )
}

const Who = ({ recipient: { kind, id, name } }: Pick<Call, 'recipient'>) => {
  const { can } = useMe()
  const isRead = kind === 'student' ? can('students.read') : can('guardians.read')
  const shown = <bdi className="name">{name}</bdi>
  return isRead ? (
    <Link href={`/${kind}s/${id}`} className="link">
      {shown}
    </Link>
  ) : (
    shown
  )
}

/** Somebody else told them: who and when is what one wants to know. */
const Refused = ({ problem }: { problem: unknown }) => {
  const { calls: words } = useWords()
  const format = useFormat()
  if (!(problem instanceof Problem) || problem.reason !== 'already_told') return <ProblemNotice problem={problem} />
  const { how, toldAt, toldByName } = problem.details as {
    how: keyof typeof words.ways
    toldAt: string
    toldByName: string
  }
  return (
    <span className="report" role="alert">
      <Icon name="warning" /> {words.alreadyTold(toldByName, words.ways[how], format.moment(toldAt))}
    </span>
  )
}
