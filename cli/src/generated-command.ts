export interface GeneratedFlag {
  readonly name: string
  readonly kind: string
  readonly values?: readonly string[]
  readonly isList?: true
  readonly isRequired?: true
  readonly description?: string
}

/** An operation of the API as a command; the generated table has one for each. */
export interface GeneratedCommand {
  /** `payments.initiate`, which is also a method of the SDK. */
  readonly id: string
  readonly summary: string
  readonly description?: string
  readonly isDeprecated?: true
  readonly path: readonly {
    readonly name: string
    readonly description?: string
    /** The list in which a shortened id is completed. */
    readonly lookup?: string
  }[]
  readonly query: readonly GeneratedFlag[]
  readonly body?: {
    readonly isRequired?: true
    readonly acceptsCsv?: true
    /** The kinds of the fields, by path, such as `amount` or `rows.*.amount`. */
    readonly fields: Readonly<Record<string, string>>
  }
  readonly answer: string
  /** Whether production asks for the amount again, or for a confirmation. */
  readonly money?: string
}

/** `payoutBatches` is `payout-batches`, and `last_evaluated_key` is `last-evaluated-key`. */
export const kebab = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll('_', '-')

export function namesOf({ id }: GeneratedCommand): { group: string; verb: string } {
  const [resource = '', name = ''] = id.split('.')
  return { group: kebab(resource), verb: kebab(name) }
}
