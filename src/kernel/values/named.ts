import type * as v from 'valibot'

/**
 * What the API's document says of a schema: its name, under which generated clients have it as a type, and what its fields
 * mean. It stands beside the schemas and changes nothing in how they validate.
 */

/** What a field means, in a sentence: its unit, its format, and what null says, as far as the schema does not. */
export type Words = Readonly<Record<string, string>>

const names = new WeakMap<object, string>()
const words = new WeakMap<object, Words>()

/** A pipe ends in checks and begins with the schema that has the fields. */
const innermost = (schema: v.GenericSchema): v.GenericSchema =>
  'pipe' in schema ? innermost((schema.pipe as [v.GenericSchema])[0]) : schema

/**
 * Says what the fields of an object mean that has no name, such as a query.
 * @param meanings by the field's name; what the glossary says of a name need not be repeated
 * @returns the schema itself
 */
export const explained = <S extends v.GenericSchema>(schema: S, meanings: Words): S => {
  words.set(innermost(schema), meanings)
  return schema
}

/**
 * Names a schema.
 * @param name in PascalCase, of no other schema
 * @param meanings as in `explained`
 * @returns the schema itself
 */
export const named = <S extends v.GenericSchema>(name: string, schema: S, meanings: Words = {}): S => {
  names.set(schema, name)
  return explained(schema, meanings)
}

export const nameOf = (schema: v.GenericSchema): string | undefined => names.get(schema)

export const wordsOf = (schema: v.GenericSchema): Words => words.get(innermost(schema)) ?? {}
