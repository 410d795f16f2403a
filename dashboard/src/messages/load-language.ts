import type { Language } from '@switchyard/checkout/languages.ts'
import { activate } from './active.ts'
import type { Catalogue } from './catalogue.ts'
import { languagesOf } from './choose-language.ts'

/** A language is offered as soon as its folder has a catalogue. Each one is a file that is fetched by itself. */
const catalogues = import.meta.glob<{ catalogue: Catalogue }>('./*/catalogue.ts')

export const availableLanguages: readonly Language[] = languagesOf(Object.keys(catalogues))

export async function loadLanguage(language: Language): Promise<void> {
  const load = catalogues[`./${language}/catalogue.ts`]
  if (!load) throw new Error(`there are no texts in ${language}`)
  activate(language, (await load()).catalogue)
}
