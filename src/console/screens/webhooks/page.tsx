import { Link } from 'wouter'
import { answer, api } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'
import { Back } from '../../parts/back.tsx'
import { ButtonLink } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Page } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { ALL_EVENTS } from './events.ts'
import type { Webhook } from './reads.ts'
import { StateBadge } from './state.tsx'

/** `/settings/webhooks`: the addresses of other programs that are told what happens. */
export const Screen = () => {
  const { webhooks: words, settings } = useWords()
  const pages = usePages<Webhook>(['/webhooks/list'], (cursor, signal) =>
    answer(api.GET('/webhooks', { params: { query: { limit: 50, ...(cursor && { cursor }) } }, signal })),
  )
  return (
    <>
      <Back to="/settings" label={settings.title} />
      <Page
        title={words.title}
        about={words.about}
        actions={
          <ButtonLink look="primary" icon="plus" to="/settings/webhooks/new">
            {words.add}
          </ButtonLink>
        }
      >
        <div className="narrow">
          <Rows pages={pages} label={words.title} keyOf={({ id }) => id} empty={<p>{words.none}</p>}>
            {(webhook) => <Row webhook={webhook} />}
          </Rows>
        </div>
      </Page>
    </>
  )
}

const Row = ({ webhook }: { webhook: Webhook }) => {
  const { webhooks: words } = useWords()
  const format = useFormat()
  const { id, url, events, failureCount, disabledAt } = webhook
  return (
    <Link href={`/settings/webhooks/${id}`} className="row">
      <span className="grow">
        <span className="chips">
          <bdi className="name ltr-text breaks">{url}</bdi>
          <StateBadge of={webhook} />
        </span>
        <span className="about">{events.length === ALL_EVENTS.length ? words.ofAll : words.count(events.length)}</span>
        {disabledAt !== null ? (
          <span className="about">{words.offSince(format.moment(disabledAt))}</span>
        ) : (
          failureCount > 0 && <span className="about">{words.failing(failureCount)}</span>
        )}
      </span>
      <Icon name="forward" />
    </Link>
  )
}
