import { BOUNDS } from '../../src/console/api/bounds.ts'
import { answer, openApi } from '../../src/console/api/client.ts'
import { Button } from '../../src/console/parts/button.tsx'
import { useForm } from '../../src/console/parts/form.tsx'
import { NewPasswordField, usePasswordFaults, useWeakness } from '../parts/new-password.tsx'
import { useOwnWords } from '../parts/own-words.ts'
import { ToldForm } from '../parts/told-form.tsx'
import { strengthOf } from '../rules/password.ts'
import { start } from '../start.tsx'
import { loadLinkWords } from '../words/index.ts'
import { LinkPage } from './link.tsx'

const ResetPassword = () => {
  const { reset: words, page } = useOwnWords('links')
  return (
    <LinkPage
      name="reset-password"
      words={words}
      lead={() => words.lead}
      renewal={
        <a className="button primary big wide" href="/forgot-password">
          {page.newLink}
        </a>
      }
    >
      {({ using }) => <NewPassword using={using} />}
    </LinkPage>
  )
}

const NewPassword = ({ using }: { using: (send: (token: string) => Promise<unknown>) => Promise<void> }) => {
  const { reset: words } = useOwnWords('links')
  const { missing } = useOwnWords('password')
  const { faultOf, refused } = usePasswordFaults()
  const weaknessOf = useWeakness()
  const form = useForm({
    start: { newPassword: '' },
    bounds: { newPassword: BOUNDS.PasswordReset.newPassword },
    missing,
    refused: { newPassword: refused },
    rules: ({ newPassword }) => ({ newPassword: faultOf(strengthOf(newPassword, [], weaknessOf)) }),
    send: ({ newPassword }) =>
      using((token) => answer(openApi.POST('/auth/reset-password', { body: { token, newPassword } }))),
  })
  return (
    <ToldForm
      form={form}
      footer={
        <Button type="submit" look="primary" isBig isWide isBusy={form.isBusy}>
          {form.isBusy ? words.sending : words.submit}
        </Button>
      }
    >
      <NewPasswordField
        id="password"
        label={words.password}
        strength={strengthOf(form.typed.newPassword, [], weaknessOf)}
        {...form.field('newPassword')}
      />
    </ToldForm>
  )
}

start(loadLinkWords, <ResetPassword />)
