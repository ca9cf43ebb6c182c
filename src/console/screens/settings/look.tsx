import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { uploadPicture } from '../../api/upload.ts'
import { Button } from '../../parts/button.tsx'
import { ColorField, isColor } from '../../parts/color-field.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Section } from '../../parts/page.tsx'
import { PictureChoice } from '../../parts/picture-choice.tsx'
import { explain } from '../../parts/problem-notice.tsx'
import { toast } from '../../parts/toast.tsx'
import { accentOf, contrast } from '../../shell/color.ts'
import { useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'
import { useIsDark } from '../../shell/theme.ts'
import type { Settings } from './reads.ts'

/** The button that takes the colour away. */
const NONE = 'none'

const useBranding = () =>
  useChange('settings', (branding: Schemas['BrandingChanges']) =>
    answer(api.PATCH('/settings', { body: { branding } })),
  )

/** The logo and the colour, as everybody in the institute sees them. */
export const Look = ({ settings }: { settings: Settings }) => {
  const { institute: words } = useWords()
  const { can } = useMe()
  return (
    <Section title={words.look}>
      <div className="card padded">
        {can('files.write') && <Logo fileId={settings.branding.logoFileId} />}
        <Color key={settings.branding.color} saved={settings.branding.color} />
      </div>
    </Section>
  )
}

const Logo = ({ fileId }: { fileId: string | null }) => {
  const all = useWords()
  const { institute: words } = all
  const { institute } = useMe()
  const change = useBranding()
  const upload = useChange<File, unknown>('settings', async (file) =>
    answer(api.PATCH('/settings', { body: { branding: { logoFileId: await uploadPicture(file, 'attachment') } } })),
  )
  const setBack = (former: string | null) => () =>
    change.mutate({ logoFileId: former }, { onError: (error) => toast(explain(all, error)) })
  return (
    <PictureChoice
      label={words.logo}
      shown={
        fileId !== null && institute.logoUrl !== null && <img className="logo-shown" src={institute.logoUrl} alt="" />
      }
      isThere={fileId !== null}
      isBusy={upload.isPending}
      problem={upload.error ?? change.error}
      onChoose={(file) => upload.mutate(file, { onSuccess: () => toast(words.logoSaved, setBack(fileId)) })}
      onRemove={() =>
        change.mutate({ logoFileId: null }, { onSuccess: () => toast(words.logoRemoved, setBack(fileId)) })
      }
    />
  )
}

const Color = ({ saved }: { saved: string | null }) => {
  const all = useWords()
  const { institute: words } = all
  const change = useBranding()
  const form = useForm({
    start: { color: saved ?? '' },
    // The page shows the colour while one types, so it has to know whether there is one.
    rules: ({ color }) => ({ color: color.trim() !== '' && !isColor(color.trim()) && words.colorWrong }),
    send: async ({ color }, action) => {
      const undo = () => change.mutate({ color: saved }, { onError: (error) => toast(explain(all, error)) })
      await change.mutateAsync({ color: action === NONE ? null : color.trim().toLowerCase() || null })
      toast(words.colorSaved, undo)
    },
  })
  const value = form.typed.color.trim().toLowerCase()
  return (
    <Form
      form={form}
      label={words.color}
      look="plain"
      isDisabled={value === (saved ?? '')}
      more={
        saved !== null && (
          <Button look="quiet" type="submit" value={NONE}>
            {words.colorNone}
          </Button>
        )
      }
    >
      <ColorField label={words.color} pick={words.colorPick} hint={words.colorHint} {...form.field('color')} />
      {isColor(value) && <Preview color={value} />}
    </Form>
  )
}

/** How the colour will look, and whether it had to be moved so that words in it can be read. */
const Preview = ({ color }: { color: string }) => {
  const { institute: words, shell } = useWords()
  const { institute } = useMe()
  const isDark = useIsDark()
  const variables = accentOf(color, isDark)
  const isMoved = variables['--accent'] !== color
  const share = Math.round(contrast(color, isDark ? '#1a2220' : '#ffffff') * 10) / 10
  return (
    <div className="spaced" style={variables}>
      <div className="look-preview" aria-hidden="true">
        <div className="look-rail">
          <bdi>{institute.name}</bdi>
        </div>
        <div className="look-page">
          <span className="look-button">{shell.save}</span>
          <span className="look-link">{words.sample}</span>
        </div>
      </div>
      <p className="small">{isMoved ? words.colorMoved(share) : words.colorFits(share)}</p>
    </div>
  )
}
