import type { Schemas } from '../../../src/console/api/client.ts'
import { Button } from '../../../src/console/parts/button.tsx'
import { Facts } from '../../../src/console/parts/facts.tsx'
import { useForm } from '../../../src/console/parts/form.tsx'
import { Notice } from '../../../src/console/parts/notice.tsx'
import { Cards } from '../../parts/cards.tsx'
import { useOwnWords } from '../../parts/own-words.ts'
import { SignOut } from '../../parts/sign-out.tsx'
import { Step } from '../../parts/step.tsx'
import { Told } from '../../../src/console/parts/told.tsx'
import { ToldForm } from '../../parts/told-form.tsx'
import { ASKED } from './asked.ts'

export type Decide = (decision: { approve: boolean; tenantId?: string }) => Promise<void>

type AuthorizeWords = ReturnType<typeof useOwnWords<'authorize'>>

/** What an assistant can do, by the permissions of which the member has one. The first that fits in each group counts. */
const ABLE = [
  [{ permissions: ['students.read', 'guardians.read'], word: 'canPeople' }],
  [{ permissions: ['groups.read'], word: 'canGroups' }],
  [{ permissions: ['enrollments.write'], word: 'canEnrol' }],
  [
    { permissions: ['attendance.mark'], word: 'canAttendance' },
    { permissions: ['attendance.read'], word: 'canAttendanceSeen' },
  ],
  [{ permissions: ['exams.read'], word: 'canExams' }],
  [{ permissions: ['invoices.read'], word: 'canMoney' }],
  [{ permissions: ['invoices.write'], word: 'canInvoices' }],
  [{ permissions: ['payments.record'], word: 'canPayments' }],
  [
    { permissions: ['leads.write'], word: 'canLeads' },
    { permissions: ['leads.read'], word: 'canLeadsSeen' },
  ],
  [{ permissions: ['notifications.send'], word: 'canMessages' }],
  [{ permissions: ['reports.read'], word: 'canFigures' }],
] as const satisfies readonly (readonly { permissions: readonly string[]; word: keyof AuthorizeWords }[])[]

/** What the assistant can do in an institute. */
const abilitiesOf = (words: AuthorizeWords, permissions: readonly string[]): string[] => [
  ...ABLE.flatMap((group) => {
    const first = group.find((one) => one.permissions.some((permission) => permissions.includes(permission)))
    return first ? [words[first.word]] : []
  }),
  words.canOwn,
]

const THIS_DEVICE = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

/** @param host as the server names it: a host, or the scheme of a program on the device */
const Returns = ({ host }: { host: string }) => {
  const words = useOwnWords('authorize')
  if (THIS_DEVICE.test(host)) return words.returnsHere
  if (!host.endsWith(':')) return <bdi>{host}</bdi>
  // With a hyphen at which no line breaks: a scheme in two lines is hard to read from right to left.
  return <Told>{words.returnsProgram(host.slice(0, -1).replaceAll('-', '\u2011'))}</Told>
}

interface QuestionProps {
  context: Schemas['ConsentContext']
  email: string
  decide: Decide
}

const REFUSE = 'refuse'

/** Who asks and what for, to be decided. Whoever belongs to one institute alone has nothing to choose. */
export const Question = ({ context: { client, redirectHost, tenants }, email, decide }: QuestionProps) => {
  const words = useOwnWords('authorize')
  const form = useForm({
    start: { tenantId: tenants.find(({ allowed }) => allowed)?.tenantId ?? '' },
    send: ({ tenantId }, action) => decide(action === REFUSE ? { approve: false } : { approve: true, tenantId }),
  })
  const { tenantId } = form.typed
  const [only] = tenants.length === 1 ? tenants : []
  const chosen = tenants.find((one) => one.tenantId === tenantId)
  return (
    <Step id="ask" title={words.title(client.name)} lead={words.account(email)}>
      {!client.verified && (
        <div id="unverified">
          <Notice meaning="warn">
            <span className="grow">{words.unverified}</span>
          </Notice>
        </div>
      )}
      <Facts look="inset">
        <dt>{words.client}</dt>
        <dd>
          <bdi id="client-name" className="fixed">
            {client.name}
          </bdi>
        </dd>
        {client.verified && (
          <>
            <dt>{words.verified}</dt>
            <dd>
              <bdi className="fixed" dir="ltr">
                {new URL(ASKED.clientId).host}
              </bdi>
            </dd>
          </>
        )}
        <dt>{words.returns}</dt>
        <dd>
          <span className="fixed">
            <Returns host={redirectHost} />
          </span>
        </dd>
        {only && (
          <>
            <dt>{words.institute}</dt>
            <dd>
              <bdi className="fixed">{only.tenantName}</bdi>
            </dd>
          </>
        )}
      </Facts>
      <ToldForm
        form={form}
        verb={form.isBusy ? words.sending : words.approve}
        more={
          <Button type="submit" value={REFUSE}>
            {words.refuse}
          </Button>
        }
      >
        {!only && (
          <Cards
            id="institutes"
            label={words.choose}
            options={tenants.map((one) => ({
              id: one.tenantId,
              label: one.tenantName,
              isDisabled: !one.allowed,
              ...(!one.allowed && { about: words.notAllowed }),
            }))}
            value={tenantId}
            onChange={(id) => form.set({ tenantId: id })}
          />
        )}
        <div className="allowance" aria-live="polite">
          <h2>{words.can}</h2>
          <ul id="can">
            {abilitiesOf(words, chosen?.permissions ?? []).map((ability) => (
              <li key={ability}>{ability}</li>
            ))}
          </ul>
          <h2>{words.cannot}</h2>
          <ul>
            <li>{words.cannotAccount}</li>
            <li>{words.cannotRights}</li>
            <li>{words.cannotMore}</li>
          </ul>
        </div>
        <p className="small spaced">{words.leaves}</p>
        <p className="small spaced">{words.end}</p>
      </ToldForm>
      <p className="below">
        <SignOut look="quiet">{words.another}</SignOut>
      </p>
    </Step>
  )
}
