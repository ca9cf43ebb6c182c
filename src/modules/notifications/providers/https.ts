import * as v from 'valibot'
import { invalid } from '#kernel/values/errors.ts'
import { httpUrl } from '#kernel/values/schema.ts'
import { checkUrl } from '#ports/outbound/port.ts'
import { from, token } from './fields.ts'
import { optional, setting, textProvider } from './provider.ts'
import { providerValues } from './template-values.ts'

const Answer = v.union([
  v.object({ error: v.object({ message: v.string() }) }),
  v.object({ error: v.string() }),
  v.object({ message: v.string() }),
])

/** Any other server, in a format of our own. Its description documents the format. */
export const https = textProvider({
  channels: ['sms', 'whatsapp'],
  description:
    '`https` (sms, whatsapp): url, token, from. The server is sent a POST with `Authorization: Bearer {token}`, `Idempotency-Key` (the message’s id, the same when it is tried again) and the JSON `{id, channel, to, from, locale, title, text, template}`: `to` in E.164; `template` null or `{name, values}`. 2xx means that it is accepted; 408, 425, 429 and 5xx are tried again, after `Retry-After` at the earliest; so are 401 and 403, until the account is mended; other answers are final. `{"error": {"message"}}`, `{"error"}` or `{"message"}` is shown in the log.',
  fields: {
    url: setting(httpUrl, 'Where messages are sent with POST.', {
      words: 'Where messages are sent with POST; null: the provider’s own address.',
    }),
    token,
    from: optional(from),
  },
  secret: 'token',
  check: ({ url }, policy) => {
    const refusal = checkUrl(url, policy)
    if (refusal !== undefined) throw invalid(['url'], `Cannot be used: ${refusal}.`)
  },
  request: ({ id, channel, address, title, body, locale, providerTemplate }, given) => ({
    url: given.url,
    headers: {
      Authorization: `Bearer ${given.token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json',
      'Idempotency-Key': id,
    },
    body: JSON.stringify({
      id,
      channel,
      to: address,
      from: given.from ?? null,
      locale,
      title,
      text: body,
      template: providerTemplate && {
        name: providerTemplate.name,
        values: Object.fromEntries(providerValues(providerTemplate.values)),
      },
    }),
  }),
  refusalOf: (json) => {
    if (!v.is(Answer, json)) return undefined
    const words = 'message' in json ? json.message : typeof json.error === 'string' ? json.error : json.error.message
    return { words, meaning: undefined }
  },
})
