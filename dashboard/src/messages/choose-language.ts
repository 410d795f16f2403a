import { languages, type Language } from '@switchyard/checkout/languages.ts'

interface Preferences {
  /** What the person chose before. */
  chosen: string | null
  /** What the browser prefers, best first, such as `pt-MZ`. */
  preferred: readonly string[]
}

/** Returns the first preferred language that has a translation, else English. */
export function chooseLanguage({ chosen, preferred }: Preferences, available: readonly Language[]): Language {
  const tags = [chosen ?? '', ...preferred].map((tag) => tag.split('-')[0]?.toLowerCase())
  for (const tag of tags) {
    const language = available.find((one) => one === tag)
    if (language) return language
  }
  return 'en'
}

/** The languages among the files `<language>/catalogue.ts`, in the order of the payment pages. */
export const languagesOf = (files: readonly string[]): Language[] =>
  languages.filter((language) => files.includes(`./${language}/catalogue.ts`))
