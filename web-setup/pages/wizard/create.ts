import { answer, openApi, type Schemas } from '../../../src/console/api/client.ts'
import { Problem } from '../../../src/console/api/problem.ts'
import { besideApi } from '../../../src/console/api/send.ts'
import { signIn } from '../../../src/console/api/session.ts'

interface New {
  institute: Schemas['Bootstrap']
  /** undefined: none was entered. */
  mail: Schemas['NewMailServer'] | undefined
}

/**
 * Makes the institute.
 * @returns what became of it: `mail`: the server does not take the mailbox; `exists`: there is an institute already
 * @throws Problem
 */
export const create = async ({ institute: body, mail }: New): Promise<'created' | 'mail' | 'exists'> => {
  if (mail) {
    try {
      await besideApi('/setup/mail', { body: { setupToken: body.setupToken, mail } })
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      if (error.concerns('mail')) return 'mail'
      // 404: it is set up already, or flags or the environment say how mails go out.
      if (error.status !== 404) throw error
    }
  }
  try {
    await answer(openApi.POST('/setup/bootstrap', { body }))
    return 'created'
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 404) throw error
    // The reply may have been lost (browsers silently send a request again when a connection breaks): if this owner can
    // sign in, the institute is the one that was just created.
    return signIn(body.owner.email, body.owner.password).then(
      () => 'created',
      () => 'exists',
    )
  }
}
