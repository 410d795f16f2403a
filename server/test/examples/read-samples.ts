import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const languages = ['curl', 'TypeScript', 'Python', 'Command line'] as const
export type Language = (typeof languages)[number]

const page = join(import.meta.dirname, '../../../docs/samples.md')

/** The code of each section of docs/samples.md by language; the first section is what the others need. */
export function readSamples(): Map<string, Map<Language, string>> {
  const [, ...sections] = readFileSync(page, 'utf8').split(/^## /m)
  return new Map(
    sections.map((section) => [
      section.slice(0, section.indexOf('\n')),
      new Map(languages.map((language) => [language, codeIn(section, language)])),
    ]),
  )
}

function codeIn(section: string, language: Language): string {
  const [title = '', ...rest] = section.split(`**${language}**\n\n`)
  const [, code] = rest.join('').split(/^```[a-z]*\n/m)
  if (code === undefined) throw new Error(`docs/samples.md lacks ${language} below ${title.split('\n')[0]}`)
  return code
}
