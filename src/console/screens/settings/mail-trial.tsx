import { answer, api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { toldOfTrial } from '../../parts/mailbox.ts'
import { Notice } from '../../parts/notice.tsx'
import { useLanguage, useWords } from '../../words/language.tsx'
import { useMe } from '../../shell/me.tsx'

/** Sends a test mail to whoever is signed in, in their language. */
export const useTrial = () => {
  const { user } = useMe()
  const { locale } = useLanguage()
  return useChange('mailTrial', (server: Schemas['NewMailServer'] | undefined, header) =>
    answer(
      api.POST('/mail/test', {
        params: { header },
        // The console may have another language than the browser.
        headers: { 'Accept-Language': locale },
        body: { to: user.email, ...(server && { server }) },
      }),
    ),
  )
}

/** What became of a test mail, with the mail server's own words for whoever knows them. */
export const TrialResult = ({ result }: { result: Schemas['MailTrialResult'] }) => {
  const { mail: words } = useWords()
  const { user } = useMe()
  return (
    <Notice meaning={result.sent ? 'good' : 'bad'} isAlert>
      <span className="grow">
        {toldOfTrial(words, user.email, result)}
        {result.answer !== '' && (
          <span className="report">
            {words.said} <bdi className="ltr">{result.answer}</bdi>
          </span>
        )}
      </span>
    </Notice>
  )
}
