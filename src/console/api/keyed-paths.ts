import type { paths } from './contract.d.ts'
import type { IntentHeader } from './intents/intent.ts'

type Keyed<Post extends { parameters: object }> = Omit<Post, 'parameters'> & {
  parameters: Omit<Post['parameters'], 'header'> & { header: IntentHeader }
}

/** What anybody may ask for without an account takes no key: a key belongs to whoever sends it. */
type IsKeyed<Post extends { parameters: { header?: unknown } }> = undefined extends Post['parameters']['header']
  ? Exclude<Post['parameters']['header'], undefined> extends never
    ? false
    : true
  : true

/** The API, in which every POST says to which intent it belongs: forgotten, it does not compile. */
export type KeyedPaths = {
  [Path in keyof paths]: paths[Path] extends { post: infer Post extends { parameters: { header?: unknown } } }
    ? IsKeyed<Post> extends true
      ? Omit<paths[Path], 'post'> & { post: Keyed<Post> }
      : paths[Path]
    : paths[Path]
}
