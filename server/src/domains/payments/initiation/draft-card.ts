import cardValidator from 'card-validator'
import type { Card } from '../../../connectors/kit/connector.ts'
import type { CardBins } from '../../../lib/instruments/card-bins.ts'
import type { CardSummary } from '../record.ts'
import type { InitiateBody } from './schema.ts'

export const cardOf = ({ card_details: card }: InitiateBody): Card | undefined =>
  card
    ? {
        number: card.card_number,
        expiryMonth: card.expiry_month.padStart(2, '0'),
        expiryYear: fullYear(card.expiry_year),
        cvv: card.cvv ?? undefined,
        holderName: card.card_holder_name ?? undefined,
      }
    : undefined

const fullYear = (year: string): string => (year.length === 2 ? `20${year}` : year)

/** The only part of a card that is ever stored. */
export function cardSummaryOf(
  { cardBins }: { cardBins: CardBins },
  { card_details: card }: InitiateBody,
): CardSummary | null {
  if (!card) return null
  const issuer = cardBins.find(card.card_number)
  return {
    brand: issuer?.brand ?? cardValidator.number(card.card_number).card?.type ?? null,
    first6: card.card_number.slice(0, 6),
    last4: card.card_number.slice(-4),
    expiry_month: card.expiry_month.padStart(2, '0'),
    expiry_year: fullYear(card.expiry_year),
    ...(issuer?.country && { issuer_country: issuer.country }),
  }
}
