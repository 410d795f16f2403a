export const languages = ['en', 'fr', 'sw', 'pt', 'ar'] as const
export type Language = (typeof languages)[number]

export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  fr: 'Français',
  sw: 'Kiswahili',
  pt: 'Português',
  ar: 'العربية',
}

export const directionOf = (language: Language): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr')

/** Digits that can be compared with a bank's letter, also in Arabic. */
export const localeOf = (language: Language): string => (language === 'ar' ? 'ar-u-nu-latn' : language)

export const toLanguage = (text: string | undefined): Language | undefined =>
  languages.find((language) => language === text)

interface Preference {
  tag: string
  weight: number
}

const preferencesLimit = 20

/** An `Accept-Language` header, most wanted first. */
function preferencesOf(header: string): Preference[] {
  return header
    .split(',', preferencesLimit)
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().split(';')
      const quality = parameters.map((parameter) => /^\s*q=([\d.]+)$/.exec(parameter)?.[1]).find(Boolean)
      return { tag: tag.trim(), weight: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
}

/** What was chosen, else the browser's first wish that we speak, else English. */
export function chooseLanguage(chosen: string | undefined, acceptLanguage: string | undefined): Language {
  const wished = preferencesOf(acceptLanguage ?? '').map(({ tag }) =>
    toLanguage(tag.split('-')[0]?.toLowerCase()),
  )
  return toLanguage(chosen) ?? wished.find((language) => language !== undefined) ?? 'en'
}

/** The countries in the browser's wishes, such as KE in `sw-KE`. */
export const wishedCountries = (acceptLanguage: string | undefined): string[] =>
  preferencesOf(acceptLanguage ?? '').flatMap(({ tag }) => /-([A-Z]{2})\b/.exec(tag)?.[1] ?? [])
