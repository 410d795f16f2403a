/**
 * A field that the API specification does not call nullable is never null: text without a value is "", an object {},
 * and a date-time or number is left out. Lists are [].
 */
export const textOf = (value: string | null | undefined): string => value ?? ''

export const objectOf = <T extends object>(value: T | null | undefined): T | Record<string, never> =>
  value ?? {}

type PresentFields<T> = { [Key in keyof T]?: NonNullable<T[Key]> }

/** Leaves out the fields without a value. */
export function presentFields<T extends Readonly<Record<string, unknown>>>(fields: T): PresentFields<T> {
  const present = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(present) as PresentFields<T> // the fields without a value are gone
}
