import { Button as AriaButton } from 'react-aria-components/Button'
import { useLocation } from 'wouter'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange, usePages } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Waiting } from '../../parts/loaded.tsx'
import { Badge, Empty } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { explain, ProblemNotice } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { placeOf } from '../../records/notification/place-of.ts'

type Notification = Schemas['Notification']

const PAGE = 30

const useRead = () =>
  useChange('inbox', (id: string, header) =>
    answer(api.POST('/me/notifications/{id}/read', { params: { path: { id }, header } })),
  )

/** Opening one marks it as read, and leads to what it is about where that has a page. */
const Item = ({ notification, onOpen }: { notification: Notification; onOpen: () => void }) => {
  const { inbox } = useWords()
  const format = useFormat()
  const me = useMe()
  const { title, body, readAt, createdAt } = notification
  const isNew = readAt === null
  const text = (
    <span className="grow">
      <span className={isNew ? 'name' : 'name read'}>
        <bdi>{title}</bdi>
      </span>
      <span className="about words">
        <bdi>{body}</bdi>
      </span>
      <span className="about">{format.moment(createdAt)}</span>
    </span>
  )
  const mark = isNew && <Badge meaning="info">{inbox.isNew}</Badge>
  const place = placeOf(notification, me)
  if (place === undefined && !isNew) return <div className="row">{text}</div>
  return (
    <AriaButton className="row plain" onPress={onOpen}>
      {text}
      {mark}
      {place !== undefined && <Icon name="forward" />}
    </AriaButton>
  )
}

export const Screen = () => {
  const words = useWords()
  const { inbox, shell } = words
  const me = useMe()
  const [, go] = useLocation()
  const pages = usePages(['/me/notifications'], (cursor, signal) =>
    answer(api.GET('/me/notifications', { params: { query: { limit: PAGE, cursor } }, signal })),
  )
  const read = useRead()
  const readAll = useChange('inbox', (_, header) =>
    answer(api.POST('/me/notifications/read-all', { params: { header } })),
  )
  const onError = (error: unknown) => toast(explain(words, error))
  const open = (notification: Notification) => {
    if (notification.readAt === null) read.mutate(notification.id, { onError })
    const place = placeOf(notification, me)
    if (place !== undefined) go(place)
  }
  const { rows } = pages
  const isAnyNew = rows?.some(({ readAt }) => readAt === null) ?? false
  const problem = pages.error !== null && <ProblemNotice problem={pages.error} onRetry={pages.retry} />

  return (
    <Page
      title={inbox.title}
      actions={
        isAnyNew && (
          <Button
            isBusy={readAll.isPending}
            onPress={() => readAll.mutate(undefined, { onSuccess: () => toast(inbox.allRead), onError })}
          >
            {inbox.readAll}
          </Button>
        )
      }
    >
      {problem}
      {!problem && rows === undefined && <Waiting />}
      {rows?.length === 0 && (
        <div className="card">
          <Empty>
            <p className="name">{inbox.emptyTitle}</p>
            <p>{inbox.emptyText}</p>
          </Empty>
        </div>
      )}
      {rows !== undefined && rows.length > 0 && (
        <ul className="card" aria-label={inbox.title}>
          {rows.map((notification) => (
            <li key={notification.id}>
              <Item notification={notification} onOpen={() => open(notification)} />
            </li>
          ))}
        </ul>
      )}
      {pages.hasMore && (
        <div className="more">
          <Button isBusy={pages.isReadingMore} onPress={pages.readMore}>
            {shell.showMore}
          </Button>
        </div>
      )}
    </Page>
  )
}
