/** What a translation of the English texts has: the same keys, with other words. */
export type Translated<English> = English extends string
  ? string
  : English extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { readonly [Key in keyof English]: Translated<English[Key]> }
