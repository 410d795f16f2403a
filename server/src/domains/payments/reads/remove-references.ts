import type { Caller } from '../../../lib/requests/access.ts'
import { isRawNumber } from '../../../lib/text/json.ts'

interface Named {
  reference: string
  custody: string
}

/**
 * Our references at accounts of the installation: with one, anybody can have the provider report a payment of their own
 * under it. Only the operator sees them.
 */
export const hiddenFrom = ({ permissions }: Caller, movements: readonly Named[]): string[] =>
  permissions.has('platform:read')
    ? []
    : movements.filter(({ custody }) => custody === 'pooled').map(({ reference }) => reference)

/** Null for a text that is such a reference, as the ids of some providers are; stars where a text quotes one. */
export function removeFrom(text: string, hidden: readonly string[]): string | null {
  if (hidden.includes(text)) return null
  return hidden.reduce((rest, reference) => rest.replaceAll(reference, '***'), text)
}

/** A copy of plain data without the references, at any depth. */
export function removeReferences(value: unknown, hidden: readonly string[]): unknown {
  if (typeof value === 'string') return removeFrom(value, hidden)
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return value
  if (Array.isArray(value)) return value.map((entry) => removeReferences(entry, hidden))
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, removeReferences(inner, hidden)]),
  )
}
