import type { Client } from './client.ts'

/** Reads the log of messages. @returns its new entries for a template, each as recipient, channel and status */
export const logReader = () => {
  const seen = new Set<string>()
  return async (reader: Client, templateKey: string): Promise<string[]> => {
    const { data } = (await reader.get(`/notifications?limit=100&templateKey=${templateKey}`)).body
    const fresh = data.filter(({ id }: { id: string }) => !seen.has(id))
    for (const { id } of fresh) seen.add(id)
    return fresh
      .map(({ recipient, channel, status }: Record<string, string> & { recipient: { name: string } }) =>
        [recipient.name, channel, status].join(' '),
      )
      .toSorted()
  }
}
