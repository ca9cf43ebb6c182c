import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { SETTINGS } from '#app/config/read-config.ts'

const read = (file: string): string => readFileSync(file, 'utf8')

/** The addresses of a server that its own pages link to, beside one another: test/api/app/guide.test.ts asks for them. */
const ON_THE_SERVER = /^\/(?:docs|openapi\.json)$/

/** The relative links of a page that lead to no file. */
const brokenLinks = (page: string): string[] => {
  const links = [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link)
  const isServed = (link: string): boolean => page.startsWith('web-setup/docs/') && ON_THE_SERVER.test(link)
  return links.filter((link) => !isServed(link) && !existsSync(path.join(path.dirname(page), link)))
}

test.each(['README.md', ...globSync('.github/*.md'), ...globSync('{src,test,web-setup}/**/*.md')])(
  'the links of %s lead somewhere',
  (page) => {
    expect(brokenLinks(page)).toEqual([])
  },
)

test('each link of a page of /docs says where it leads', () => {
  const pages = globSync('web-setup/docs/**/*.md')
  expect(pages.length).toBeGreaterThan(20)
  expect(pages.filter((page) => /\[\s*\]\(/.test(read(page)))).toEqual([])
})

test('README is read in minutes, and leads to every page that a server shows', () => {
  expect(statSync('README.md').size).toBeLessThanOrEqual(10_000)
  const pages = ['README.md', 'web-setup/docs/server/overview.md', 'web-setup/docs/guide/overview.md']
  const linked = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\(([^)]+\.md)\)/g)].map(([, link = '']) => path.join(path.dirname(page), link)),
  )
  expect(linked).toEqual(expect.arrayContaining(globSync('web-setup/docs/server/*.md')))
})

test('the files and folders that CONTRIBUTING names are there; `<module>` stands for any', () => {
  const named = read('.github/CONTRIBUTING.md').matchAll(/`((?:build|installer|migrations|src|test)\/[^`\s]+)`/g)
  const places = [...named].map(([, place = '']) => place)
  expect(places.length).toBeGreaterThan(20)
  expect(places.filter((place) => globSync(place.replace('<module>', '*')).length === 0)).toEqual([])
})

test('each setting that a page or a file of the installer names is one of the program', () => {
  const pages = ['README.md', 'src/threat-model.md', ...globSync('{web-setup/docs,installer}/**/*.*')]
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(/\bINSTITUTE_[A-Z0-9_]*[A-Z0-9]/g)].map(([name]) => ({ page, name })),
  )
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter(({ name }) => !Object.hasOwn(SETTINGS, name))).toEqual([])
})

describe('the glossary', () => {
  /** `name` in a file or folder. */
  const named = [...read('.github/GLOSSARY.md').matchAll(/`(\w+)`\s+in\s+([\w/.-]+?)(?=[,;:.)]?(?:\s|\)|$))/g)].map(
    ([, name = '', place = '']) => [name, place] as const,
  )
  const filesOf = (place: string): string[] => (statSync(place).isFile() ? [place] : globSync(`${place}/**/*.ts`))

  test('names where each word lives', () => {
    const words = read('.github/GLOSSARY.md').match(/^ *- \*\*.+\*\*.*$/gm) ?? []
    expect(words.filter((line) => !/^ *- \*\*.+\*\* \(`\w+` in [\w/.-]+\):/.test(line))).toEqual([])
    expect(named.length).toBeGreaterThanOrEqual(words.length)
  })

  test.each(named)('%s is declared in %s', (name, place) => {
    const declared = new RegExp(
      String.raw`\b(?:const|type|interface|class|function) ${name}\b|^\s+(?:readonly |get )?${name}\??(?:[:<(]| =)`,
      'm',
    )
    expect(filesOf(place).filter((file) => declared.test(read(file)))).not.toEqual([])
  })
})

describe('the page on jobs', () => {
  const folder = 'test/examples/jobs'
  const examples = readdirSync(folder).filter((name) => name.endsWith('.ts'))

  test('links to every example', () => {
    const linked = [...read(`${folder}/README.md`).matchAll(/\]\(([\w-]+\.ts)\)/g)].map(([, name]) => name)
    expect(linked.toSorted()).toEqual(examples.toSorted())
  })

  test.each(examples)('%s has 30 lines at most', (name) => {
    expect(read(`${folder}/${name}`).trimEnd().split('\n').length).toBeLessThanOrEqual(30)
  })
})
