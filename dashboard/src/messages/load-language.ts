import type { Language } from '@switchyard/checkout/languages.ts'
import { activate } from './active.ts'
import type { Catalogue } from './catalogue.ts'
import { languagesOf } from './choose-language.ts'

/** The page offers every language that has a catalogue, and fetches only the one that it shows. */
const catalogues = import.meta.glob<{ catalogue: Catalogue }>('./*/catalogue.ts', { base: './generated' })

export const availableLanguages: readonly Language[] = languagesOf(Object.keys(catalogues))

export async function loadLanguage(language: Language): Promise<void> {
  const load = catalogues[`./${language}/catalogue.ts`]
  if (!load) throw new Error(`there are no texts in ${language}`)
  activate(language, (await load()).catalogue)
}
