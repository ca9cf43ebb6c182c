import { useState } from 'react'
import { BOUNDS } from '../../api/bounds.ts'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Check, Segments } from '../../parts/choose.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Detail } from '../../parts/detail.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Qr } from '../../parts/qr.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { toast } from '../../parts/toast.tsx'
import { useFormat, useWords } from '../../words/language.tsx'
import { useHttps } from './reads.ts'

type ServerHttps = Schemas['ServerHttps']

/** How the server is reached over HTTPS, and what each way costs. */
export const Https = () => {
  const { https: words } = useWords()
  const https = useHttps()
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="not-printed">
      <Section
        title={words.title}
        actions={
          https.data?.isFixed === false && (
            <Button look="quiet" onPress={() => setOpen(true)}>
              {words.change}
            </Button>
          )
        }
      >
        <Loaded query={https}>
          {(data) => (
            <>
              <Now https={data} />
              {data.way === 'local' && data.root && <Devices https={data} root={data.root} />}
              {data.way === 'vendor' && data.certificate && <Tried https={data} />}
              {isOpen && <ChoiceForm https={data} onClose={() => setOpen(false)} />}
            </>
          )}
        </Loaded>
      </Section>
    </div>
  )
}

const Now = ({ https }: { https: ServerHttps }) => {
  const { https: words } = useWords()
  const format = useFormat()
  const { isFixed, way, addresses, certificate, leadsNow, vendorName } = https
  if (isFixed) return <p className="soft">{words.fixed}</p>
  if (way === 'off') {
    return (
      <div className="card padded">
        <p>{words.off}</p>
        <p className="soft">{words.missing}</p>
      </div>
    )
  }
  return (
    <>
      <div className="notices">
        {vendorName && <VendorName vendorName={vendorName} isGood={certificate?.isGood === true} />}
        {certificate?.isGood === false && (
          <Notice meaning="bad">
            <span className="grow">{words.notGood(format.date(format.dateOf(certificate.validUntil)))}</span>
          </Notice>
        )}
        {(way === 'public' || way === 'vendor') && <Order https={https} />}
        {way === 'local' && !certificate && <Notice meaning="bad">{words.noPort}</Notice>}
      </div>
      {certificate && (
        <>
          <ul className="card" aria-label={words.opens}>
            {addresses.map((url) => (
              <li key={url} className="row">
                <bdi className="name ltr grow">{url}</bdi>
              </li>
            ))}
          </ul>
          <p className="soft below">
            {certificate.isGood && words.until(format.date(format.dateOf(certificate.validUntil)))}{' '}
            {leadsNow ? words.leadsOn : words.leadsOff}
          </p>
        </>
      )}
    </>
  )
}

/** What became of the order of a public certificate. */
const Order = ({ https }: { https: ServerHttps }) => {
  const { isOrdering, order, nextOrderAt, certificate, vendorName } = https
  const hasPort = https.hasPlainPort || https.way === 'vendor'
  const { https: words, server } = useWords()
  const format = useFormat()
  const again = useChange('https', (_, header) => answer(api.POST('/server/https/order', { params: { header } })))
  if (isOrdering) return <Notice meaning="info">{words.ordering}</Notice>
  // Why the vendor gave no name stands above it.
  if (order?.result !== 'failed' || vendorName?.failure?.reason === order.reason) return null
  return (
    <>
      {again.error && <ProblemNotice problem={again.error} />}
      <Notice meaning="bad">
        <span className="grow">
          {words.failed(format.moment(order.at))} {words.reasons[order.reason ?? 'authority']}{' '}
          {!hasPort && words.noPort80} {nextOrderAt !== null && words.again(format.moment(nextOrderAt))}{' '}
          {certificate?.isGood && words.goesOn}
          <Detail lead={server.details} text={order.detail} />
        </span>
        <Button isBusy={again.isPending} onPress={() => again.mutate(undefined)}>
          {words.now}
        </Button>
      </Notice>
    </>
  )
}

/** What became of the name of the vendor's, and whether the router of this network lets it through. */
const VendorName = ({ vendorName, isGood }: { vendorName: Schemas['VendorName']; isGood: boolean }) => {
  const { https: words, server } = useWords()
  const format = useFormat()
  const again = useChange('https', (_, header) => answer(api.POST('/server/https/order', { params: { header } })))
  const { name, leads, failure } = vendorName
  return (
    <>
      {again.error && <ProblemNotice problem={again.error} />}
      {failure && (
        <Notice meaning="bad">
          <span className="grow">
            {words.vendorFailed(format.moment(failure.at))} {words.reasons[failure.reason]}{' '}
            {isGood && words.vendorGoesOn}
            <Detail lead={server.details} text={failure.detail} />
          </span>
          <Button isBusy={again.isPending} onPress={() => again.mutate(undefined)}>
            {words.now}
          </Button>
        </Notice>
      )}
      {name !== null && isGood && (leads === 'nowhere' || leads === 'elsewhere') && (
        <Notice meaning="warn">
          <span className="grow">{words.hidden[leads]}</span>
        </Notice>
      )}
    </>
  )
}

/** A device of the network shows whether the router lets the name through. */
const Tried = ({ https }: { https: ServerHttps }) => {
  const { https: words } = useWords()
  return (
    <Section title={words.tried}>
      <div className="card padded">
        <p className="spaced">{words.triedText}</p>
        <PageForDevices https={https} />
      </div>
    </Section>
  )
}

/** Where a device is that has not taken the certificate yet: on plain HTTP. */
const pageFor = ({ addresses }: ServerHttps): string => {
  const here = new URL('/ca', location.href)
  const isHere = /^(?:localhost|127\.|\[::1\])/.test(here.hostname)
  const other = addresses.map((url) => new URL(url).hostname).find((host) => /^[\d.]+$/.test(host))
  if (isHere && other !== undefined) here.hostname = other
  return here.href
}

/** The page that each device opens: as a code, as its address, and from here. */
const PageForDevices = ({ https }: { https: ServerHttps }) => {
  const { https: words, network } = useWords()
  const url = pageFor(https)
  return (
    <>
      <Qr text={url} label={network.code(url)} />
      <p>
        <bdi className="ltr">{url}</bdi>
      </p>
      <p className="spaced">
        <a className="link" href="/ca" target="_blank" rel="noreferrer">
          {words.openPage}
        </a>
      </p>
    </>
  )
}

const Devices = ({ https, root }: { https: ServerHttps; root: Schemas['LocalRoot'] }) => {
  const { https: words } = useWords()
  return (
    <Section title={words.devices}>
      <div className="card padded">
        <p className="spaced">{words.devicesText}</p>
        <PageForDevices https={https} />
        <p className="small">{words.fingerprint}</p>
        <p className="small">
          <bdi className="ltr">
            {/* As on the page for devices: lines of eight pairs. */}
            {root.fingerprint.replaceAll(/((?:..:){7}..):/g, '$1 ')}
          </bdi>
        </p>
        <p className="small">{words.thumbprint}</p>
        <p className="small">
          <bdi className="ltr">{root.thumbprint}</bdi>
        </p>
      </div>
    </Section>
  )
}

const ChoiceForm = ({ https, onClose }: { https: ServerHttps; onClose: () => void }) => {
  const { https: words } = useWords()
  const save = useChange('https', (body: Schemas['ServerHttpsChoice']) => answer(api.PUT('/server/https', { body })))
  const form = useForm({
    start: { way: https.way, name: https.name ?? '', leads: https.leads },
    // Only on the internet a name is needed: `rules` says so.
    bounds: { ...BOUNDS.ServerHttpsChoice, name: { maxLength: BOUNDS.ServerHttpsChoice.name.maxLength } },
    rules: ({ way, name }) => ({ name: way === 'public' && name.trim() === '' && words.needsName }),
    refused: { name: words.wrongName },
    send: async ({ way, name, leads }) => {
      const own = way === 'vendor' || name.trim() === '' ? null : name.trim()
      await save.mutateAsync({ way, name: own, leads: way !== 'off' && leads })
      toast(words.saved)
      onClose()
    },
  })
  const { way, name } = form.typed
  return (
    <Sheet title={words.title} isOpen onClose={onClose}>
      <Form form={form} onCancel={onClose}>
        <Segments
          label={words.way}
          options={(['off', 'local', 'vendor', 'public'] as const).map((id) => ({ id, label: words.ways[id] }))}
          value={way}
          onChange={form.field('way').onChange}
          isWide
        />
        <p className="spaced">{words.wayText[way]}</p>
        {way === 'off' && <p className="soft">{words.missing}</p>}
        {way !== 'off' && (
          <>
            {way !== 'vendor' && (
              <Field
                label={words.name}
                isOptional={way === 'local'}
                hint={words.nameHint[way]}
                isLtr
                type="url"
                {...form.field('name')}
              />
            )}
            {way === 'local' && https.root && name !== (https.name ?? '') && name !== '' && (
              <Notice meaning="warn">{words.newRoot}</Notice>
            )}
            <Check isChecked={form.typed.leads} onChange={form.field('leads').onChange}>
              {words.leads}
            </Check>
            <p className="small">{words.leadsHint[way]}</p>
            <p className="small">{words.undo}</p>
            {way !== 'local' && <p className="small">{words.terms}</p>}
          </>
        )}
      </Form>
    </Sheet>
  )
}
