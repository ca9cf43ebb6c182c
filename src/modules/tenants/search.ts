import { searchedText } from '#shared/names.ts'

/** The text by which the platform finds an institute. */
export const searchedBy = ({ name, slug }: { name: string; slug: string }) => ({
  search_text: searchedText(name, slug),
})
