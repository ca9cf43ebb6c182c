import type { PathParams } from './endpoint-types.ts'

/** A record that a preview names, as far as the caller may read it. */
export interface Concern {
  what: string
  /** The id of the endpoint that reads it. */
  read: string
  shows: readonly string[]
  /** The field with the id of the next one. */
  leadsTo?: string
}

/**
 * An endpoint as a tool of //mcp: what people ask an assistant for. Its arguments, its result, who may call it and what it
 * leaves in the audit log follow from the declaration; these are the words for the model.
 */
export interface ToolWords {
  /** <subject>_<verb> in snake_case, unique. It is part of the interface and does not change. */
  name: string
  /** For people, who may see it in their client. */
  title: string
  /** For the model: what it is for, where its arguments come from, and what to beware of. */
  description: string
  /** What a path parameter is called among the arguments. */
  params?: Readonly<Record<string, string>>
  /** What a change has done, as a sentence; undefined: the tool only reads. */
  done?: string
  /** It takes away or ends something. */
  destructive?: true
  /** It moves money or sends to many: it shows what it would do, and does it when a person has agreed. */
  asksBack?: true
  /** What a preview names beside: the first record has the id of the tool, each next one that of the record before. */
  concerns?: readonly Concern[]
  /** It reaches people outside the institute's own records. */
  reachesOutside?: true
}

/** Among the arguments, an `id` alone would not say of what. */
type NamedParams<Path extends string> =
  unknown extends PathParams<Path>
    ? { params?: never }
    : { params: { readonly [Name in keyof PathParams<Path>]: string } }

type WordsOfPath<Path extends string> = Pick<ToolWords, 'name' | 'title' | 'description'> & NamedParams<Path>

export type ReadingTool<Path extends string> = WordsOfPath<Path>

export type ChangingTool<Path extends string> = WordsOfPath<Path> &
  Pick<ToolWords, 'destructive' | 'asksBack' | 'concerns' | 'reachesOutside'> & { done: string }
