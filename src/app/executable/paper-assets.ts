/** What papers are made of: the names of the assets, and for the build their files in a checkout. */

export const COMPILER = 'papers/typst.wasm'
export const TEMPLATE = 'papers/paper.typ'

const FAMILIES = {
  'noto-sans': 'NotoSans',
  'noto-sans-arabic': 'NotoSansArabic',
  'noto-sans-hebrew': 'NotoSansHebrew',
} as const

const WEIGHTS = ['400Regular', '700Bold'] as const

/** Free fonts for the three languages. */
export const FONTS: ReadonlyMap<string, string> = new Map(
  Object.entries(FAMILIES).flatMap(([folder, family]) =>
    WEIGHTS.map((weight) => {
      const file = `${family}_${weight}.ttf`
      return [`papers/${file}`, `node_modules/@expo-google-fonts/${folder}/${weight}/${file}`] as const
    }),
  ),
)

export const paperAssets: ReadonlyMap<string, string> = new Map([
  [COMPILER, 'node_modules/@myriaddreamin/typst-ts-web-compiler/pkg/typst_ts_web_compiler_bg.wasm'],
  [TEMPLATE, 'src/app/papers/paper.typ'],
  ...FONTS,
])
