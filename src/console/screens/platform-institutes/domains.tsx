import { useState } from 'react'
import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { Problem } from '../../api/problem.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Segments } from '../../parts/choose.tsx'
import { Copied } from '../../parts/copied.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Menu, type MenuEntry } from '../../parts/menu.tsx'
import { Badge, Empty, Notice } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { explain, ProblemNotice } from '../../parts/problem-notice.tsx'
import { Confirm, Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useWords } from '../../words/language.tsx'
import type { Overview } from './reads.ts'

type Domain = Schemas['TenantDomain']

/** The addresses under which the institute is found: how each is shown to be its own. */
export const Domains = ({ overview: { tenant, domains } }: { overview: Overview }) => {
  const { domains: words } = useWords().platform
  const [isAdding, setAdding] = useState(false)
  const mayChange = tenant.status !== 'archived'
  return (
    <Section
      title={words.title}
      actions={
        mayChange && (
          <Button look="quiet" icon="plus" onPress={() => setAdding(true)}>
            {words.add}
          </Button>
        )
      }
    >
      <div className="card">
        {domains.length === 0 ? (
          <Empty>{words.none}</Empty>
        ) : (
          <ul aria-label={words.title}>
            {domains.map((domain) => (
              <li key={domain.id}>
                <DomainRow domain={domain} mayChange={mayChange} />
              </li>
            ))}
          </ul>
        )}
      </div>
      {isAdding && <Add tenantId={tenant.id} onClose={() => setAdding(false)} />}
    </Section>
  )
}

const DomainRow = ({ domain: shown, mayChange }: { domain: Domain; mayChange: boolean }) => {
  const all = useWords()
  const { domains: words } = all.platform
  const [isAsked, setAsked] = useState(false)
  const { id, domain, kind, verifiedAt, isPrimary } = shown
  const path = { id }
  const primary = useChange('tenantDomain', (_: void, header) =>
    answer(api.POST('/platform/domains/{id}/primary', { params: { path, header } })),
  )
  const remove = useChange('tenantDomain', () => answer(api.DELETE('/platform/domains/{id}', { params: { path } })))
  const entries: MenuEntry[] = [
    ...(verifiedAt !== null && !isPrimary
      ? [
          {
            id: 'primary',
            label: words.makePrimary,
            onSelect: () =>
              primary.mutate(undefined, {
                onSuccess: () => toast(words.madePrimary(domain)),
                onError: (error) => toast(explain(all, error)),
              }),
          },
        ]
      : []),
    { id: 'remove', label: words.remove, isDangerous: true, onSelect: () => setAsked(true) },
  ]
  return (
    <>
      <div className="row">
        <span className="grow">
          <span className="chips">
            <bdi className="name ltr-text breaks">{domain}</bdi>
            <Badge meaning={verifiedAt === null ? 'warn' : 'good'}>
              {verifiedAt === null ? words.unverified : words.verified}
            </Badge>
            {isPrimary && <Badge meaning="info">{words.primary}</Badge>}
          </span>
          <span className="about">{words.kinds[kind]}</span>
        </span>
        {mayChange && <Menu label={words.more(domain)} entries={entries} />}
      </div>
      {verifiedAt === null && mayChange && <Proof domain={shown} />}
      <Confirm
        title={words.removeTitle(domain)}
        verb={words.remove}
        isDangerous
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={async () => {
          await remove.mutateAsync(undefined)
          toast(words.removed(domain))
        }}
      >
        <p>{words.removeText}</p>
      </Confirm>
    </>
  )
}

/** What the DNS holds in place of the line; undefined: the check failed for another reason. */
const foundOf = ({ status, details }: Problem): string[] | undefined =>
  status === 422 && Array.isArray(details['found']) ? details['found'].map(String) : undefined

/** The line of the DNS that shows whose the domain is, to be copied, and its check. */
const Proof = ({ domain: { id, domain, kind, verificationToken } }: { domain: Domain }) => {
  const all = useWords()
  const { domains: words } = all.platform
  const verify = useChange('tenantDomain', (_: void, header) =>
    answer(api.POST('/platform/domains/{id}/verify', { params: { path: { id }, header } })),
  )
  const found = verify.error instanceof Problem ? foundOf(verify.error) : undefined
  return (
    <div className="padded">
      {kind === 'custom' && (
        <>
          <p className="soft">{words.lines}</p>
          <Copied label={`${words.lineName} (TXT)`} text={`_institute-verify.${domain}`} />
          <Copied label={words.lineValue} text={verificationToken} />
        </>
      )}
      {verify.error &&
        (found ? (
          <Notice meaning="warn" isAlert>
            <span className="grow">
              {explain(all, verify.error)}
              {found.length > 0 && (
                <>
                  {' '}
                  {words.found}
                  {found.map((value) => (
                    <bdi key={value} className="ltr-text breaks">
                      {' '}
                      {value}
                    </bdi>
                  ))}
                </>
              )}
            </span>
          </Notice>
        ) : (
          <ProblemNotice problem={verify.error} />
        ))}
      <div className="actions below">
        <Button
          isBusy={verify.isPending}
          onPress={() => verify.mutate(undefined, { onSuccess: () => toast(words.checked(domain)) })}
        >
          {words.check}
        </Button>
      </div>
    </div>
  )
}

const KINDS = ['custom', 'subdomain'] as const

const Add = ({ tenantId, onClose }: { tenantId: string; onClose: () => void }) => {
  const { domains: words } = useWords().platform
  const add = useChange('tenantDomain', (body: Schemas['NewTenantDomain'], header) =>
    answer(api.POST('/platform/tenants/{id}/domains', { params: { path: { id: tenantId }, header }, body })),
  )
  const form = useForm({
    start: { domain: '', kind: 'custom' as (typeof KINDS)[number] },
    bounds: BOUNDS.NewTenantDomain,
    missing: words.domainMissing,
    refused: {
      domain: ({ message, reason }) =>
        message !== '' ? words.domainWrong : reason === undefined ? words.featureOff : undefined,
    },
    refusals: { domain_taken: 'domain', FEATURE_DISABLED: 'domain' },
    send: async (typed) => {
      await add.mutateAsync(typed)
      onClose()
    },
  })
  return (
    <Sheet title={words.add} isOpen onClose={onClose}>
      <Form form={form} verb={words.add} onCancel={onClose}>
        <Field label={words.domain} hint={words.domainHint} isLtr {...form.field('domain')} autoFocus />
        <Segments
          label={words.kind}
          options={KINDS.map((id) => ({ id, label: words.kinds[id] }))}
          {...form.field('kind')}
        />
      </Form>
    </Sheet>
  )
}
