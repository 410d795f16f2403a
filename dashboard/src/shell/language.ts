import { languageNames, type Language } from '@switchyard/checkout/languages.ts'
import { active } from '../messages/active.ts'
import { chooseLanguage } from '../messages/choose-language.ts'
import { availableLanguages, loadLanguage } from '../messages/load-language.ts'

const storageKey = 'switchyard-language'

/** Before anything is shown, loads the language that the person chose, else the browser's, else English. */
export async function startLanguage(): Promise<void> {
  const wishes = { chosen: localStorage.getItem(storageKey), preferred: navigator.languages }
  await loadLanguage(chooseLanguage(wishes, availableLanguages))
  const { language, direction } = active()
  document.documentElement.lang = language
  document.documentElement.dir = direction
}

export const offeredLanguages = availableLanguages.map((language) => ({
  language,
  name: languageNames[language],
}))

/** Reloads the page, because modules read their texts when they are evaluated. */
export function setLanguage(language: Language): void {
  localStorage.setItem(storageKey, language)
  location.reload()
}
