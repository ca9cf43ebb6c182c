import { useEffect, useRef } from 'react'
import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { Copied } from '../../parts/copied.tsx'
import { Field } from '../../parts/field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { useLanguage } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { useSettings } from './reads.ts'
import { bothNames, originOf } from './typed.ts'

/** Asks for the website, and gives the line that is to be put into its page. */
export const NewSite = () => {
  const { words: all } = useLanguage()
  const { website: words } = all
  const make = useChange('site', (origins: string[], header) => {
    const body = {
      name: origins[0] ?? '',
      kind: 'publishable' as const,
      permissions: [],
      // The server's own pages show the preview.
      allowedOrigins: [...new Set([...origins, location.origin])],
    }
    return answer(api.POST('/api-keys', { params: { header }, body }))
  })
  const form = useForm({
    start: { site: '' },
    rules: ({ site }) => ({ site: originOf(site) === undefined && words.siteWrong }),
    send: async ({ site }) => {
      await make.mutateAsync(bothNames(originOf(site) ?? ''))
      form.reset()
    },
  })
  return (
    <Section title={words.add}>
      <div className="card padded">
        <Form form={form} label={words.add} verb={words.makeLine}>
          <Field
            label={words.site}
            hint={words.siteHint}
            type="url"
            placeholder="www.example.org"
            maxLength={300}
            isLtr
            {...form.field('site')}
          />
        </Form>
        {make.data && <Line made={make.data} />}
      </div>
    </Section>
  )
}

const Line = ({ made }: { made: Schemas['CreatedApiKey'] }) => {
  const { words: all, locale } = useLanguage()
  const { website: words } = all
  const { can } = useMe()
  const settings = useSettings(!can('settings.manage'))
  const base = settings.data?.baseUrl ?? location.origin
  const isNear = /^http:|\/\/(localhost|127\.|10\.|192\.168\.|\[)/.test(base)
  return (
    <div className="below">
      <Copied
        label={words.line}
        hint={words.lineHint}
        text={`<script async src="${base}/widget.js" data-key="${made.key}"></script>`}
      />
      {isNear && (
        <Notice meaning="warn">
          <span className="grow">{words.near(base)}</span>
        </Notice>
      )}
      <p className="label below">{words.preview}</p>
      <Preview publishableKey={made.key} locale={locale} />
    </div>
  )
}

/** The form as the website will show it. Nothing can be sent from here. */
const Preview = ({ publishableKey, locale }: { publishableKey: string; locale: string }) => {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const shown = place.current
    if (!shown) return undefined
    const script = document.createElement('script')
    script.src = '/widget.js'
    script.async = true
    script.dataset['key'] = publishableKey
    script.dataset['locale'] = locale
    script.dataset['theme'] = 'light'
    shown.append(script)
    return () => shown.replaceChildren()
  }, [publishableKey, locale])
  return <div ref={place} className="preview" inert />
}
