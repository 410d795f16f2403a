import type { ProviderConfig } from '@switchyard/sdk'
import { routing as text, terms } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { countryName } from '../../ui/format.ts'

export interface Corridor {
  country: string
  method: string
  direction: string
}

export const describeCorridor = ({ country, method, direction }: Corridor): string =>
  text.corridor(
    countryName(country),
    nameOf(terms.method, method).toLowerCase(),
    nameOf(terms.direction, direction).toLowerCase(),
  )

export const isSameCorridor = (one: Corridor, other: Corridor): boolean =>
  one.country === other.country && one.method === other.method && one.direction === other.direction

export const corridorOf = (config: ProviderConfig): Corridor => ({
  country: config.country,
  method: config.payment_method,
  direction: config.direction,
})

/** The order in which the server tries them: by priority, and the organisation's own first at a tie. */
export const inOrder = (configs: readonly ProviderConfig[]): ProviderConfig[] =>
  configs.toSorted(
    (one, other) =>
      one.priority - other.priority || Number(one.org_id === null) - Number(other.org_id === null),
  )
