import type { Schemas } from '../../api/client.ts'

export type Provider = Schemas['NotificationProvider']

/** What a provider or a field of one is called; one without a name of ours is called as the API calls it. */
export const nameOf = (name: string, names: object): string => (names as Readonly<Record<string, string>>)[name] ?? name
