import { languages, type Language } from '@switchyard/checkout/languages.ts'

interface Wishes {
  /** What the person chose before. */
  chosen: string | null
  /** What the browser prefers, best first, such as `pt-MZ`. */
  preferred: readonly string[]
}

/** The first wish that there is a translation for, else English. */
export function chooseLanguage({ chosen, preferred }: Wishes, available: readonly Language[]): Language {
  const wished = [chosen ?? '', ...preferred].map((tag) => tag.split('-')[0]?.toLowerCase())
  for (const tag of wished) {
    const language = available.find((one) => one === tag)
    if (language) return language
  }
  return 'en'
}

/** The languages of the folders `<language>/catalogue.ts`, in the order of the payment pages. */
export const languagesOf = (files: readonly string[]): Language[] =>
  languages.filter((language) => files.includes(`./${language}/catalogue.ts`))
