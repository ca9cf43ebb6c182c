/** Providers have variables in lower case with underscores: `data.examTitle` is `data_exam_title` in their templates. */
const providerName = (variable: string): string =>
  variable.replaceAll('.', '_').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Providers refuse line breaks in the values of a template, and values that are empty. */
export const providerValues = (values: Readonly<Record<string, string>>): [name: string, value: string][] =>
  Object.entries(values).map(([name, value]) => [providerName(name), value.replaceAll(/\s+/g, ' ').trim() || '-'])
