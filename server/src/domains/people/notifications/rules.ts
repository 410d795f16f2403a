export const languages = ['en', 'fr', 'pt'] as const
export type Language = (typeof languages)[number]

/** Countries where business is mostly done in French or Portuguese; all others get English. */
const countriesByLanguage: Readonly<Record<Exclude<Language, 'en'>, string>> = {
  fr: 'BE BF BI BJ BL CD CF CG CI CM DJ FR GA GF GN GP HT KM LU MC MF MG ML MQ NC NE PF PM RE SN TD TG WF YT',
  pt: 'AO BR CV GW MZ PT ST TL',
}

export function languageOf(country: string | null): Language {
  for (const language of ['fr', 'pt'] as const)
    if (country !== null && countriesByLanguage[language].split(' ').includes(country)) return language
  return 'en'
}

export const priorities = ['low', 'medium', 'high', 'urgent'] as const
export type Priority = (typeof priorities)[number]

export const isImportant = (priority: string): boolean => priority === 'high' || priority === 'urgent'

const hourMs = 60 * 60 * 1000

/** Mails to outside addresses that a caller asks for. A recipient may be anybody, and no caller may pester them. */
export const mailLimits = {
  recipient: { mails: 5, windowMs: 24 * hourMs, period: 'a day' },
  organization: { mails: 200, windowMs: hourMs, period: 'an hour' },
  /** Of one payment, whoever the recipients are. */
  receipts: { mails: 3, windowMs: 24 * hourMs, period: 'a day' },
} as const
