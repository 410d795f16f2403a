import { localeOf, type Language } from '@switchyard/checkout/languages.ts'

/** English has `one` and `other`, Arabic all six. */
type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string }

/** Chooses the form by the rules of the language. `#` in it becomes the count, as the language writes numbers. */
export function pluralsOf(language: Language): (count: number, forms: Forms) => string {
  const locale = localeOf(language)
  const rules = new Intl.PluralRules(locale)
  const numbers = new Intl.NumberFormat(locale)
  return (count, forms) => (forms[rules.select(count)] ?? forms.other).replaceAll('#', numbers.format(count))
}
