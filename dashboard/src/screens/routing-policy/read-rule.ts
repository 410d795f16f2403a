import { policyRule as text } from '../../messages/generated/texts.ts'
import type { ReadField } from '../../ui/read-form.ts'
import { routeOf, type Conditions, type RouteName } from './policy.ts'

const listOf = (value: string): string[] =>
  value
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')

const some = <Name extends string>(name: Name, values: string[]): { [Key in Name]?: string[] } =>
  values.length === 0 ? {} : ({ [name]: values } as Record<Name, string[]>) // TypeScript widens a computed key

const upper = (values: readonly string[]): string[] => values.map((one) => one.toUpperCase())

/** The conditions in the form. An empty field is not a condition. */
export function readConditions(field: ReadField, methods: ReadonlySet<string>): Conditions {
  const direction = field('direction')
  return {
    ...(direction !== '' && { direction }),
    ...some('method', [...methods]),
    ...some('country', upper(listOf(field('country')))),
    ...some('currency', upper(listOf(field('currency')))),
    ...readAmount(field),
    ...some('card_brand', listOf(field('card_brand'))),
    ...some('issuer_country', upper(listOf(field('issuer_country')))),
    ...some('network', listOf(field('network'))),
    ...some('customer_type', listOf(field('customer_type'))),
    ...readMetadata(field('metadata')),
    ...readTime(field),
  }
}

function readAmount(field: ReadField): Pick<Conditions, 'amount'> {
  const [currency, min, max] = [field('amount_currency').toUpperCase(), field('min'), field('max')]
  if (currency === '' && min === '' && max === '') return {}
  return {
    amount: { currency, ...(min !== '' && { min: Number(min) }), ...(max !== '' && { max: Number(max) }) },
  }
}

function readMetadata(json: string): Pick<Conditions, 'metadata'> {
  if (json === '') return {}
  let metadata: unknown
  try {
    metadata = JSON.parse(json)
  } catch {
    throw new Error(text.notObject)
  }
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata))
    throw new Error(text.notObject)
  return Object.keys(metadata).length === 0 ? {} : { metadata: { ...metadata } }
}

function readTime(field: ReadField): Pick<Conditions, 'time_of_day'> {
  const [from, to, zone] = [field('time_from'), field('time_to'), field('zone')]
  return from === '' && to === '' ? {} : { time_of_day: { from, to, zone } }
}

/** Leaves out the order if its field is empty. */
export const readOrder = (value: string): { order?: RouteName[] } => {
  const labels = listOf(value)
  return labels.length === 0 ? {} : { order: labels.map(routeOf) }
}
