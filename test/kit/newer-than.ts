import { createRequire } from 'node:module'
import type { BrowserName, CompatData, Identifier, SupportStatement } from '@mdn/browser-compat-data'
import { parse, type Node } from 'acorn'
import { once } from '#kernel/basics/once.ts'

/** The oldest browsers that a page is for: version numbers. */
export type Floor = Readonly<Record<'chrome' | 'firefox' | 'safari', string>>

export const compatData = createRequire(import.meta.url)('@mdn/browser-compat-data') as CompatData

const isAtMost = (version: string, floor: string): boolean => {
  const [major = 0, minor = 0] = version.replace('≤', '').split('.').map(Number)
  const [floorMajor = 0, floorMinor = 0] = floor.split('.').map(Number)
  return major < floorMajor || (major === floorMajor && minor <= floorMinor)
}

/** Whether a browser of this version has it, without a prefix, another name or a switch, and for good. */
const hasIt = (support: SupportStatement | undefined, floor: string): boolean => {
  const statements = support === undefined ? [] : [support].flat()
  return statements.some(
    ({ version_added: added, version_removed: removed, flags, prefix, alternative_name: other }) =>
      !flags &&
      prefix === undefined &&
      other === undefined &&
      typeof added === 'string' &&
      isAtMost(added, floor) &&
      (typeof removed !== 'string' || !isAtMost(removed, floor)),
  )
}

/** The browsers of the floor that lack what an entry of MDN's data is about. */
export const lacking = ({ __compat: compat }: Identifier, floor: Floor): string[] =>
  Object.entries(floor)
    .filter(
      ([browser, version]) => compat && !hasIt(compat.support[browser as BrowserName] as SupportStatement, version),
    )
    .map(([browser, version]) => `${browser} ${version}`)

/** Entries below a built-in that are about something else than its members. */
const NO_MEMBER = /^(?:__compat|.*_(?:event|parameter|option|permission)|.* .*)$/

interface BuiltIns {
  /** By name: `structuredClone`, `Intl`. */
  globals: ReadonlyMap<string, Identifier>
  /** By the name of the member: what all built-ins that have one say of it. */
  members: ReadonlyMap<string, readonly Identifier[]>
}

const readBuiltIns = (): BuiltIns => {
  const globals = new Map<string, Identifier>()
  const members = new Map<string, Identifier[]>()
  const visit = (owner: Identifier, depth: number): void => {
    for (const [key, member] of Object.entries(owner)) {
      if (NO_MEMBER.test(key)) continue
      const name = key.replace(/_static$/, '')
      members.set(name, [...(members.get(name) ?? []), member as Identifier])
      // Those of Intl.NumberFormat, Temporal.PlainDate
      if (depth > 0) visit(member as Identifier, depth - 1)
    }
  }
  for (const [name, entry] of Object.entries(compatData.javascript['builtins'] ?? {})) {
    if (name === '__compat') continue
    globals.set(name, entry as Identifier)
    visit(entry as Identifier, 1)
  }
  for (const [name, entry] of Object.entries(compatData.api)) {
    if (name === '__compat') continue
    globals.set(name.replace(/_static$/, ''), entry as Identifier)
    visit(entry as Identifier, 0)
  }
  return { globals, members }
}

const builtIns = once(readBuiltIns)

/** A static member of a global: Intl.supportedValuesOf, URL.canParse. */
const staticOf = (owner: Identifier | undefined, name: string): Identifier | undefined =>
  owner?.[`${name}_static`] ?? owner?.[name]

type Walked = Node & Record<string, unknown>
const isNode = (value: unknown): value is Walked => typeof value === 'object' && value !== null && 'type' in value

const walk = (node: Walked, see: (node: Walked, parent?: Walked) => void, parent?: Walked): void => {
  see(node, parent)
  for (const value of Object.values(node)) {
    for (const item of Array.isArray(value) ? value : [value]) if (isNode(item)) walk(item, see, node)
  }
}

const nameOf = (node: unknown): string | undefined =>
  isNode(node) && node.type === 'Identifier' ? (node['name'] as string) : undefined

const keyOf = (node: unknown): string | undefined =>
  isNode(node) && node.type === 'Literal' ? String(node['value']) : nameOf(node)

const OWN_KEYS = new Set(['Property', 'MethodDefinition', 'PropertyDefinition'])

/** What scripts name. */
interface Named {
  globals: Set<string>
  /** `Owner.name`, where the owner is a global. */
  statics: Set<string>
  /** Members that are called. */
  called: Set<string>
  /** Names that the scripts give to members of their own objects. */
  own: Set<string>
}

const isStatic = (owner: string, name: string): boolean => staticOf(builtIns().globals.get(owner), name) !== undefined

/** What a module declares at its top: there the name is no global, which minified names may equal. */
const declaredIn = (program: Walked): Set<string> => {
  const declared = new Set<string>()
  const add = (name: string | undefined): void => {
    if (name !== undefined) declared.add(name)
  }
  for (const statement of program['body'] as Walked[]) {
    add(nameOf(statement['id']))
    for (const one of (statement['declarations'] ?? statement['specifiers'] ?? []) as Walked[]) {
      add(nameOf(one['id']) ?? (statement.type === 'ImportDeclaration' ? nameOf(one['local']) : undefined))
    }
  }
  return declared
}

const readNames = (script: string, ecmaVersion: 2021 | 2022, { globals, statics, called, own }: Named): void => {
  const program = parse(script, { ecmaVersion, sourceType: 'module' }) as unknown as Walked
  const declared = declaredIn(program)
  const see = (node: Walked, parent?: Walked): void => {
    if (node.type === 'Identifier') {
      const isName = parent?.['property'] === node || parent?.['key'] === node || parent?.['label'] === node
      if (!isName && !declared.has(node['name'] as string)) globals.add(node['name'] as string)
    } else if (node.type === 'MemberExpression' && node['computed'] !== true) {
      const [owner, name] = [nameOf(node['object']) ?? '', nameOf(node['property']) ?? '']
      if (isStatic(owner, name)) statics.add(`${owner}.${name}`)
      else if (parent?.['callee'] === node) called.add(name)
      else if (parent?.type === 'AssignmentExpression' && parent['left'] === node) own.add(name)
    } else if (OWN_KEYS.has(node.type) && parent?.type !== 'ObjectPattern') {
      const name = keyOf(node['key'])
      if (name !== undefined) own.add(name)
    }
  }
  walk(program, see)
}

/**
 * What the scripts of a page take of browsers that some of the floor lack: built-ins, by `name` or `Owner.name`, with those
 * browsers.
 *
 * Members of what is no global are known by their names alone, and only where they are called: `x.toSorted()` is the
 * built-in, unless the scripts give that name to something of their own, or an older built-in has a member of that name. What
 * options and parameters mean, and what a text evaluates to, is not seen: real browsers are the other half of the check.
 * @param ecmaVersion the newest syntax that is read
 * @throws SyntaxError for newer syntax
 */
export const newerThan = (
  floor: Floor,
  scripts: readonly string[],
  ecmaVersion: 2021 | 2022,
): Record<string, string[]> => {
  const named: Named = { globals: new Set(), statics: new Set(), called: new Set(), own: new Set() }
  for (const script of scripts) readNames(script, ecmaVersion, named)
  const { globals, members } = builtIns()
  const found: Record<string, string[]> = {}
  const look = (name: string, entries: readonly (Identifier | undefined)[]): void => {
    const lacks = entries.map((entry) => (entry ? lacking(entry, floor) : []))
    const [least = []] = lacks.toSorted((one, other) => one.length - other.length)
    if (least.length > 0) found[name] = least
  }
  for (const name of named.globals) if (globals.has(name)) look(name, [globals.get(name)])
  for (const name of named.statics) {
    const [owner = '', member = ''] = name.split('.')
    look(name, [staticOf(globals.get(owner), member)])
  }
  for (const name of named.called) if (!named.own.has(name)) look(name, members.get(name) ?? [])
  return found
}
