import countries from 'i18n-iso-countries'
import type { Direction } from '../kit/state.ts'
import type { Network } from '../kit/lists.ts'
import type { Configuration, NetworkTerms } from './answers.ts'

const statuses = { OPERATIONAL: 'operational', DELAYED: 'delayed', CLOSED: 'closed' } as const

export const countryCode = (alpha2: string): string => countries.alpha2ToAlpha3(alpha2) ?? alpha2

/** One entry for each network and currency, or one for each direction if their terms differ. */
export function networksOf({ countries: markets }: Configuration, country: string): Network[] {
  return markets
    .filter((market) => market.country === countryCode(country))
    .flatMap(({ providers }) => providers)
    .flatMap(({ provider, displayName, currencies }) =>
      currencies.flatMap(({ currency, operationTypes: { DEPOSIT, PAYOUT } }) =>
        offersOf(canBeAsked(DEPOSIT) ? DEPOSIT : undefined, PAYOUT).map((offer) => ({
          network: provider,
          name: displayName,
          country,
          currency,
          ...offer,
        })),
      ),
    )
}

/** Our API has no field for a code that the payer obtains before the call. */
const canBeAsked = (deposit: NetworkTerms | undefined): boolean => deposit?.authType !== 'PREAUTH'

type Offer = Pick<Network, 'directions' | 'minAmount' | 'maxAmount' | 'status'>

function offersOf(deposit: NetworkTerms | undefined, payout: NetworkTerms | undefined): Offer[] {
  const payin = deposit && offerOf('payin', deposit)
  const payOut = payout && offerOf('payout', payout)
  const areEqual =
    payin?.minAmount === payOut?.minAmount &&
    payin?.maxAmount === payOut?.maxAmount &&
    payin?.status === payOut?.status
  if (payin && payOut && areEqual) return [{ ...payin, directions: ['payin', 'payout'] }]
  return [payin, payOut].filter((offer) => offer !== undefined)
}

const offerOf = (direction: Direction, { minAmount, maxAmount, status }: NetworkTerms): Offer => ({
  directions: [direction],
  minAmount,
  maxAmount,
  status: statuses[status],
})
