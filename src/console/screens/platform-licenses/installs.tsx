import { answer, api, type Schemas } from '../../api/client.ts'
import { usePages } from '../../api/queries.ts'
import { Dotted } from '../../parts/dotted.tsx'
import { Badge, type Meaning } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Told } from '../../parts/told.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import type { Words } from '../../words/words.ts'

type Install = Schemas['LicenseInstall']

const MEANINGS: Readonly<Record<Install['signals'][number]['severity'], Meaning>> = {
  info: 'info',
  warning: 'warn',
  critical: 'bad',
}

/** The servers that have asked with a licence: what runs there, what is unusual, which commands they have not taken yet. */
export const Installs = ({ licenseId }: { licenseId: string }) => {
  const { licenses: words } = useWords()
  const pages = usePages<Install>(['/platform/licenses', licenseId, 'installs'], (cursor, signal) =>
    answer(
      api.GET('/platform/licenses/{licenseId}/installs', {
        params: { path: { licenseId }, query: { limit: 50, ...(cursor && { cursor }) } },
        signal,
      }),
    ),
  )
  return (
    <Section title={words.installs}>
      <Rows pages={pages} label={words.installs} keyOf={({ id }) => id} empty={<p>{words.noInstalls}</p>}>
        {(install) => <Row install={install} />}
      </Rows>
    </Section>
  )
}

/** An install says a code, and of some what was seen behind it: `disk_full: the disk of …`. Others may say anything. */
const whyOf = (reason: string | null, { licenses: words, updates: { reasons } }: Words): string => {
  const [, code = '', seen] = /^([a-z_]+)(?:: (.+))?$/.exec(reason ?? '') ?? []
  const known = (reasons as Partial<Record<string, string>>)[code]
  if (known === undefined) return reason ?? ''
  return seen === undefined ? known : words.seenThere(known, seen)
}

const Row = ({ install }: { install: Install }) => {
  const all = useWords()
  const { licenses: words } = all
  const format = useFormat()
  const { installId, appVersion, lastSeenAt, firstSeenAt, signals, pendingCommands, lanName } = install
  const { updaterLastCheckAt, updaterLastResult, updaterLastReason } = install
  return (
    <div className="row">
      <span className="grow">
        <span className="chips">
          <bdi className="name">{words.version(appVersion)}</bdi>
          {pendingCommands.map(({ id, kind }) => (
            <Badge key={id} meaning="warn" icon="clock">
              {words.waits[kind]}
            </Badge>
          ))}
        </span>
        <span className="about">
          <Dotted>
            {words.seen(format.moment(lastSeenAt))}
            {words.firstSeen(format.moment(firstSeenAt))}
          </Dotted>
        </span>
        {updaterLastCheckAt !== null && updaterLastResult !== null && (
          <span className="about">
            <Told>
              {words.updater[updaterLastResult](format.moment(updaterLastCheckAt), whyOf(updaterLastReason, all))}
            </Told>
          </span>
        )}
        {lanName && (
          <span className="about">
            <Dotted>
              <bdi className="ltr">{lanName.name}</bdi>
              {words.lanNameAsked(format.moment(lanName.askedAt))}
            </Dotted>
          </span>
        )}
        {pendingCommands.map(
          ({ id, reason }) =>
            reason !== null && (
              <span key={id} className="report">
                <Told>{words.why(reason)}</Told>
              </span>
            ),
        )}
        {signals.map(({ kind, severity, detectedAt }) => (
          <span key={kind} className="report">
            <Badge meaning={MEANINGS[severity]}>{words.signals[kind]}</Badge> {format.moment(detectedAt)}
          </span>
        ))}
        <span className="about">
          <bdi dir="ltr">{installId}</bdi>
        </span>
      </span>
    </div>
  )
}
