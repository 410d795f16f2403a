import { directionOf, localeOf, type Language } from '@switchyard/checkout/languages.ts'
import type { Catalogue } from './catalogue.ts'

interface Active {
  language: Language
  /** The locale of dates, numbers, lists and country names. English uses British dates. */
  locale: string
  direction: 'ltr' | 'rtl'
  catalogue: Catalogue
}

let current: Active | undefined

/** Called once, before the modules that contain texts are loaded: they read them when they are evaluated. */
export function activate(language: Language, catalogue: Catalogue): void {
  const locale = language === 'en' ? 'en-GB' : localeOf(language)
  current = { language, locale, direction: directionOf(language), catalogue }
}

export function active(): Active {
  if (current === undefined) throw new Error('no language was loaded')
  return current
}
