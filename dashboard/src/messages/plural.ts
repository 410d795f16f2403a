import { localeOf, type Language } from '@switchyard/checkout/languages.ts'

/** English has `one` and `other`, Arabic all six. */
type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string }

const formattersOf = (locale: string) => ({
  rules: new Intl.PluralRules(locale),
  numbers: new Intl.NumberFormat(locale),
})

/** Chooses the plural form by the language's rules, and replaces `#` with the formatted count. */
export function pluralsOf(language: Language): (count: number, forms: Forms) => string {
  // Formatters are expensive to create, and a page without counts needs none.
  let made: ReturnType<typeof formattersOf> | undefined
  return (count, forms) => {
    made ??= formattersOf(localeOf(language))
    return (forms[made.rules.select(count)] ?? forms.other).replaceAll('#', made.numbers.format(count))
  }
}
