import { z } from 'zod'
import type { Capability, PaymentMethod } from './connector.ts'
import type { Direction } from './state.ts'

export const words = (list: string): string[] => list.split(' ')

export const euCountries = words(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK',
)

/** Country (ISO 3166 alpha-2) → currencies. Operators can change them. */
export const marketsSchema = z.record(z.string().length(2), z.array(z.string().length(3)).min(1))
type Markets = z.infer<typeof marketsSchema>

/** `NG:NGN,USD GH:GHS` */
export const marketsOf = (text: string): Markets =>
  Object.fromEntries(
    text
      .trim()
      .split(/\s+/)
      .map((market) => market.split(':'))
      .map(([country, list = '']) => [country, list.split(',')]),
  )

export const capabilitiesIn = (
  markets: Markets,
  method: PaymentMethod,
  directions: readonly Direction[],
): Capability[] =>
  Object.entries(markets).flatMap(([country, currencies]) =>
    directions.map((direction) => ({ direction, method, countries: [country], currencies })),
  )
