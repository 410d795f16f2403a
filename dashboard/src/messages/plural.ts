import { localeOf, type Language } from '@switchyard/checkout/languages.ts'

/** English has `one` and `other`, Arabic all six. */
type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string }

const formattersOf = (locale: string) => ({
  rules: new Intl.PluralRules(locale),
  numbers: new Intl.NumberFormat(locale),
})

/** Chooses the form by the rules of the language. `#` in it becomes the count, as the language writes numbers. */
export function pluralsOf(language: Language): (count: number, forms: Forms) => string {
  // They are costly to make, and a page that counts nothing needs none.
  let made: ReturnType<typeof formattersOf> | undefined
  return (count, forms) => {
    made ??= formattersOf(localeOf(language))
    return (forms[made.rules.select(count)] ?? forms.other).replaceAll('#', made.numbers.format(count))
  }
}
