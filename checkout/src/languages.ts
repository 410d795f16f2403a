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

/** Arabic uses Latin digits, so that payers can compare numbers with those from their bank. */
export const localeOf = (language: Language): string => (language === 'ar' ? 'ar-u-nu-latn' : language)

const toLanguage = (text: string | undefined): Language | undefined =>
  languages.find((language) => language === text)

interface Preference {
  tag: string
  weight: number
}

const preferencesLimit = 20

/** Parses an `Accept-Language` header, most preferred language first. */
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

/** Returns the chosen language, else the browser's first preference that we support, else English. */
export function chooseLanguage(chosen: string | undefined, acceptLanguage: string | undefined): Language {
  const preferred = preferencesOf(acceptLanguage ?? '').map(({ tag }) =>
    toLanguage(tag.split('-')[0]?.toLowerCase()),
  )
  return toLanguage(chosen) ?? preferred.find((language) => language !== undefined) ?? 'en'
}

/** Returns the countries in the browser's language preferences, such as KE in `sw-KE`. */
export const wishedCountries = (acceptLanguage: string | undefined): string[] =>
  preferencesOf(acceptLanguage ?? '').flatMap(({ tag }) => /-([A-Z]{2})\b/.exec(tag)?.[1] ?? [])
