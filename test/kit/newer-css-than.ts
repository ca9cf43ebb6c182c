import type { Identifier } from '@mdn/browser-compat-data'
import { parse, walk, type Block, type CssNode, type Declaration, type SelectorList, type WalkContext } from 'css-tree'
import { compatData, lacking, type Floor } from './newer-than.ts'

const {
  properties = {},
  selectors = {},
  types = {},
  'at-rules': atRules = {},
} = compatData.css as Record<string, Record<string, Identifier>>

/** The units of three letters and more that windows with moving bars have: 100dvh. */
const VIEWPORTS = { d: 'dynamic', l: 'large', s: 'small' } as const

const unitEntry = (unit: string): Identifier | undefined => {
  const size = VIEWPORTS[/^([dls])v(?:h|w|i|b|min|max)$/.exec(unit)?.[1] as keyof typeof VIEWPORTS]
  if (size) return types['length']?.[`viewport_percentage_units_${size}`]
  return unit.startsWith('cq') ? types['length']?.['container_query_length_units'] : types['length']?.[unit]
}

/** Functions of values lie below what they make: a colour, an image. */
const functionEntry = (name: string): Identifier | undefined =>
  types[name] ?? Object.values(types).find((type) => type[name])?.[name]

/** What a declaration asks for: the property, its keywords, functions and units. */
const askedBy = (declaration: Declaration): [name: string, entry: Identifier | undefined][] => {
  const { property } = declaration
  const own = properties[property]
  const asked: [string, Identifier | undefined][] = [[property, own]]
  walk(declaration.value, (node) => {
    if (node.type === 'Identifier') asked.push([`${property}: ${node.name}`, own?.[node.name]])
    if (node.type === 'Function') asked.push([`${node.name}()`, functionEntry(node.name)])
    if (node.type === 'Dimension') asked.push([node.unit, unitEntry(node.unit)])
  })
  return asked
}

const askedByOther = (node: CssNode): [name: string, entry: Identifier | undefined] | undefined => {
  switch (node.type) {
    case 'Atrule':
      return [`@${node.name}`, atRules[node.name]]
    case 'FeatureRange':
      return ['@media range', atRules['media']?.['range_syntax']]
    case 'PseudoClassSelector':
      return [`:${node.name}`, selectors[node.name]]
    case 'PseudoElementSelector':
      return [`::${node.name}`, selectors[node.name]]
    case 'NestingSelector':
      return ['&', selectors['nesting']]
    default:
      return undefined
  }
}

/**
 * What a style sheet asks of browsers that some of the floor lack, with those browsers. A declaration may be new where one
 * of the same property before it is not, and so may all that stands in `@supports`.
 */
export const newerCssThan = (floor: Floor, css: string): Record<string, string[]> => {
  const found: Record<string, string[]> = {}
  const lacks = (entry: Identifier | undefined): string[] => (entry ? lacking(entry, floor) : [])
  const isOld = (declaration: Declaration): boolean =>
    askedBy(declaration).every(([, entry]) => lacks(entry).length === 0)
  const hasFallback = (block: Block | null, declaration: Declaration): boolean => {
    const before = block?.children.toArray() ?? []
    return before
      .slice(0, before.indexOf(declaration))
      .some((node) => node.type === 'Declaration' && node.property === declaration.property && isOld(node))
  }
  const take = ([name, entry]: [string, Identifier | undefined]): void => {
    const lack = lacks(entry)
    if (lack.length > 0) found[name] = lack
  }
  /** A browser leaves out the whole rule where it does not know one selector of its list. */
  const lookAtList = (list: SelectorList): void => {
    const news = list.children.toArray().map((selector) => {
      const asked: string[] = []
      walk(selector, (node) => {
        const [name = '', entry] = askedByOther(node) ?? []
        if (lacks(entry).length > 0) asked.push(name)
      })
      return asked[0]
    })
    const [first] = news.filter((name) => name !== undefined)
    if (first !== undefined && news.includes(undefined)) found[`${first} in a list`] = []
  }
  walk(parse(css), {
    enter(this: WalkContext, node: CssNode) {
      if (node.type === 'Declaration') {
        const isForNew = this.atrule?.name === 'supports' || hasFallback(this.block, node)
        if (!isForNew && !node.property.startsWith('-')) for (const asked of askedBy(node)) take(asked)
      } else {
        if (node.type === 'SelectorList') lookAtList(node)
        const asked = askedByOther(node)
        if (asked) take(asked)
      }
    },
  })
  return found
}
