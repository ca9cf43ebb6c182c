import { answer, openApi } from '../../src/console/api/client.ts'
import { Button } from '../../src/console/parts/button.tsx'
import { useForm } from '../../src/console/parts/form.tsx'
import { useOwnWords } from '../parts/own-words.ts'
import { ToldForm } from '../parts/told-form.tsx'
import { start } from '../start.tsx'
import { loadLinkWords } from '../words/index.ts'
import { LinkPage } from './link.tsx'

const VerifyEmail = () => {
  const { verify: words } = useOwnWords('links')
  return (
    <LinkPage name="verify-email" words={words} lead={() => words.lead}>
      {({ using }) => <Confirmation using={using} />}
    </LinkPage>
  )
}

const Confirmation = ({ using }: { using: (send: (token: string) => Promise<unknown>) => Promise<void> }) => {
  const { verify: words } = useOwnWords('links')
  const form = useForm({
    start: {},
    send: () => using((token) => answer(openApi.POST('/auth/verify-email', { body: { token } }))),
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
      {null}
    </ToldForm>
  )
}

start(loadLinkWords, <VerifyEmail />)
