const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/**
 * The contents of all elements of this name, in the replies of stores: they have no attributes within, and no element
 * within one of its own name.
 */
export const elements = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map(([, content]) => content ?? '')

/** A text of an element as it was meant. */
export const unescaped = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,6})|(\w{2,4}));/g, (as: string, code?: string, name?: string) =>
    code === undefined ? (ENTITIES[name ?? ''] ?? as) : String.fromCodePoint(Number(code)),
  )
