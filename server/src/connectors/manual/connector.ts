import countries from 'i18n-iso-countries'
import { z } from 'zod'
import { bankInstructionFields } from '../kit/bank-instructions.ts'
import { defineConnector, type Attempt, type Capability, type Outcome } from '../kit/connector.ts'

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

type AcceptedOutcome = Extract<Outcome, { kind: 'accepted' }>

/**
 * Staff move the money and confirm it by hand. A payin shows bank instructions; a payout waits in a list for staff.
 */
export const manualConnector = defineConnector({
  name: 'manual',
  credentials: z.object({ instructions: z.object(bankInstructionFields).default({}) }),
  create: ({ credentials }) => {
    const collect = (attempt: Attempt): AcceptedOutcome => ({
      kind: 'accepted',
      providerRef: attempt.reference,
      providerStatus: 'awaiting_funds',
      state: { state: 'pending' },
      nextAction: {
        type: 'bank_transfer',
        instructions: { ...credentials.instructions, reference: attempt.reference.slice(0, 13) },
      },
    })
    const payout = (attempt: Attempt): AcceptedOutcome => ({
      kind: 'accepted',
      providerRef: attempt.reference,
      providerStatus: 'awaiting_staff',
      state: { state: 'processing' },
    })
    return {
      name: 'manual',
      capabilities,
      collect: (attempt) => Promise.resolve(collect(attempt)),
      payout: (attempt) => Promise.resolve(payout(attempt)),
      // A stored attempt is in the list for staff, even if the process crashed before it returned.
      inquire: (attempt) =>
        Promise.resolve(attempt.direction === 'payin' ? collect(attempt) : payout(attempt)),
    }
  },
})
