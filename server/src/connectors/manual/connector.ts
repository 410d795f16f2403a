import countries from 'i18n-iso-countries'
import { z } from 'zod'
import { defineConnector, type Capability } from '../kit/connector.ts'

const instructions = z.object({
  account_name: z.string().optional(),
  account_number: z.string().optional(),
  bank_name: z.string().optional(),
  bank_code: z.string().optional(),
  sort_code: z.string().optional(),
  iban: z.string().optional(),
})

const everywhere = {
  countries: Object.keys(countries.getAlpha2Codes()),
  currencies: Intl.supportedValuesOf('currency'),
}

const capabilities: readonly Capability[] = [
  { direction: 'payin', method: 'bank_transfer', ...everywhere },
  { direction: 'payin', method: 'mobile_money', ...everywhere },
  { direction: 'payout', method: 'bank_transfer', ...everywhere },
  { direction: 'payout', method: 'mobile_money', ...everywhere },
]

/**
 * No provider at all: people move the money and say so. A payin shows where to send it, a payout waits on a list;
 * staff confirm either by hand.
 */
export const manualConnector = defineConnector({
  name: 'manual',
  credentials: z.object({ instructions: instructions.default({}) }),
  create: ({ credentials }) => ({
    name: 'manual',
    capabilities,
    collect: (attempt) =>
      Promise.resolve({
        kind: 'accepted',
        providerRef: attempt.reference,
        providerStatus: 'awaiting_funds',
        state: { state: 'pending' },
        nextAction: {
          type: 'bank_transfer',
          instructions: { ...credentials.instructions, reference: attempt.reference.slice(0, 13) },
        },
      }),
    payout: (attempt) =>
      Promise.resolve({
        kind: 'accepted',
        providerRef: attempt.reference,
        providerStatus: 'awaiting_staff',
        state: { state: 'processing' },
      }),
    // Nobody can be asked but the people who confirm.
    inquire: () => Promise.resolve({ kind: 'unknown', reason: 'staff have not confirmed yet' }),
  }),
})
