/** What papers are made of: the names of the assets, and for the build their files in a checkout. */

export const COMPILER = 'papers/typst.wasm'
/** Made with the executable, for the platform that makes it: what the compiler needs of itself to make papers, compiled. */
export const MACHINE_CODE = 'papers/typst.code'
export const TEMPLATE = 'papers/paper.typ'

/** Free fonts for the three languages and for what else people write. The emoji have one weight. */
const FILES = [
  ['noto-sans', 'NotoSans', '400Regular'],
  ['noto-sans', 'NotoSans', '700Bold'],
  ['noto-sans-hebrew', 'NotoSansHebrew', '400Regular'],
  ['noto-sans-hebrew', 'NotoSansHebrew', '700Bold'],
  ['noto-emoji', 'NotoEmoji', '400Regular'],
] as const

/** Noto Sans Arabic with whole letters, so that papers can be searched, copied and read aloud: `npm run fonts` makes them. */
const ARABIC = ['NotoSansArabic_400Regular.ttf', 'NotoSansArabic_700Bold.ttf']

export const FONTS: ReadonlyMap<string, string> = new Map([
  ...FILES.map(([folder, family, weight]) => {
    const file = `${family}_${weight}.ttf`
    return [`papers/${file}`, `node_modules/@expo-google-fonts/${folder}/${weight}/${file}`] as const
  }),
  ...ARABIC.map((file) => [`papers/${file}`, `src/ports/papers/typst/fonts/${file}`] as const),
])

export const paperAssets: ReadonlyMap<string, string> = new Map([
  [COMPILER, 'node_modules/@myriaddreamin/typst-ts-web-compiler/pkg/typst_ts_web_compiler_bg.wasm'],
  [TEMPLATE, 'src/ports/papers/typst/paper.typ'],
  ...FONTS,
])
