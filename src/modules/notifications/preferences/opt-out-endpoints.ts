import * as v from 'valibot'
import type { TenantInfo } from '#kernel/who/actor.ts'
import type { Locale } from '#shared/locale.ts'
import { openChange, openRead } from '#kernel/contract/endpoint.ts'
import { TenantSuspended } from '#kernel/values/errors.ts'
import { content, type Content } from '#kernel/values/media.ts'
import type { Vault } from '#runtime/secrets/vault.ts'
import { OPT_OUT_PATH, UNDO_PATH, withToken } from './opt-out-link.ts'
import { isStopped, openLink, OptOutLinkRefused, switchMails } from './opt-out.ts'
import { TEXTS } from '../texts/defaults.ts'

/** Makes a page of a heading, a text and a button that sends a POST to `action`. */
export type ShowPage = (
  language: Locale,
  page: { title: string; text: string; button: { label: string; action: string; isPrimary: boolean } },
) => Content

export interface OptOutDeps {
  vault: Vault
  showPage: ShowPage
}

type Shown = 'ask' | 'stopped' | 'resumed'

/**
 * The pages that the link at the end of a mail leads to. Only a POST changes something, because programs that look at
 * mails follow their links. What its body holds does not matter: mail programs send `List-Unsubscribe=One-Click` as one
 * form or another (RFC 8058), and the page's button sends nothing.
 */
export const optOutEndpoints = ({ vault, showPage }: OptOutDeps) => {
  const common = {
    access: 'anyone',
    forPeople: true,
    query: v.object({ token: v.optional(v.string(), '') }),
    reply: content(['text/html']),
    fails: [OptOutLinkRefused, TenantSuspended],
  } as const
  const show = (shown: Shown, { name }: TenantInfo, locale: Locale, token: string): Content => {
    const { title, text, button } = TEXTS[locale].optOut[shown](name)
    return showPage(locale, {
      title,
      text,
      button: {
        label: button,
        action: withToken(shown === 'stopped' ? UNDO_PATH : OPT_OUT_PATH, token),
        isPrimary: shown === 'ask',
      },
    })
  }
  const post = (id: string, path: string, summary: string, enabled: boolean) =>
    openChange({
      ...common,
      id,
      method: 'POST',
      path: `/${path}`,
      summary,
      handle: async ({ tx, query: { token } }) => {
        const { target, tenant } = await openLink(tx.db, vault, token)
        await switchMails(tx.inTenant(tenant), target, enabled)
        return show(enabled ? 'resumed' : 'stopped', tenant, target.locale, token)
      },
    })
  return [
    openRead({
      ...common,
      id: 'notifications.opt-out-page',
      path: `/${OPT_OUT_PATH}`,
      summary: 'The page that asks whether mails are to stop',
      handle: async ({ db, inTenant, query: { token } }) => {
        const { target, tenant } = await openLink(db, vault, token)
        const stopped = await isStopped(inTenant(tenant), target)
        return show(stopped ? 'stopped' : 'ask', tenant, target.locale, token)
      },
    }),
    post('notifications.opt-out', OPT_OUT_PATH, 'Stop the mails of an institute to one person', false),
    post('notifications.opt-in', UNDO_PATH, 'Let the mails come again', true),
  ]
}
