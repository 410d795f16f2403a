import type { Language } from '../languages.ts'
import { ar } from './ar.ts'
import { en, type Messages } from './en.ts'
import { fr } from './fr.ts'
import { pt } from './pt.ts'
import { sw } from './sw.ts'

const catalogue: Readonly<Record<Language, Messages>> = { en, fr, sw, pt, ar }

export const messagesFor = (language: Language): Messages => catalogue[language]
