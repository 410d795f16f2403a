import type { Language } from './rules.ts'
import type { NoticeText } from './write-greeting.ts'

const facts = ['merchant', 'order', 'amount', 'method', 'at', 'reference'] as const

/** The payment page writes the words, in its own languages; here they only get their places. */
const receipt: NoticeText = (variables) => {
  const { subject = '', greeting = '', text = '', why = '' } = variables
  const rows = facts.map((fact) => [variables[`${fact}Label`] ?? '', variables[fact] ?? ''] as const)
  return { subject, greeting, paragraphs: [text, why], rows: rows.filter(([, value]) => value !== '') }
}

export const paymentReceipt: Record<Language, NoticeText> = { en: receipt, fr: receipt, pt: receipt }
