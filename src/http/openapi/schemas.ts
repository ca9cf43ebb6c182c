import { toJsonSchemaDefs } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { GLOSSARY } from '#kernel/contract/glossary.ts'
import { nameOf, wordsOf } from '#kernel/values/named.ts'

export type Json = Record<string, unknown>

/** The schema of which the others are fields while they are translated. No schema has such a name. */
const ALL = '~'

const WHOLE = { type: 'integer', format: 'int64', minimum: undefined, maximum: undefined } as const

/** What a schema is made of. */
const partsOf = (schema: v.GenericSchema): v.GenericSchema[] => {
  const { entries, item, items, wrapped, options, pipe, key, value, getter } = schema as unknown as Record<
    string,
    unknown
  >
  const found = [
    ...Object.values((entries as object | undefined) ?? {}),
    item,
    wrapped,
    key,
    value,
    ...((items as unknown[] | undefined) ?? []),
    ...((options as unknown[] | undefined) ?? []),
    ...((pipe as unknown[] | undefined) ?? []),
    typeof getter === 'function' ? (getter as () => unknown)() : undefined,
  ]
  return found.filter((one) => (one as v.GenericSchema | undefined)?.kind === 'schema') as v.GenericSchema[]
}

/** @throws an Error for two schemas of one name */
const namedWithin = (roots: readonly v.GenericSchema[]): Map<string, v.GenericSchema> => {
  const named = new Map<string, v.GenericSchema>()
  const seen = new Set<v.GenericSchema>()
  const visit = (schema: v.GenericSchema): void => {
    if (seen.has(schema)) return
    seen.add(schema)
    const name = nameOf(schema)
    if (name !== undefined) {
      if (named.has(name)) throw new Error(`Two schemas have the name ${name}.`)
      named.set(name, schema)
    }
    partsOf(schema).forEach(visit)
  }
  roots.forEach(visit)
  return named
}

const mayBeNull = ({ type, anyOf }: Json): boolean =>
  type === 'null' || ((anyOf as Json[] | undefined)?.some(mayBeNull) ?? false)

/** A meaning without what null means, for what cannot be null. */
export const neverNull = (meaning: string): string => meaning.replace(/; null:[^.]*\.$/, '.')

const told = (meaning: string, property: Json): string => (mayBeNull(property) ? meaning : neverNull(meaning))

/**
 * Adds the meaning of each field of an object as its description. That a field is null when it is left out is said there
 * too: a default of null makes generators of clients write code that does not compile.
 */
const explain = (schema: v.GenericSchema, json: Json): Json => {
  const words = wordsOf(schema)
  for (const [field, property] of Object.entries((json.properties as Record<string, Json> | undefined) ?? {})) {
    const meaning = words[field] ?? GLOSSARY[field]
    if (meaning !== undefined) property.description = told(meaning, property)
    if (property.default !== null) continue
    delete property.default
    if (meaning !== undefined) property.description = `${told(meaning, property)} It is null where it is left out.`
  }
  return json
}

/** A tuple says how many it has, and what others would be: many programs take no array that does not say it. */
const asArray = (json: Json): Json => {
  const { prefixItems } = json as { prefixItems?: Json[] }
  return prefixItems ? { ...json, items: prefixItems[0] ?? {}, maxItems: prefixItems.length } : json
}

/**
 * The valibot schemas of the declarations as JSON schemas. One that has a name stands among the components, and is referred
 * to by it wherever it is used; the rest stand where they are used.
 */
export class Schemas {
  /** By name, in the order of the alphabet. */
  readonly components: Readonly<Record<string, Json>>
  readonly #translated: ReadonlyMap<v.GenericSchema, Json>

  /** @param roots every schema that will be asked for */
  constructor(roots: readonly v.GenericSchema[]) {
    const all = [...new Set(roots)]
    const named = namedWithin(all)
    const names = [...named.keys()].toSorted()
    const { [ALL]: translated, ...components } = toJsonSchemaDefs(
      {
        ...Object.fromEntries(names.map((name) => [name, named.get(name) as v.GenericSchema])),
        [ALL]: v.object(Object.fromEntries(all.entries())),
      },
      {
        target: 'draft-2020-12',
        typeMode: 'ignore',
        errorMode: 'ignore',
        // All integers of the API are safe integers, so only narrower bounds are shown.
        overrideAction: ({ valibotAction, jsonSchema }) =>
          valibotAction.type === 'safe_integer' ? { ...jsonSchema, ...WHOLE } : undefined,
        overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
        overrideSchema: ({ valibotSchema, jsonSchema }) =>
          asArray(explain(valibotSchema as v.GenericSchema, jsonSchema as Json)) as typeof jsonSchema,
      },
    )
    this.components = components
    const properties = (translated as Json).properties as Record<string, Json>
    this.#translated = new Map(all.map((schema, at) => [schema, properties[at] as Json]))
  }

  /** @throws an Error for a schema that was not among the roots */
  of(schema: v.GenericSchema): Json {
    const json = this.#translated.get(schema)
    if (!json) throw new Error('A schema was not translated.')
    return json
  }
}
